// What a broker shows to those who look on, and how it is drawn.
#pragma once

#include <broker/client/packets.hpp>
#include <string>
#include <vector>

#include "command/terminal.hpp"

namespace parley_cli {

struct picture {
    parley::broker::machine_row machine;
    std::vector<parley::broker::program_row> programs;
    struct core {
        std::uint32_t section = 0;
        parley::broker::core_entry is;
    };
    std::vector<core> cores;                        // section by section
    std::vector<parley::broker::event_row> events;  // oldest first
};

// Part of its time in the last quantum that the program did not use.
[[nodiscard]] double wasted(const parley::broker::program_row& p);
[[nodiscard]] std::string name_of(const parley::broker::program_row& p);
[[nodiscard]] std::string class_of(const parley::broker::program_row& p);
[[nodiscard]] std::string text_of(const parley::broker::event_row& e);

// A line per section and program, and the last decisions.
[[nodiscard]] std::string drawn(const picture& p, const terminal& on);

class observer {
public:
    // Throws usage_error if nobody answers there.
    explicit observer(const std::string& socket);
    observer(const observer&) = delete;
    observer& operator=(const observer&) = delete;
    ~observer();

    // Throws std::runtime_error if the broker goes. `events`: of each section the last ones.
    [[nodiscard]] picture look(std::uint32_t events);

    // Whether who listens there is root or this user. Who is not may keep who looks waiting.
    [[nodiscard]] bool is_trusted() const noexcept;

private:
    int socket_;
};

}  // namespace parley_cli
