// Scheduling points: where a thread under the explorer says what it is about to do, and another one may go on first.
#pragma once

#include <cstdint>

namespace parley::explore {

enum class does : std::uint8_t {
    reads,
    writes,
    changes,  // reads and writes
    locks,
    unlocks,
    tries_lock,
    waits,  // in the kernel, or by a condition variable
    wakes,
    begins_thread,
    joins,
    gives_way,
    is_blocked,  // some other thread has to go on
    is_signalled,
    ends,
};

// Before the step. Outside an execution it does nothing.
void point(does what, const void* object) noexcept;

}  // namespace parley::explore
