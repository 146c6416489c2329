// Floods the scheduler with tasks of one length: a balanced binary tree of forks whose leaves are all alike, again and
// again, each tree after the one before, as Wool's stress does. The BIAS paper's section 5 has it with long leaves and
// with short ones.
#pragma once

#include <cstdint>

#include "lab/programs/busy.hpp"
#include "lab/programs/mark.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// Leaves below a node of this height, of which the first has this number; the result is the sum of their marks.
template <class S>
std::uint64_t stress_tree(unsigned height, std::uint64_t first_leaf, std::uint64_t iterations) {
    if (height == 0) {
        spin(iterations);
        return mark(first_leaf);
    }
    const std::uint64_t half = std::uint64_t{1} << (height - 1);
    const auto [left, right] = S::fork_join([=] { return stress_tree<S>(height - 1, first_leaf, iterations); },
                                            [=] { return stress_tree<S>(height - 1, first_leaf + half, iterations); });
    return left + right;
}

struct stress_shape {
    std::uint64_t leaf = 0;  // iterations of each
    unsigned depth = 0;
    std::uint64_t repeats = 0;
};

// Sums of marks are taken modulo this: exact in any JSON reader.
constexpr std::uint64_t stress_modulus = std::uint64_t{1} << 53;

template <class S>
std::uint64_t stress(const stress_shape& shape) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < shape.repeats; ++i) {
        sum += stress_tree<S>(shape.depth, 0, shape.leaf);
    }
    return sum % stress_modulus;
}

// What stress() returns.
[[nodiscard]] std::uint64_t expected_stress(const stress_shape& shape) noexcept;

}  // namespace parley_programs::inline v0
