// Ways to divide a machine's cores, each with the same mixes of programs.
#pragma once

#include <lab/sim/program_mixes.hpp>
#include <lab/sim/virtual_programs.hpp>

#include <functional>
#include <string>
#include <vector>

namespace parley::inline v0::sim {

struct known_way {
    std::string key;  // one word
    sharing_way how;
};

// Time-sharing by the system with workers that spin and with workers that park, equal parts, figure 3 of the BIAS paper,
// and the broker's default, which is the last: others are compared with it.
[[nodiscard]] const std::vector<known_way>& known_ways();

using series = std::vector<double>;  // by seed, from 1

// One way over all seeds.
struct sharing_series {
    std::string key, name;
    series makespan, flow, slowdown, wasted, moves, messages;
};

// Throws timed::stopped when `stops` says so, and std::runtime_error for a run that breaks a promise (what_is_wrong()).
[[nodiscard]] sharing_series over_seeds(const program_mix&, const known_way&, int seeds, const virtual_machine&,
                                        const std::function<bool()>& stops = {});

// What no way can beat: all cores busy from the first arrival on, and each program alone.
[[nodiscard]] sharing_series lower_bounds(const program_mix&, int seeds, const virtual_machine&);

// Of the same seeds.
[[nodiscard]] series ratios(const series& a, const series& b);

// Every program ends, none before it could alone, and all together not before their work could be done. Empty: so it was.
[[nodiscard]] std::string what_is_wrong(const sharing_report&, const std::vector<virtual_program>&, const virtual_machine&);

}  // namespace parley::inline v0::sim
