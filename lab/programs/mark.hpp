// What iterations of a loop leave behind, so that its result shows each one that is left out or done twice.
#pragma once

#include <cstdint>
#include <parley/detail/base/rng.hpp>

namespace parley_programs::inline v0 {

// From 1 to 2^24: sums of a hundred million of them are whole numbers below 2^53, exact in any JSON reader.
[[nodiscard]] inline std::uint32_t mark(std::uint64_t i) noexcept {
    return static_cast<std::uint32_t>((parley::base::rng(i).next() >> 40) + 1);
}

// Of the iterations [0, n), each done once.
[[nodiscard]] inline std::uint64_t sum_of_marks(std::uint64_t n) noexcept {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        sum += mark(i);
    }
    return sum;
}

}  // namespace parley_programs::inline v0
