#include "command/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley_cli {
namespace {

double percentile(const std::vector<double>& sorted, double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

summary summarise(const std::vector<double>& samples) {
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    const auto count = static_cast<double>(sorted.size());
    summary s;
    s.min = sorted.front();
    s.p10 = percentile(sorted, 0.1);
    s.median = percentile(sorted, 0.5);
    s.p90 = percentile(sorted, 0.9);
    s.max = sorted.back();
    s.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
    if (sorted.size() > 1) {
        double squares = 0.0;
        for (const double x : sorted) {
            squares += (x - s.mean) * (x - s.mean);
        }
        s.sem = std::sqrt(squares / (count - 1.0) / count);
    }
    return s;
}

double median_of(const std::vector<double>& samples) { return summarise(samples).median; }

interval median_interval(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    const auto n = static_cast<double>(samples.size());
    const double half_width = 0.98 * std::sqrt(n);
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - half_width)));
    const auto high = static_cast<std::size_t>(std::min(n - 1, std::ceil(n / 2 + half_width) - 1));
    return {samples[low], percentile(samples, 0.5), samples[high]};
}

std::size_t index_of_median(const std::vector<double>& samples) {
    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return samples[a] < samples[b]; });
    return order[(order.size() - 1) / 2];
}

}  // namespace parley_cli
