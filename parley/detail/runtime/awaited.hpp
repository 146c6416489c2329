// What a wait is for, in words for people: see complaints.hpp and dump.cpp.
#pragma once

#include <cstdint>

namespace parley::inline v0::threading {

enum class awaited : std::uint8_t {
    nothing,  // a worker between two tasks: it is idle
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

// A condition of wait_loop() says it by a member `awaits`.
template <class Condition>
[[nodiscard]] constexpr awaited what_awaits(const Condition& condition) noexcept {
    if constexpr (requires { condition.awaits; }) return condition.awaits;
    else return awaited::something;
}

}  // namespace parley::inline v0::threading
