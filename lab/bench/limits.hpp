// What the machine itself takes: a cache line that goes to the other core and back, a thread that is
// woken and wakes.
#pragma once

#include "lab/bench/measure.hpp"

namespace parley_bench {

// Seconds per round trip of one cache line between two spinning threads.
double cache_line_round_trip(int rounds);

// Seconds per round trip of two threads that sleep on futexes and wake each other.
double futex_round_trip(int rounds);

// Binds the calling thread to the i-th processor of its affinity mask.
void pin_this_thread(int i);

}  // namespace parley_bench
