// Tasks of high priority. They lie in a deque of their own. A worker looks there only where looks_between_tasks
// (own_state.hpp) says so, or where it has nothing else that it may begin.
//
// On top of a wait a high task may run like a normal one, if the frames of the running stack have put it there. So both
// deques hold the tasks of other stacks (suspended_waits.hpp).
//
// A high task begins before older normal tasks, and also before newer ones, which may wait for it. Such a newer task
// must not run on top of a wait of the high task. The wait could not return before the newer task does. So normal tasks
// are held while a high task runs.
#pragma once

#include <parley/detail/driver/deque.hpp>
#include <parley/detail/runtime/worker.hpp>

namespace parley::inline v0::threading {

// Runs the newest high task that is not held. False: there is none. The caller must not be interrupted; the task may
// be.
[[gnu::noinline]] inline bool run_high(worker& self) {
    task* const t = self.own_part().high.pop();
    if (t == nullptr) return false;
    const deque::held_part before = self.own_part().tasks.hold_more();
    {
        const interruptible meanwhile(self.own_part().signals);
        self.now_does(doing::useful);
        self.run_shown(t);
    }
    self.own_part().tasks.hold_as(before);
    return true;
}

// Runs a high task before `next`, which was just popped. `next` goes back into the deque and is the newest normal task
// again. That needs no memory, because its slot is still there.
[[nodiscard]] inline bool run_high_before(worker& self, task* next) {
    self.own_part().looks.now = self.own_part().looks.always || !self.own_part().high.empty();
    if (self.own_part().high.size() == self.own_part().high.held()) return false;
    self.push(next);
    return run_high(self);
}

}  // namespace parley::inline v0::threading
