// What `parley broker run` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command/verbs.hpp"

namespace parley_cli {

struct led_run {
    std::optional<std::string> socket;  // none: without a broker
    std::uint32_t weight = 1;
    std::string name;
    bool verbose = false;
    arguments command;
};

// Empty if only help was asked for, and printed. Throws usage_error and parley::environment_error.
[[nodiscard]] std::optional<led_run> parse_led_run(arguments args);

}  // namespace parley_cli
