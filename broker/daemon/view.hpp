// What one section shows to those who look on.
#pragma once

#include <broker/client/packets.hpp>
#include <broker/policy/classes.hpp>
#include <broker/policy/decision.hpp>

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace parley::inline v0::broker::service {

struct program_view {
    program_id program = 0;
    pid_t pid = 0;
    user_id user = 0;
    std::string name;
    program_class judged = program_class::satisfied;
    std::uint32_t desire = 0;
    std::uint32_t cores = 0;
    bool is_asleep = false;
    nanoseconds held = 0, useful = 0;  // in the last quantum
};

struct core_view {
    std::uint32_t number = 0;  // the system's
    std::uint32_t holders = 0;
    program_id first = 0;  // of them; 0: none
};

struct event {
    nanoseconds when = 0;
    event_kind what = event_kind::gets;
    reason why = reason::idle_core;
    program_id program = 0;
    std::uint32_t number = 0;  // of the core, the system's
};

struct section_view {
    section_id section = 0;
    std::vector<program_view> led;
    std::vector<core_view> cores;
    std::vector<event> events;  // the last ones, oldest first
};

}  // namespace parley::inline v0::broker::service
