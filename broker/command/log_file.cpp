#include "broker/command/log_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

namespace broker = parley::broker;

constexpr int patience_ms = 1000;  // with a pipe's reader

// A pipe or a terminal has nothing to be emptied.
bool make_empty(int file) {
    struct stat is{};
    return fstat(file, &is) == 0 && (!S_ISREG(is.st_mode) || ftruncate(file, 0) == 0);
}

// A pipe's reader may be slow. One that has stopped must keep neither the broker from ending nor all records in memory.
bool can_be_written(int file) {
    pollfd one{file, POLLOUT, 0};
    const int ready = poll(&one, 1, patience_ms);
    if (ready == 0) {
        errno = ETIMEDOUT;
    }
    return ready > 0 || (ready < 0 && errno == EINTR);
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
    throw usage_error(
        fmt::format("parley broker: --log {}: cannot write it ({}); wants a writable file", file_, std::strerror(error)));
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
        if (file && make_empty(file.get())) {
            out_ = std::move(file);
        }
        if (!out_ || !put(head_)) {
            trouble_ = errno != 0 ? errno : EIO;
            out_.reset();
        }
    });
}

bool broker_log::put(std::string line) {
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
        const ssize_t written = ::write(out_.get(), rest.data(), rest.size());
        if (written > 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN ? !can_be_written(out_.get()) : errno != EINTR) {
            return false;
        }
    }
    return true;
}

void broker_log::write(parley::broker::section_id where, const parley::broker::record& what) {
    begin_once();
    if (!out_ || put(json_of(where, what).dump())) {
        return;
    }
    fmt::print(stderr, "parley broker: --log {}: {}; the log ends there, the broker goes on\n", file_, std::strerror(errno));
    out_.reset();
}

}  // namespace parley_cli
