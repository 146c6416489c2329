// The file that --log names.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "cli/broker/log_json.hpp"

namespace parley_cli {

class broker_log {
public:
    /// Throws usage_error if it cannot be written.
    broker_log(const std::string& file, const parley::broker::ownership& table, const policy_choice& policy);

    /// Each record is written out at once. Where the system refuses (a full disk) that is said, once, and the log ends
    /// there: the broker goes on.
    void write(parley::broker::section_id where, const parley::broker::record& what);

private:
    struct closer {
        void operator()(std::FILE* f) const noexcept { std::fclose(f); }
    };
    bool put(const std::string& line);

    std::string file_;
    std::unique_ptr<std::FILE, closer> out_;
};

}  // namespace parley_cli
