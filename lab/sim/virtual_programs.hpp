// Programs in virtual time that share a machine's cores: under the broker's own sections and policies, or without.
// Deterministic: the same settings give the same run.
//
// What is modelled: a program is a row of phases, each with work and a number of cores beyond which more are of no use.
// Work moves between a program's cores at no cost, so only time-sharing and moves cost. A worker with nothing to do
// parks; without a broker it may spin instead. Not modelled: what a steal costs, caches, memory bandwidth, the time
// until a worker has left its core.
#pragma once

#include <broker/policy/feedback.hpp>
#include <broker/policy/ownership.hpp>
#include <broker/policy/policy.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

struct program_phase {
    double work = 0.0;        // in seconds of one core
    std::uint32_t width = 1;  // cores that it can use
};

struct virtual_program {
    double arrives = 0.0;  // in seconds
    std::vector<program_phase> phases;
    std::uint32_t weight = 1;
};

struct virtual_machine {
    std::uint32_t cores = 48;  // as figure 4 of the paper
    std::uint32_t sections = 4;
    double sharing_loss = 0.1;  // part of a core's work that is lost while several programs run on it
    double move_cost = 0.0005;  // seconds of one core, for each core that a program gets
};

enum class sharing_rule : std::uint8_t {
    spinning,  // the system time-shares; each program has a worker for each core that never sleeps
    parking,   // the system time-shares; workers without work sleep
    equal,     // equal parts for those that are there, whatever they do with them
    brokered,  // sections and a policy
};

struct sharing_way {
    std::string name;
    sharing_rule rule = sharing_rule::parking;
    std::shared_ptr<const broker::policy> policy = nullptr;
    double quantum = 0.05;  // seconds
};

struct sharing_report {
    double makespan = 0.0;        // until the last program has ended, in seconds
    double mean_flow = 0.0;       // from arrival to end
    double worst_slowdown = 0.0;  // flow time divided by that alone on the machine
    double wasted = 0.0;          // core-seconds held and not used
    std::uint64_t moves = 0;      // cores that programs got
    std::uint64_t messages = 0;   // between sections
    bool ended = true;            // false: cut off after 1e5 virtual seconds
    std::vector<double> ends;     // of each program
};

[[nodiscard]] sharing_report run_sharing(const std::vector<virtual_program>&, const virtual_machine&, const sharing_way&);

// As long as it takes alone.
[[nodiscard]] double time_alone(const virtual_program&, std::uint32_t cores);

}  // namespace parley::inline v0::sim
