// What ranks in virtual time have to do.
#pragma once

#include <lab/sim/virtual_ranks.hpp>

#include <cstdint>
#include <functional>
#include <string>

#include "lab/programs/program.hpp"
#include "lab/programs/uts_tree.hpp"

namespace parley_cli {

struct rank_tasks {
    parley::sim::virtual_work work;
    std::uint64_t tasks = 0;  // in all
    // What a run has found, once it has ended; the known values.
    std::function<parley_programs::json()> result;
    parley_programs::json known;
};

// DLB_Bench: rank r brings tasks of equal length by a profile, `each` of them on average.
[[nodiscard]] rank_tasks dlb_tasks(std::uint32_t ranks, const std::string& profile, std::uint64_t each, double seconds);

// A tree by its nodes' real hashes: each node is a task, rank 0 brings the root.
[[nodiscard]] rank_tasks uts_tasks(std::uint32_t ranks, const parley_programs::uts::tree&, double seconds);

}  // namespace parley_cli
