// The events of a timeline.
#pragma once

#include <cstdint>

namespace parley::inline v0::trace {

// Each event has a number beside it.
enum class happening : std::uint8_t {
    run_begins,
    run_ends,  // a visit of worker 0
    task_begins,
    task_ends,  // tasks taken from a deque; what a join calls is part of its caller
    search_begins,
    search_ends,  // a search for tasks
    sleep_begins,
    sleep_ends,
    giving_begins,
    giving_ends,  // tasks are given to the thief of the request with that number
    getting_begins,
    getting_ends,
    job_begins,
    job_ends,  // receiving a task from outside
    split,     // so many iterations were given away
};

}  // namespace parley::inline v0::trace
