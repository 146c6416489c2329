// A tree of tasks in which each has ten children, and each leaf a number: the sum of all (the benchmark skynet of
// A. Temerev). Nothing but tasks that begin and end.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// The sum of the leaves' numbers, from `first` on; `leaves` is a power of ten. A scope with ten tasks at each node,
template <class S>
[[nodiscard]] std::uint64_t skynet_by_scopes(std::uint64_t first, std::uint64_t leaves) {
    if (leaves == 1) {
        return first;
    }
    std::array<std::uint64_t, 10> sums{};
    typename S::scope scope;
    for (std::uint64_t child = 0; child < sums.size(); ++child) {
        scope.spawn([sum = &sums[child], from = first + child * (leaves / 10), step = leaves / 10] {
            *sum = skynet_by_scopes<S>(from, step);
        });
    }
    scope.wait();
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

// or a loop of ten.
template <class S>
[[nodiscard]] std::uint64_t skynet_by_loops(std::uint64_t first, std::uint64_t leaves) {
    if (leaves == 1) {
        return first;
    }
    std::array<std::uint64_t, 10> sums{};
    S::for_each_index(std::uint64_t{0}, std::uint64_t{10},
                      [sum = sums.data(), first, step = leaves / 10](std::uint64_t child) {
                          sum[child] = skynet_by_loops<S>(first + child * step, step);
                      });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace parley_programs::inline v0
