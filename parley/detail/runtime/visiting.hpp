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

#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// What it sleeps for may also be heard by a task that runs on top of this wait and comes back into this runtime: it acts
// as the same worker, lowers its bits, and may sleep and get up as this worker in between. So a bit that was lowered ends
// the sleep as well as one that is up, and so does that it is not marked asleep any more. `last` ends it, too.
//
// It takes no job, but waits perhaps for what one will bring. So it sees to it that there is somebody who takes them, and
// until there is, it gets up for each.
inline void sleep_in_first_runtime(worker& self, deadline last) {
    using protocol::bits::jobs;
    const std::uint32_t heard = self.heard;
    if (!self.home.jobs.empty()) self.home.require_takers();
    const protocol::bits::word ends = protocol::bits::waking | (self.home.has_takers() ? 0 : jobs);
    if ((ends & jobs) != 0) self.shown.attention.raise(protocol::bits::wants_jobs);
    self.sleeps_as.set(self.outer);  // who passes it on, should it sleep the same way
    // Nobody interrupts it here: the handler would find another worker.
    const int thread = self.watched.thread.get();
    self.watched.thread.set(0);
    self.to_people.sleeps_elsewhere.set(true);
    const auto anything_came = [&self, ends, heard] {
        const protocol::bits::word now = self.shown.attention.get();
        return (now & ends) != 0 || (now & sync::attention::asleep) == 0 || self.heard != heard;
    };
    if (last == no_deadline) wait_until(*self.outer, anything_came, awaited::other_runtime);
    else wait_up_to(*self.outer, last, anything_came, awaited::other_runtime);
    self.to_people.sleeps_elsewhere.set(false);
    self.watched.thread.set(thread);
    self.watched.called.take_down();
    self.sleeps_as.clear([] { give_way(); });
    if ((ends & jobs) != 0) self.shown.attention.lower(protocol::bits::wants_jobs);
}

}  // namespace parley::inline v0::threading
