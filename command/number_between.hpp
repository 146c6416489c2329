// A check of options that are numbers with a fraction.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "command/usage.hpp"

namespace parley_cli {

// Unlike CLI::Range, which lets NaN pass.
[[nodiscard]] inline CLI::Validator number_between(double low, double high) {
    const auto complaint = [low, high](const std::string& typed) -> std::string {
        double number = 0;
        const bool is_allowed = CLI::detail::lexical_cast(typed, number) && number >= low && number <= high;
        return is_allowed
                   ? ""
                   : fmt::format("{} is not allowed; allowed: a number from {:.15g} to {:.15g}", shown(typed), low, high);
    };
    return {complaint, ""};
}

}  // namespace parley_cli
