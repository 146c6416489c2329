#include "cli/broker/log_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "cli/usage.hpp"

namespace parley_cli {

broker_log::broker_log(const std::string& file, const parley::broker::ownership& table, const policy_choice& policy)
    : file_(file), out_(std::fopen(file.c_str(), "we")) {
    if (!out_ || !put(head_of_log(table, policy).dump())) {
        throw usage_error(fmt::format("parley broker: --log {}: cannot write it ({}); wants a writable file", file,
                                      std::strerror(errno)));
    }
}

bool broker_log::put(const std::string& line) {
    return std::fputs((line + "\n").c_str(), out_.get()) >= 0 && std::fflush(out_.get()) == 0;
}

void broker_log::write(parley::broker::section_id where, const parley::broker::record& what) {
    if (!out_ || put(json_of(where, what).dump())) {
        return;
    }
    fmt::print(stderr, "parley broker: --log {}: {}; the log ends there, the broker goes on\n", file_,
               std::strerror(errno));
    out_.reset();
}

}  // namespace parley_cli
