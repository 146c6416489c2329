// Tasks that never poll starve nobody: a worker that nobody answers interrupts, by a signal, those that have not
// looked, and the handler answers in their place (docs/internals/watchdog.md).
#pragma once

#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/hint.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

class pool;
class thread_medium;
class worker;

// Does a worker that is to be suspended take a job, because nobody else does? See suspension.hpp.
enum class hand : std::uint8_t {
    no,
    offered,  // takes the next one
    lent,     // does what came of that
};

// What a worker shows to those that may interrupt it, or count on it.
struct watched_word {
    sync::hint<int> thread{0};              // its number in the kernel; 0: nobody sits there
    sync::hint<bool> has_looked{false};     // since the bell rang, and had nothing to give
    sync::flag called;                      // a signal is on its way
    sync::hint<bool> takes_no_jobs{false};  // for now: blocked, or asleep and isolated (see suspension.hpp)
    sync::hint<hand> lends_a_hand{hand::no};
};

// Before the first signal is sent. Once per process; chains to the handler that it finds.
void install_watchdog();

// A worker's thread, which blocks all signals when it begins, lets this one come. A thread of the program's keeps its
// mask.
void accept_interruptions() noexcept;

// The calling thread's number in the kernel.
[[nodiscard]] int this_thread() noexcept;

// In a child of fork() it is another one.
void forget_this_thread() noexcept;

// Sends a signal to the thread of `whom`, unless one is on its way. Returns whether it has.
bool interrupt(worker& sender, worker& whom) noexcept;

// Interrupts all that have not looked since the bell rang.
void interrupt_those_who_do_not_look(worker& self) noexcept;

// Sleeps, as thread_medium::sleep(), and looks after the others as long as any of them is awake.
void sleep_watching(worker& self, thread_medium& medium) noexcept;

// This worker has begun something that it can give, and may not poll for long: if others rest, one of them has to
// look after it.
void ask_to_be_watched(worker& self) noexcept;

}  // namespace parley::inline v0::threading
