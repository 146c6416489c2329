// How far schedulers stay behind the best one, as the thesis ranks them (section 6.10, tables 6.1 to 6.3).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace parley_cli {

// One row for each workload, in it one place for each scheduler: empty where the scheduler did not run it.
using table_of_figures = std::vector<std::vector<std::optional<double>>>;

struct standing {
    std::size_t scheduler = 0;  // its place in the rows
    double average = 0.0;       // of its deviations; places that are empty do not count
    double farthest = 0.0;      // the deviation that is the farthest from the best
    std::size_t where = 0;      // in which row that is
    std::size_t workloads = 0;  // how many it ran
};

struct ranking {
    table_of_figures deviations;      // in percent: 0 for the best of a row, -x if x percent lower than that
    std::vector<standing> standings;  // the best average first; without schedulers that ran nothing
};

// All rows have as many places.
[[nodiscard]] ranking rank(const table_of_figures& speedups);

}  // namespace parley_cli
