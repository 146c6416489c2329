#include "command/json_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

[[noreturn]] void refuse(const std::string& file, int error) {
    throw usage_error(
        fmt::format("parley: --json {}: cannot write it ({}); wants a writable file, "
                    "or - for standard output",
                    file, std::strerror(error)));
}

[[noreturn]] void fail(const std::string& file) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + file);
}

}  // namespace

std::optional<std::string> partial_of(const std::string& file) {
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    const bool direct = file == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
    return direct ? std::nullopt : std::optional(file + ".partial");
}

void json_lines::closer::operator()(std::FILE* f) const noexcept {
    if (f != stdout) {
        std::fclose(f);
    }
}

json_lines::json_lines(const std::string& file, const std::vector<std::string>& kept) : file_(file) {
    if (file == "-") {
        out_.reset(stdout);
        return;
    }
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (std::filesystem::is_directory(status)) {
        refuse(file, EISDIR);
    }
    if (std::filesystem::exists(status) && access(file.c_str(), W_OK) != 0) {
        refuse(file, errno);
    }
    if (partial_of(file)) {
        open_partial(kept);
    } else {
        out_.reset(std::fopen(file.c_str(), "we"));
    }
    if (!out_) {
        refuse(file, errno);
    }
}

// Beside the old one until what is kept of it is written: nothing is lost if that fails.
void json_lines::open_partial(const std::vector<std::string>& kept) {
    const std::string partial = file_ + ".partial";
    if (kept.empty()) {
        out_.reset(std::fopen(partial.c_str(), "we"));
    } else {
        const std::string fresh = partial + ".new";
        out_.reset(std::fopen(fresh.c_str(), "we"));
        try {
            for (std::size_t i = 0; out_ && i < kept.size(); ++i) {
                append(kept[i]);
            }
        } catch (...) {
            std::remove(fresh.c_str());
            throw;
        }
        if (out_ && std::rename(fresh.c_str(), partial.c_str()) != 0) {
            fail(partial);
        }
    }
    if (out_) {
        partial_ = partial;
    }
}

json_lines::~json_lines() {
    if (empty_ && !partial_.empty()) {
        std::error_code ignored;
        std::filesystem::remove(partial_, ignored);
    }
}

void json_lines::append(const std::string& line) {
    errno = 0;
    const bool written = std::fputs((line + "\n").c_str(), out_.get()) >= 0;
    if (!written || std::fflush(out_.get()) != 0) {
        fail(partial_.empty() ? file_ : partial_);
    }
    empty_ = false;
}

void json_lines::finish() {
    if (partial_.empty()) {
        return;
    }
    if (std::rename(partial_.c_str(), file_.c_str()) != 0) {
        fail(file_);
    }
    partial_.clear();
}

}  // namespace parley_cli
