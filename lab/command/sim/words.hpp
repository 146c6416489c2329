// How all simulations say what they have found.
#pragma once

#include <fmt/format.h>

#include <lab/sim/timed/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_cli {

[[nodiscard]] inline double seconds(parley::sim::timed::duration d) { return static_cast<double>(d) * 1e-12; }

[[nodiscard]] inline std::string seconds_text(double s) {
    return s >= 1      ? fmt::format("{:.4f} s", s)
           : s >= 1e-3 ? fmt::format("{:.4f} ms", s * 1e3)
                       : fmt::format("{:.3f} us", s * 1e6);
}
[[nodiscard]] inline std::string time_text(parley::sim::timed::duration d) { return seconds_text(seconds(d)); }

[[nodiscard]] inline double ratio(double a, double b) { return b > 0 ? a / b : 0.0; }
[[nodiscard]] inline double ratio(std::uint64_t a, std::uint64_t b) {
    return ratio(static_cast<double>(a), static_cast<double>(b));
}

// Of the first column of a sweep's table.
[[nodiscard]] inline std::size_t swept_width(const std::string& name, const std::vector<std::string>& values) {
    std::size_t most = std::max<std::size_t>(10, name.size());
    for (const std::string& v : values) most = std::max(most, v.size());
    return most;
}

[[nodiscard]] inline std::string parameters_text(const parley_programs::json& parameters) {
    std::string text;
    for (const auto& [key, value] : parameters.items()) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key,
                            value.is_string() ? value.get<std::string>() : value.dump());
    }
    return text;
}

}  // namespace parley_cli
