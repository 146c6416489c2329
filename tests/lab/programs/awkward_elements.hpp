// Sequences that a choice of pivots or of cuts may stumble over.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <parley/detail/base/rng.hpp>
#include <vector>

#include "lab/programs/sorting.hpp"

namespace parley_tests {

using elements = std::vector<parley_programs::sort_element>;

inline elements random_elements(std::size_t n, std::uint32_t different) {
    parley::base::rng random(n);
    elements all(n);
    for (parley_programs::sort_element& e : all) {
        e = static_cast<parley_programs::sort_element>(random.below(different)) - 1000;
    }
    return all;
}

inline std::vector<elements> awkward(std::size_t n) {
    std::vector<elements> all{random_elements(n, 1U << 31), random_elements(n, 3),        elements(n, 7),
                              random_elements(n, 1U << 31), random_elements(n, 1U << 31), elements(n)};
    std::sort(all[3].begin(), all[3].end());
    std::sort(all[4].rbegin(), all[4].rend());
    for (std::size_t i = 0; i < n; ++i) {
        using limits = std::numeric_limits<parley_programs::sort_element>;
        constexpr std::array<parley_programs::sort_element, 4> extremes{limits::max(), 0, -1, limits::min()};
        all[5][i] = extremes[i % extremes.size()];
    }
    return all;
}

inline elements sorted(elements all) {
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace parley_tests
