// How a thread sleeps that works in a second runtime: it sleeps as a worker of the first one.
//
// A task of one runtime that runs in another one waits there for what others have taken. If its thread slept there, the
// first runtime would miss it. Waits that are suspended on it would not go on, nor tasks that only it can take. So the
// wait is a wait of the first runtime as well. It lets go of its stack there like any other, and the thread does what
// there is to do. The wait ends when something has come for the worker of the second runtime. That worker passes on
// what wakes it (whole_worker::sleeps_as).
//
// No wake-up is lost (I8). The worker of the second runtime is marked asleep first, and then says as which worker it
// sleeps. A thread that raises a bit does that first, and then looks as which worker the other one sleeps. So either
// the condition below sees the bit, or the worker that does sleep is told.
#pragma once

#include <parley/detail/runtime/crew.hpp>
#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// Sleeps until something has come for this worker, until `last`, or until the worker is not marked asleep any more. A
// task that runs on top of this wait may come back into this runtime. It acts as this worker, lowers its bits, and may
// sleep and get up as this worker. So a bit that was lowered meanwhile ends the sleep as well as one that is up.
//
// The worker takes no job, but perhaps waits for what a job will bring. So it makes sure that there is a worker that
// takes jobs. Until there is one, each job ends its sleep.
inline void sleep_in_first_runtime(worker& self, deadline last) {
    using protocol::bits::jobs;
    const std::uint32_t heard = self.own_part().heard.waking;
    if (!self.home().exchange().jobs.empty()) self.home().crew().require_takers();
    const protocol::bits::word ends = protocol::bits::waking | (self.home().crew().has_takers() ? 0 : jobs);
    if ((ends & jobs) != 0) self.shared_part().attention.raise(protocol::bits::wants_jobs);
    sleeps_as(self).set(self.outer());  // that worker passes it on, should it sleep in this way, too
    // Nobody interrupts this worker meanwhile, because the handler would find another worker.
    const int thread = self.watched_part().thread.get();
    self.watched_part().thread.set(0);
    to_people(self).sleeps_elsewhere.set(true);
    const auto anything_came = [&self, ends, heard] {
        const protocol::bits::word now = self.shared_part().attention.get();
        return (now & ends) != 0 || (now & sync::attention::asleep) == 0 || self.own_part().heard.waking != heard;
    };
    if (last == no_deadline) wait_until(*self.own_part().sits.outer, anything_came, awaited::other_runtime);
    else wait_up_to(*self.own_part().sits.outer, last, anything_came, awaited::other_runtime);
    to_people(self).sleeps_elsewhere.set(false);
    self.watched_part().thread.set(thread);
    self.watched_part().called.take_down();
    sleeps_as(self).clear([] { give_way(); });
    if ((ends & jobs) != 0) self.shared_part().attention.lower(protocol::bits::wants_jobs);
}

}  // namespace parley::inline v0::threading
