// What `parley cluster PROGRAM` is asked for.
#pragma once

#include <chrono>
#include <optional>
#include <parley/cluster/options.hpp>
#include <span>
#include <string>
#include <vector>

#include "lab/programs/cluster/program.hpp"

namespace parley_cli {

struct lost {
    unsigned rank = 0;
    double at = 0;  // seconds
};

struct cluster_options {
    const parley_programs::cluster::program* what = nullptr;
    parley_programs::cluster::json parameters;  // all of the program's
    parley_programs::cluster::json tuning;      // all of the group's, in words
    parley::cluster::options how;
    unsigned repeat = 3;
    unsigned local = 0;  // ranks that are threads of this process; 0: over MPI
    std::vector<lost> losses;
    bool redoes_lost = false;
    bool by_masters = false;
    double connect_seconds = 0;                // what a connection costs, in simulation
    std::chrono::milliseconds tells_every{0};  // how far it is; 0: only to a terminal
    std::string json_file;
    std::string trace_file;
    std::string shares_file;
};

// Empty if only help was wanted, and printed. Throws usage_error. `speaks` is whether this rank prints.
[[nodiscard]] std::optional<cluster_options> parse_cluster(std::span<const char* const> arguments, bool speaks);

}  // namespace parley_cli
