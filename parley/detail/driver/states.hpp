// Words that the wait loop, its hosts and people share: what a worker does, and what a wait is for.
#pragma once

#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

enum class doing : std::uint8_t {
    useful,  // runs a task; of worker 0 also: is outside of the runtime, where only the system knows whether its thread runs
    stealing,  // looks for a task
    mugging,   // waits for an answer that somebody is about to send
    parked,    // asleep, or suspended
};

// Does a worker that is to go take a job because nobody else does (resizing.hpp)?
enum class hand : std::uint8_t {
    no,
    offered,  // it takes the next job
    lent,     // it does what came of that job
};

enum class wait_state : std::uint8_t { awake, asleep, suspended };

// The time at which a wait ends at the latest.
using deadline = std::chrono::steady_clock::time_point;

inline constexpr deadline no_deadline = deadline::max();

// What a wait is for, in words for people (runtime/complaints.hpp and dump.cpp).
enum class awaited : std::uint8_t {
    nothing,  // the worker is between two tasks, and idle
    something,
    future,
    scope,
    forked_call,
    loop,
    children,  // of a task of tasking.h
    barrier,
    end_of_runtime,
    end_of_process,
    stream,
    own_suspended_waits,  // of a thread that leaves the runtime
    other_runtime,        // of a thread that works in a second runtime, and waits there
};

[[nodiscard]] constexpr const char* name_of(awaited what) noexcept {
    switch (what) {
        case awaited::nothing: return "a task to begin";
        case awaited::future: return "a future";
        case awaited::scope: return "a scope";
        case awaited::forked_call: return "a forked call";
        case awaited::loop: return "the end of a loop";
        case awaited::children: return "a task's children";
        case awaited::barrier: return "all tasks at a barrier";
        case awaited::end_of_runtime: return "all tasks at the end of the runtime";
        case awaited::end_of_process: return "all tasks at the end of the process";
        case awaited::stream: return "a stream";
        case awaited::own_suspended_waits: return "the waits that are suspended on it";
        case awaited::other_runtime: return "what its thread waits for in another runtime";
        case awaited::something: break;
    }
    return "something";
}

// A condition of wait_loop() has a member `awaits` for this.
template <class Condition>
[[nodiscard]] constexpr awaited what_awaits(const Condition& condition) noexcept {
    if constexpr (requires { condition.awaits; }) return condition.awaits;
    else return awaited::something;
}

}  // namespace parley::inline v0::threading
