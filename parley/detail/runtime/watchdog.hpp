// The watchdog, by which tasks that never poll starve nobody. A worker that nobody answers interrupts, by a signal,
// those that have not looked. The handler answers in their place (docs/internals/watchdog.md).
#pragma once

#include <parley/detail/driver/interruption.hpp>

namespace parley::inline v0::threading {

class worker;

// Does a signal of the runtime reach the calling thread? It does not if the thread blocks the signal. Nor does it if a
// worker has noticed that the program has installed another handler since.
[[nodiscard]] bool can_be_interrupted() noexcept;

// Installs the handler once per process. It calls the handler that was there before. Called before the first signal is
// sent.
void install_watchdog();

// Lets the signal come to a thread of the pool, which blocks all signals when it begins. A thread of the program keeps
// its mask.
void accept_interruptions() noexcept;

// Returns the kernel's number of the calling thread.
[[nodiscard]] int this_thread() noexcept;

// Called in a child of fork(), where the thread has another number.
void forget_this_thread() noexcept;

// Sends a signal to the thread of `whom`, unless one is on its way. Returns whether it has done so.
bool interrupt(worker& sender, worker& whom) noexcept;

// Answers requests out of what a handler may touch. Called by the handler of the signal, and by acting_later.
void serve_interrupted(worker& self) noexcept;

// Made before a worker forbids its handler to act for a while. If signals come meanwhile, their handler's work is done
// once when this object ends. So a worker that is mostly found in a look is interrupted all the same.
class acting_later {
public:
    acting_later(worker& self, note_of_handler& note) noexcept : self_(self), note_(note) { note.forget(); }
    acting_later(const acting_later&) = delete;
    acting_later& operator=(const acting_later&) = delete;
    ~acting_later() {
        if (note_.is_left()) [[unlikely]]
            serve_interrupted(self_);
    }

private:
    worker& self_;
    note_of_handler& note_;
};

// Called by a worker that has begun something that it can give, and may not poll for long. If others rest, one of them
// has to look after it.
void ask_to_be_watched(worker& self) noexcept;

}  // namespace parley::inline v0::threading
