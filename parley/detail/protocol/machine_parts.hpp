// A machine (machine.hpp) keeps these parts in each worker, each runtime and each medium. They are apart from it, so
// that users' programs include no more than the parts.
#pragma once

#ifdef PARLEY_MACHINE_PARTS
#include PARLEY_MACHINE_PARTS
#else

namespace parley::inline v0::protocol {

// True: requests go round until they are answered. False: they rest in the lobby.
inline constexpr bool requests_circulate = false;

// This machine has no choices of its own.
struct machine_choices {
    friend bool operator==(const machine_choices&, const machine_choices&) = default;
};

template <class Task, class Mailbox>
struct part_of_worker {
    // Names the worker's state for people. `is_idle`: the worker has published that it is idle.
    static constexpr const char* standing(bool is_idle) noexcept { return is_idle ? "idle" : "active"; }
};
template <class Task>
struct part_of_runtime {};
template <class Medium>
class part_of_medium {
public:
    // Every message in a task channel is an answer. Other machines send messages without tasks.
    template <class Task>
    static constexpr bool has_come(const Task*) noexcept {
        return true;
    }
};

}  // namespace parley::inline v0::protocol

#endif
