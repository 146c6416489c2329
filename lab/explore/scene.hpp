// What the scenes of the explorer are made of: ordinary programs over the library, in which a few calls say what is explored
// and what has to hold.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::explore {

struct scene {
    const char* name;
    const char* asks;
    void (*run)();
    unsigned deviations;           // all executions with so many are run
    unsigned seeds = 0;            // and so many random ones
    unsigned changes = 4;          // with so many changes of priorities
    std::uint32_t steps = 20'000;  // an execution that takes more does not end
    unsigned look_us = 20;         // so long each look at the clock takes
};

const std::vector<scene>& scenes();

// While it lives, other threads may go on at each step. Outside, threads go on until they wait.
class explored {
public:
    explored() noexcept;
    ~explored();
    explored(const explored&) = delete;
    explored& operator=(const explored&) = delete;
};

// Ends the execution, and with it the search, where it does not hold.
void check(bool holds, const char* what) noexcept;

// Until all other threads wait, for ever or for a time.
void let_others_wait() noexcept;

// Until another thread has made it so, outside the library: by a program's own loop.
template <class Condition>
void wait_for(const Condition& holds);
void give_way() noexcept;

template <class Condition>
void wait_for(const Condition& holds) {
    while (!holds()) give_way();
}

}  // namespace parley::explore
