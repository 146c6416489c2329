// What a machine (machine.hpp) keeps in each worker and in each runtime beside itself, what may be chosen of it, and what it
// asks of threads beside medium.hpp. Apart from the machine, so that what users include needs no more.
#pragma once

#ifdef PARLEY_MACHINE_PARTS
#include PARLEY_MACHINE_PARTS
#else

namespace parley::inline v0::protocol {

// Do requests go round until they are answered? Here they rest.
inline constexpr bool requests_circulate = false;

// What may be chosen of it beside what every machine has: nothing.
struct machine_choices {
    friend bool operator==(const machine_choices&, const machine_choices&) = default;
};

template <class Task, class Mailbox>
struct part_of_worker {
    // For people. `is_idle`: what the worker has said.
    static constexpr const char* standing(bool is_idle) noexcept { return is_idle ? "idle" : "active"; }
};
template <class Task>
struct part_of_runtime {};
template <class Medium>
class part_of_medium {
public:
    // Of what has come through a task channel.
    template <class Task>
    static constexpr bool has_come(const Task*) noexcept {
        return true;
    }
};

}  // namespace parley::inline v0::protocol

#endif
