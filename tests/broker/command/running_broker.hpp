// A `parley broker` of the tests, and what `parley top` sees of it.
#pragma once

#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/running_command.hpp"

namespace parley_tests {

// By default for a machine that is not there: 8 cores in 2 sections.
inline const std::vector<std::string> machine_of_tests{"--topology", "synthetic:l3:2 core:4 pu:1", "--sections", "caches"};

// Listens when this has been made.
class running_broker {
public:
    // At a socket of its own.
    explicit running_broker(const std::vector<std::string>& more = {},
                            const std::vector<std::string>& machine = machine_of_tests);

    // `options` and environment make it listen at `socket`.
    running_broker(const std::vector<std::string>& options, const std::vector<std::string>& environment,
                   const std::string& socket);

    [[nodiscard]] const std::string& socket() const { return socket_; }
    [[nodiscard]] bool answers() const;

    // One for each program.
    [[nodiscard]] std::vector<nlohmann::json> rows() const;
    // Of the program with that name; null if there is none.
    [[nodiscard]] nlohmann::json row(const std::string& name) const;

    void signal(int number) const { command_->signal(number); }
    [[nodiscard]] bool still_runs_after(std::chrono::milliseconds time) const { return command_->still_runs_after(time); }
    [[nodiscard]] said end(int signal);

private:
    void begin(std::vector<std::string> words, const std::vector<std::string>& environment);

    scratch_folder folder_;
    std::string socket_;
    std::optional<running_command> command_;
};

// One line, which is not empty.
[[nodiscard]] bool is_one_line(const std::string& text);

}  // namespace parley_tests
