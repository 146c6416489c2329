// What tests of weighing tell it: costs, how long blocks of loops took, and where tasks were forked.
#pragma once

#include <parley/detail/policy/weighing.hpp>

#include <chrono>
#include <cstdint>

namespace parley_tests {

using clock_point = parley::threading::weighing::clock::time_point;

// To feed a thief costs 1.5 us at first, and to wake one 50 us.
inline parley::threading::weighing costs() { return {}; }

// Stack frames, and functions that run tasks.
inline constexpr std::uintptr_t here = 0x5000, deeper = 0x4000, above = 0x6000;
inline constexpr std::uintptr_t one_task = 0x10, another_task = 0x20;

// What block_length.hpp tells of blocks.
struct told {
    clock_point began;
    float per_iteration;
    std::chrono::nanoseconds for_so_long;
    std::chrono::nanoseconds per_block{};
    [[nodiscard]] clock_point first() const { return began; }
    [[nodiscard]] float each() const { return per_iteration; }
    [[nodiscard]] std::chrono::nanoseconds block() const { return per_block; }
    [[nodiscard]] std::chrono::nanoseconds so_far() const { return for_so_long; }
};

}  // namespace parley_tests
