// The paper's model of a farm with unequal workers (Moniruzzaman and Idrees 2015, section III-A), beside what was
// measured.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley_programs {

// Seconds: the shortest of five calls or more.
[[nodiscard]] double seconds_of(const std::function<void()>& work);

// Equation (2) for any lanes, by the seconds that each takes for an item: S = sum(s_i) / (p s_1), with the speeds
// s_i = 1 / seconds, s_1 the slowest one: how many times as fast as round robin a farm is that loses nothing.
[[nodiscard]] double model_speedup(const std::vector<double>& seconds_of_lanes);

// p workers, the last of which may take another time for an item than the others.
struct farm_model {
    unsigned lanes = 1;
    double others = 0.0;  // seconds per item
    double last = 0.0;

    // Equation (2).
    [[nodiscard]] double speedup() const;
    // Seconds that round robin takes if each worker has a processor.
    [[nodiscard]] double round_robin(std::uint64_t items) const;

    // Lines for people.
    [[nodiscard]] std::vector<std::string> beside(double measured_seconds, std::uint64_t items) const;
};

}  // namespace parley_programs
