// What was decided, and why: for those who look on, and for logs.
#pragma once

#include <broker/policy/ids.hpp>

#include <cstdint>

namespace parley::inline v0::broker {

enum class deed : std::uint8_t {
    gets,   // the core; said by the core's owner
    loses,  // the core; said by the core's owner
    leads,  // the section leads the program from now on; said by it
};

enum class reason : std::uint8_t {
    idle_core,          // it got one that nobody held
    from_inefficient,   // another program wasted it
    from_above_share,   // another program held more than its fair share
    time_shared,        // there was none for it alone
    starts_everywhere,  // programs begin on all cores, as in the paper
    beyond_desire,      // it gave up what it does not desire
    left_shared,        // it gave up a shared core, having a better one
    surplus,            // the core came too late
    ended,              // the program has ended
    joined,
    majority,    // leadership follows the cores
    makes_room,  // another program can use that core and few others
    asleep,      // it does not run
};
inline constexpr reason last_reason = reason::asleep;

struct decision {
    deed what = deed::gets;
    reason why = reason::idle_core;
    program_id program = 0;
    core_id core = 0;
    friend bool operator==(const decision&, const decision&) = default;
};

[[nodiscard]] constexpr const char* name_of(reason r) noexcept {
    switch (r) {
        case reason::idle_core: return "idle-core";
        case reason::from_inefficient: return "from-inefficient";
        case reason::from_above_share: return "from-above-share";
        case reason::time_shared: return "time-shared";
        case reason::starts_everywhere: return "starts-everywhere";
        case reason::beyond_desire: return "beyond-desire";
        case reason::left_shared: return "left-shared";
        case reason::surplus: return "surplus";
        case reason::ended: return "ended";
        case reason::joined: return "joined";
        case reason::majority: return "majority";
        case reason::makes_room: return "makes-room";
        case reason::asleep: return "asleep";
    }
    return "";
}

}  // namespace parley::inline v0::broker
