// A command that waits, as a process of its own, until it may begin: what it is allowed can be settled first.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <span>

namespace parley_cli {

class started_command {
public:
    // `signals`: the mask that the command is to have.
    started_command(std::span<const char* const> words, const sigset_t& signals);

    // Not begun yet, it ends.
    ~started_command();
    started_command(const started_command&) = delete;
    started_command& operator=(const started_command&) = delete;

    // Throws usage_error if there is no such command.
    void begin();

    [[nodiscard]] pid_t process() const { return process_; }

private:
    const char* name_;
    pid_t process_ = -1;
    int go_ = -1;
    int trouble_ = -1;
};

// In this process, which it then is. Throws usage_error if there is no such command.
[[noreturn]] void become(std::span<const char* const> words);

}  // namespace parley_cli
