// For the few tests that compare times: short bursts in turn, the best of each. Other load and slow
// states of the processor only ever add time.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace parley_tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool is_measurable = false;
#elif defined(__has_feature)
constexpr bool is_measurable =
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool is_measurable = true;
#endif

template <class Burst>
double seconds_of(Burst& burst) {
    const auto start = std::chrono::steady_clock::now();
    burst();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of the best burst of each.
template <class First, class Second>
std::pair<double, double> best_of(int bursts, First&& first, Second&& second) {
    std::pair best(std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
    for (int i = 0; i < bursts; ++i) {
        best.first = std::min(best.first, seconds_of(first));
        best.second = std::min(best.second, seconds_of(second));
    }
    return best;
}

}  // namespace parley_tests
