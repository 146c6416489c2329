#include "cli/broker/log_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/usage.hpp"

namespace parley_cli {

broker_log::broker_log(const std::string& file, const parley::broker::ownership& table, const policy_choice& policy)
    : file_(file), head_(head_of_log(table, policy).dump()) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        close(descriptor);
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
        const int descriptor = open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        out_.reset(descriptor >= 0 ? fdopen(descriptor, "w") : nullptr);
        if (!out_ || !put(head_)) {
            trouble_ = errno != 0 ? errno : EIO;
            if (!out_ && descriptor >= 0) {
                close(descriptor);
            }
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
