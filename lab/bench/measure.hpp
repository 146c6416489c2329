// Interleaved measurements: the runs that are compared alternate, so that a machine that slows down
// slows down both; what is quoted are medians and the median of the ratios of neighbours.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "command/statistics.hpp"

namespace parley_bench {

using clock = std::chrono::steady_clock;

template <class F>
double seconds(F&& work) {
    const auto begin = clock::now();
    work();
    return std::chrono::duration<double>(clock::now() - begin).count();
}

using parley_cli::interval;
using parley_cli::median_interval;

struct pair_of_runs {
    std::vector<double> first;
    std::vector<double> second;
    [[nodiscard]] interval ratio() const {  // first / second
        std::vector<double> ratios;
        for (std::size_t i = 0; i < first.size(); ++i) ratios.push_back(first[i] / second[i]);
        return median_interval(ratios);
    }
};

template <class F, class G>
pair_of_runs interleave(int pairs, F&& first, G&& second) {
    pair_of_runs runs;
    (void)first();  // the first of each is a warm-up
    (void)second();
    for (int i = 0; i < pairs; ++i) {
        if (i % 2 == 0) runs.first.push_back(first());
        runs.second.push_back(second());
        if (i % 2 == 1) runs.first.push_back(first());
    }
    return runs;
}

}  // namespace parley_bench
