// How long something takes, for calibration.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ratio>
#include <utility>
#include <vector>

namespace parley_cli {

using stopwatch = std::chrono::steady_clock;

[[nodiscard]] inline double nanoseconds_since(stopwatch::time_point begin) {
    return std::chrono::duration<double, std::nano>(stopwatch::now() - begin).count();
}

[[nodiscard]] inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Nanoseconds that one of `n` takes: all_of_them() does them all. The median of some trials.
template <class All>
[[nodiscard]] double each_takes(double n, const All& all_of_them) {
    constexpr int trials = 11;
    std::vector<double> found;
    for (int i = 0; i < trials; ++i) {
        const auto begin = stopwatch::now();
        all_of_them();
        found.push_back(nanoseconds_since(begin) / n);
    }
    return median(std::move(found));
}

// The compiler must compute it.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace parley_cli
