// All executions of a scene with at most so many deviations, and random ones.
//
// A deviation is tried where it can matter: before a step on an object to which another thread comes later in that
// execution, one of both changing it, and where a thread waits and several could go on. Elsewhere it may as well come later,
// unless it makes another thread come to that object for the first time. So single deviations may be tried at every step,
// too.
#pragma once

#include <lab/explore/execution.hpp>
#include <lab/explore/report.hpp>
#include <lab/explore/scene.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explore {

struct finding {
    schedule how;
    std::string what;
};

struct search_result {
    std::vector<std::uint64_t> executions;  // with 0, 1, 2 ... deviations
    std::uint64_t random = 0;
    std::uint64_t steps = 0;
    bool is_complete = true;  // of those with so many deviations
    std::optional<finding> found;
};

struct search_limits {
    unsigned deviations = 0;
    bool every_step = false;  // single deviations also where nobody comes to that object later
    unsigned seeds = 0;
    std::uint64_t first_seed = 1;
    std::uint64_t executions = 0;  // no more than so many without randomness; 0: all
    double seconds = 0;            // nor any that begins after so long; 0: all
};

// Throws std::runtime_error where an execution is not repeated by its schedule.
search_result search(executions& process, const scene& what, const search_limits& limits);

// "12:1,40:2", and back. Throws std::invalid_argument.
std::string text_of(const schedule& s);
schedule schedule_of(const std::string& text);

}  // namespace parley::explore
