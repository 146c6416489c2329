#include "cli/broker/log_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/usage.hpp"

namespace parley_cli {

broker_log::broker_log(const std::string& file, const parley::broker::ownership& table, const policy_choice& policy)
    : file_(file), head_(head_of_log(table, policy).dump()) {
    int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    is_new_ = descriptor >= 0;
    if (!is_new_) {
        descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    }
    if (descriptor < 0) {
        refuse(errno);
    }
    out_.reset(fdopen(descriptor, "w"));
    if (!out_) {
        const int error = errno;
        close(descriptor);
        refuse(error);
    }
}

broker_log::~broker_log() {
    if (is_new_ && !has_begun_) {
        std::remove(file_.c_str());
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
        struct stat is {};
        const int file = fileno(out_.get());
        errno = 0;
        const bool is_empty = fstat(file, &is) == 0 && (!S_ISREG(is.st_mode) || ftruncate(file, 0) == 0);
        if (!is_empty || !put(head_)) {
            trouble_ = errno;
            out_.reset();
        }
        has_begun_ = trouble_ == 0;
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
