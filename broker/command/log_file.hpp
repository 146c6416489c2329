// The file that --log names.
#pragma once

#include <broker/client/descriptor.hpp>
#include <mutex>
#include <string>

#include "broker/command/log_json.hpp"

namespace parley_cli {

class broker_log {
public:
    // The file stays as it is until begin(), or is not made: who cannot have the socket leaves another broker's log
    // alone. Throws usage_error if it cannot be written.
    broker_log(const std::string& file, const parley::broker::ownership& table, const policy_choice& policy);

    broker_log(const broker_log&) = delete;
    broker_log& operator=(const broker_log&) = delete;

    // Empties it and writes its first line, unless write() has come before. Throws usage_error if the system refuses.
    void begin();

    // Each record is written out at once. Where the system refuses (a full disk), or a pipe's reader takes nothing
    // for a second, that is said, once, and the log ends there: the broker goes on.
    void write(parley::broker::section_id where, const parley::broker::record& what);

private:
    void begin_once();
    bool put(std::string line);
    [[noreturn]] void refuse(int error) const;

    [[nodiscard]] parley::broker::descriptor opened(int flags) const;

    std::string file_, head_;
    parley::broker::descriptor is_there_;  // until begin(); none, if it has to be made
    std::once_flag once_;
    int trouble_ = 0;                 // why it could not begin
    parley::broker::descriptor out_;  // none once the log has ended
};

}  // namespace parley_cli
