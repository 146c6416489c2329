#include "command/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <parley/detail/trace/recording.hpp>
#include <system_error>

#include "command/usage.hpp"

namespace parley_cli {

void require_writable(const std::string& option, const std::string& file) {
    if (const std::string wrong = parley::trace::why_not_written(file); !wrong.empty()) {
        throw usage_error(fmt::format("{} {}: cannot write it ({}); wants a writable file", option, file, wrong));
    }
}

bool is_same_file(const std::string& one, const std::string& other) {
    namespace fs = std::filesystem;
    if (one.empty() || other.empty() || one == "-" || other == "-") {
        return false;
    }
    std::error_code ignored;
    const fs::file_status found = fs::status(one, ignored);
    if (fs::exists(found) && !fs::is_regular_file(found)) {
        return false;
    }
    const auto whole = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
    return fs::equivalent(one, other, ignored) || whole(one) == whole(other);
}

void write_whole_file(const std::string& file, const std::string& text) {
    const auto refuse = [&] { throw std::system_error(errno, std::generic_category(), "cannot write " + file); };
    errno = 0;
    std::FILE* const out = std::fopen(file.c_str(), "we");
    if (out == nullptr) {
        refuse();
    }
    const bool written = std::fputs(text.c_str(), out) >= 0 && std::fflush(out) == 0;
    const int error = errno;
    if (std::fclose(out) != 0 || !written) {
        errno = written ? errno : error;
        refuse();
    }
}

}  // namespace parley_cli
