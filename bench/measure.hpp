// Interleaved measurements: the runs that are compared alternate, so that a machine that slows down
// slows down both; what is quoted are medians and the median of the ratios of neighbours.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

namespace parley_bench {

using clock = std::chrono::steady_clock;

template <class F>
double seconds(F&& work) {
    const auto begin = clock::now();
    work();
    return std::chrono::duration<double>(clock::now() - begin).count();
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct interval {
    double low = 0;
    double middle = 0;
    double high = 0;
};

// The median and its 95% interval from order statistics (the binomial distribution with p = 1/2,
// normal approximation); no assumption about how the values are distributed.
inline interval median_interval(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    const double half_width = 0.98 * std::sqrt(n);
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - half_width)));
    const auto high =
        static_cast<std::size_t>(std::min(n - 1, std::ceil(n / 2 + half_width) - 1));
    return {values[low], median(values), values[high]};
}

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
