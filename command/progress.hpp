// The line on standard error that says how far a run is, redrawn while somebody watches.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string_view>

#include "command/terminal.hpp"

namespace parley_cli {

class progress {
public:
    void show(std::string_view line) const {
        // Whether anybody still reads it or not: no run ends because a terminal has gone.
        (void)std::fputs(fmt::format("{}{}", erase_line, line).c_str(), stderr);
        (void)std::fflush(stderr);
    }
    void clear() const {
        if (terminal_.interactive) {
            show("");
        }
    }
    // How often to show one; 0: nobody watches.
    [[nodiscard]] std::chrono::milliseconds interval() const {
        return std::chrono::milliseconds(terminal_.interactive ? 100 : 0);
    }

private:
    static constexpr const char* erase_line = "\r\033[K";
    terminal terminal_ = terminal::of(stderr);
};

}  // namespace parley_cli
