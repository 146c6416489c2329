// How a thread sleeps that works in a second runtime: as a worker of the first one.
//
// A task of one runtime that runs in another one waits there for what others have taken. Were its thread to sleep there,
// nothing that its first runtime needs of it would go on: the waits that are suspended on it, the tasks that only it can
// take. So the wait is a wait of the first runtime as well: it lets go of its stack there like any other, and the thread
// does what there is to do. It ends when something has come for the worker of the second runtime, which passes on what
// wakes it (worker::sleeps_as).
//
// No wake-up is lost. The worker here is marked asleep first and then says as whom it sleeps; whoever raises a bit does
// that first, and then looks as whom it sleeps. So either the condition below sees the bit, or the worker that does sleep
// is told.
#pragma once

#include <parley/runtime/pool.hpp>
#include <parley/runtime/relax.hpp>
#include <parley/runtime/wait.hpp>
#include <parley/runtime/worker.hpp>

namespace parley::inline v0::threading {

// It is marked asleep, and nothing that it waits for has come.
inline void sleep_in_first_runtime(worker& self) {
    if (!self.home.jobs.empty()) {
        self.home.require_takers();
        self.shown.attention.lower(protocol::bits::jobs);  // it has heard of those
    }
    self.shown.attention.raise(protocol::bits::wants_jobs);
    self.sleeps_as.set(self.outer);  // who passes it on, should it sleep the same way
    // Nobody interrupts it here: the handler would find another worker.
    const int thread = self.watched.thread.get();
    self.watched.thread.set(0);
    wait_until(*self.outer, [&self] {
        return (self.shown.attention.get() & (protocol::bits::waking | protocol::bits::jobs)) != 0;
    });
    self.watched.thread.set(thread);
    self.watched.called.take_down();
    self.sleeps_as.clear([] { give_way(); });
    self.shown.attention.lower(protocol::bits::wants_jobs);
}

}  // namespace parley::inline v0::threading
