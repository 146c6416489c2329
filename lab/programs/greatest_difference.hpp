// How far apart two sequences of numbers are.
#pragma once

#include <span>

namespace parley_programs {

// Infinite where one of them is not a number. Both have the same length.
[[nodiscard]] double greatest_difference(std::span<const double> a, std::span<const double> b) noexcept;

}  // namespace parley_programs
