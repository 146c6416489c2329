// What is said about a run on ranks.
#pragma once

#include <string>
#include <vector>

#include "cluster/command/options.hpp"

namespace parley_cli {

struct cluster_found {
    unsigned ranks = 0;
    unsigned workers = 0;  // of each rank
    std::vector<parley_programs::cluster::outcome> runs;
    std::string problem;
};

[[nodiscard]] std::string cluster_report(const cluster_options&, const cluster_found&);
[[nodiscard]] parley_programs::cluster::json cluster_line(const cluster_options&, const cluster_found&);
// A line of CSV for each rank of the middle run: what it brought and what it did (figures 2 and 4 of the paper).
[[nodiscard]] std::string cluster_shares(const cluster_found&);
// The timelines of the last run's ranks, as Chrome and Perfetto read them.
[[nodiscard]] std::string cluster_trace(const cluster_found&);

}  // namespace parley_cli
