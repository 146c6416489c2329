#include "lab/command/deviations.hpp"

#include <algorithm>

namespace parley_cli {
namespace {

std::vector<std::optional<double>> deviations_in(const std::vector<std::optional<double>>& speedups) {
    // An empty place is less than any figure.
    const auto best = std::max_element(speedups.begin(), speedups.end());
    std::vector<std::optional<double>> found;
    for (const std::optional<double>& speedup : speedups) {
        found.push_back(speedup ? std::optional(100.0 * (*speedup / **best - 1.0)) : std::nullopt);
    }
    return found;
}

standing standing_of(std::size_t scheduler, const table_of_figures& deviations) {
    standing s;
    s.scheduler = scheduler;
    double sum = 0.0;
    for (std::size_t row = 0; row < deviations.size(); ++row) {
        const std::optional<double>& deviation = deviations[row][scheduler];
        if (!deviation) {
            continue;
        }
        if (s.workloads == 0 || *deviation < s.farthest) {
            s.farthest = *deviation;
            s.where = row;
        }
        sum += *deviation;
        ++s.workloads;
    }
    s.average = s.workloads > 0 ? sum / static_cast<double>(s.workloads) : 0.0;
    return s;
}

}  // namespace

ranking rank(const table_of_figures& speedups) {
    ranking r;
    for (const auto& row : speedups) {
        r.deviations.push_back(deviations_in(row));
    }
    const std::size_t schedulers = speedups.empty() ? 0 : speedups.front().size();
    for (std::size_t i = 0; i < schedulers; ++i) {
        const standing s = standing_of(i, r.deviations);
        if (s.workloads > 0) {
            r.standings.push_back(s);
        }
    }
    std::stable_sort(r.standings.begin(), r.standings.end(),
                     [](const standing& a, const standing& b) { return a.average > b.average; });
    return r;
}

}  // namespace parley_cli
