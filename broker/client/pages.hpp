// What a program and the broker tell each other without messages: two pages of memory, each written by one side and
// read by the other. No lock lies in them: who reads copies and looks whether it was written meanwhile, so a program
// that dies, stops or lies while it writes stops nobody.
//
// The broker makes both as sealed memfds: their sizes never change, and the allotment page can be mapped for writing by
// the broker alone. Times are CLOCK_MONOTONIC's, in nanoseconds.
#pragma once

#include <broker/policy/classes.hpp>
#include <broker/policy/ids.hpp>
#include <parley/detail/sync/versioned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::broker {

inline constexpr std::uint32_t most_cores = 1024;
inline constexpr std::uint32_t most_page_workers = 1024;
using part32 = sync::record_part<std::uint32_t>;
using part64 = sync::record_part<std::uint64_t>;
using core_words = std::array<part64, most_cores / 64>;

// Written by the broker. Its copy is whole if `generation` was even and the same before and after.
struct allotment_page {
    part32 generation{0};  // odd while it is written
    part32 cores{0};       // how many bits are set in the two masks together
    core_words alone{};    // cores, by the system's numbers, that the program has for itself
    core_words shared{};   // and those that it shares with other programs
    part32 desire{0};
    part32 judged{0};  // program_class
    // Gang scheduling (gang.hpp) of the shared cores; slot_length 0: no turns.
    part64 slot_phase{0}, slot_length{0};
    part32 slot_period{1}, first_slot{0}, own_slots{1};
    part64 heartbeat{0};  // when the broker last looked at the program: for people, no program needs it
};

enum class worker_state : std::uint32_t {
    none,      // no such worker
    useful,    // in a task
    stealing,  // looks for one
    mugging,   // fetches one
    parked,    // sleeps for want of one, or suspended
};

// One cache line, written by its worker alone, and only where its state changes. What it has done since is the clock's
// difference to `since`, in the state it is in. Its copy is whole if `version` was even and the same before and after.
struct alignas(64) worker_line {
    part32 version{0};
    part32 state{0};  // worker_state
    part64 since{0};
    part64 useful{0}, steal{0}, mug{0};  // up to `since`
    part32 thread{0};                    // its thread's number in the system
    part32 core{0};                      // that it is meant for, by the system's number
    part64 steals{0};                    // successful ones
};
static_assert(sizeof(worker_line) == 64);

// Written by the program; anything may stand here.
struct feedback_page {
    part32 workers{0};   // lines in use
    part32 followed{0};  // the last generation whose allotment the program keeps: no worker of it
                         // runs outside
    alignas(64) std::array<worker_line, most_page_workers> lines{};
};

}  // namespace parley::inline v0::broker
