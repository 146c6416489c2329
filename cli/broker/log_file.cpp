#include "cli/broker/log_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/usage.hpp"

namespace parley_cli {
namespace {

namespace broker = parley::broker;

// A pipe's reader may be slow, a terminal has nothing to be emptied.
bool make_empty(int file) {
    struct stat is {};
    if (fstat(file, &is) != 0 || (S_ISREG(is.st_mode) && ftruncate(file, 0) != 0)) {
        return false;
    }
    const int flags = fcntl(file, F_GETFL);
    return flags >= 0 && fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

}  // namespace

broker_log::broker_log(const std::string& file, const parley::broker::ownership& table, const policy_choice& policy)
    : file_(file), head_(head_of_log(table, policy).dump()), is_there_(opened(0)) {
    if (is_there_) {
        return;
    }
    const int error = errno;
    if (error != ENOENT) {
        refuse(error);
    }
    const std::string folder = std::filesystem::path(file).parent_path();
    if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) {
        refuse(errno);
    }
}

// A pipe that nobody reads is refused: waiting for its reader would be without end.
broker::descriptor broker_log::opened(int flags) const {
    return broker::descriptor(open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0666));
}

void broker_log::refuse(int error) const {
    throw usage_error(fmt::format("parley broker: --log {}: cannot write it ({}); wants a writable file", file_,
                                  std::strerror(error)));
}

void broker_log::begin() {
    begin_once();
    if (trouble_ != 0) {
        refuse(trouble_);
    }
}

// The broker's first records and the thread that waits for its end come at the same time.
void broker_log::begin_once() {
    std::call_once(once_, [this] {
        errno = 0;
        broker::descriptor file = is_there_ ? std::move(is_there_) : opened(O_CREAT);
        out_.reset(make_empty(file.get()) ? fdopen(file.get(), "w") : nullptr);
        if (out_) {
            (void)file.release();
        }
        if (!out_ || !put(head_)) {
            trouble_ = errno != 0 ? errno : EIO;
            out_.reset();
        }
    });
}

bool broker_log::put(const std::string& line) {
    return std::fputs((line + "\n").c_str(), out_.get()) >= 0 && std::fflush(out_.get()) == 0;
}

void broker_log::write(parley::broker::section_id where, const parley::broker::record& what) {
    begin_once();
    if (!out_ || put(json_of(where, what).dump())) {
        return;
    }
    fmt::print(stderr, "parley broker: --log {}: {}; the log ends there, the broker goes on\n", file_,
               std::strerror(errno));
    out_.reset();
}

}  // namespace parley_cli
