#include "lab/programs/farm_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace parley_programs {

namespace {

// Seconds until a processor that has been idle is as fast as it gets.
constexpr double enough = 0.02;

}  // namespace

double seconds_of(const std::function<void()>& work) {
    using clock = std::chrono::steady_clock;
    const auto since = [](clock::time_point t) { return std::chrono::duration<double>(clock::now() - t).count(); };
    double shortest = 0.0;
    const auto start = clock::now();
    for (int calls = 0; calls < 5 || since(start) < enough; ++calls) {
        const auto begin = clock::now();
        work();
        const double took = since(begin);
        shortest = calls == 0 ? took : std::min(shortest, took);
    }
    return shortest;
}

double model_speedup(const std::vector<double>& seconds_of_lanes) {
    const double slowest = *std::max_element(seconds_of_lanes.begin(), seconds_of_lanes.end());
    double sum = 0.0;
    for (const double seconds : seconds_of_lanes) sum += slowest / seconds;
    return sum / static_cast<double>(seconds_of_lanes.size());
}

double farm_model::speedup() const {
    std::vector<double> all(lanes, others);
    all.back() = last;
    return model_speedup(all);
}

double farm_model::round_robin(std::uint64_t items) const {
    return static_cast<double>(items) * std::max(others, last) / lanes;
}

std::vector<std::string> farm_model::beside(double measured_seconds, std::uint64_t items) const {
    return {fmt::format("the paper's model: lanes of {:.3f} ms and the last one of {:.3f} ms, S = sum(s_i) / (p s_1) = "
                        "{:.2f}",
                        others * 1e3, last * 1e3, speedup()),
            fmt::format("ideal round robin on {} lanes that have a processor each: {:.3f} s; measured here: S = {:.2f}",
                        lanes, round_robin(items), round_robin(items) / measured_seconds)};
}

}  // namespace parley_programs
