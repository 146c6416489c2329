// Numbers as people write them: 20ms, 2k, 3@0.5s.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace parley_cli {

// "1s", "20ms", "5us", "0.5": seconds, above or equal to 0.
[[nodiscard]] std::optional<double> seconds_in(std::string_view text);

// "500", "2k", "1.5M", "1G": a whole number, k = 1000.
[[nodiscard]] std::optional<std::uint64_t> count_in(std::string_view text);

}  // namespace parley_cli
