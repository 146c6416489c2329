// Ranks in virtual time: the cluster's own protocol (cluster/node.hpp) on a simulated network, one event after the
// other. Deterministic: the same settings and seed give the same run. Ranks may be slow, messages late, ranks lost.
#pragma once

#include <parley/cluster/node.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/statistics.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace parley::inline v0::sim {

// Seconds and bytes. The defaults are a 100 Gbit/s network.
struct network {
    double latency = 1e-6;
    double bandwidth = 12.5e9;  // of a rank's link, in bytes per second
    double connect = 0.0;       // a pair's first message takes this much longer
    double handling = 0.5e-6;   // a rank needs this for each message that it sends or receives
    double most_delay = 0.0;    // each message is late by up to this much; those of one pair keep their order
};

struct virtual_task {
    cluster::position owner = 0;
    std::uint64_t id = 0;
    double seconds = 0.0;
    std::uint64_t state = 0;  // of what it spawns
};

struct lost_rank {
    cluster::position rank = 0;
    double at = 0.0;
};

struct virtual_work {
    cluster::position ranks = 1;
    // What rank r brings.
    std::function<std::vector<virtual_task>(cluster::position r)> tasks;
    // What a task adds when it ends; such tasks have no result. Needs termination::waves.
    std::function<void(const virtual_task&, std::vector<virtual_task>&)> spawns;
    std::size_t task_bytes = 64;
    std::size_t result_bytes = 8;
    std::vector<lost_rank> lost;  // their own tasks are lost with them; the others' are done again
    double stall_chance = 0.0;    // that a rank does nothing at all after a task, for stall_seconds
    double stall_seconds = 0.0;
    std::uint64_t seed = 1;
    std::function<bool()> stops = {};  // asked now and then; true: the run throws timed::stopped
};

struct virtual_report {
    double seconds = 0.0;       // until the last rank knew that all is done
    double work_seconds = 0.0;  // of all tasks
    double last_task = 0.0;     // when it ended
    double announced = 0.0;     // when the first rank knew that all is done
    double detected = 0.0;      // when the last rank knew
    bool early = false;         // that was said while a task was open or a result on its way
    double closed = 0.0;
    std::uint64_t tasks_run = 0;
    std::uint64_t results_missing = 0;  // of ranks that live
    std::uint64_t results_doubled = 0;  // that came more often than once
    bool left_behind = false;           // a message was still on its way when all had closed
    // False: the ranks had not closed when nothing could happen any more, or long after the last task.
    bool ended = true;
    std::uint64_t beyond_overlay = 0;  // messages between ranks that are no neighbours
    cluster::statistics total;
    std::vector<double> busy;      // seconds in tasks, by rank
    std::vector<double> began;     // its first task, by rank; infinity: it had none
    std::uint64_t neighbours = 0;  // of all ranks
    [[nodiscard]] double efficiency() const { return work_seconds / (seconds * static_cast<double>(busy.size())); }
};

[[nodiscard]] virtual_report run_virtual(const virtual_work&, const cluster::options&, const network& = {});

}  // namespace parley::inline v0::sim
