// Which seeds a test runs that tries many.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <ranges>

namespace parley_tests {

// A variable of the environment that is a number; what is none counts as 0.
inline std::optional<std::uint64_t> number_from_environment(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::strtoull(value, nullptr, 10);
}

// 1, 2, 3, ..., `usual` of them. PARLEY_SIM_SEED: only this one. PARLEY_SIM_SEEDS: so many per case instead of `usual`,
// from PARLEY_SIM_FIRST on.
inline auto seeds(std::uint64_t usual) {
    const auto one = number_from_environment("PARLEY_SIM_SEED");
    const std::uint64_t first = one.value_or(number_from_environment("PARLEY_SIM_FIRST").value_or(1));
    const std::uint64_t count = one ? 1 : number_from_environment("PARLEY_SIM_SEEDS").value_or(usual);
    return std::views::iota(first, first + count);
}

}  // namespace parley_tests
