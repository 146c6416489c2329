// Tasks of high priority: in a deque of their own, which is looked at only where worker::looks_between_tasks
// says so, or where a worker has nothing else that it may begin.
//
// On top of a wait a high task may run like a normal one, as long as that is in this deque which the frames of
// the running stack have put there: the same tasks are held in both (see suspended.hpp). But it begins before
// normal ones that are older, and before newer ones, which may wait for it: were they run on top of a wait of
// its own, that could not return before they do. So the normal ones are held while it runs.
#pragma once

#include <parley/detail/runtime/deque.hpp>
#include <parley/detail/runtime/worker.hpp>

namespace parley::inline v0::threading {

// The newest high task that is not held. False: there is none. The caller is not interrupted, the task may be.
[[gnu::noinline]] inline bool run_high(worker& self) {
    task* const t = self.high.pop();
    if (t == nullptr) return false;
    const deque::held_part before = self.tasks.hold_more();
    {
        const interruptible meanwhile(self.signals);
        self.now_does(doing::useful);
        self.run_shown(t);
    }
    self.tasks.hold_as(before);
    return true;
}

// The same before `next`, which has just been popped and is then the newest normal one again (its place in the
// deque is still there: this needs no memory).
[[nodiscard]] inline bool run_high_before(worker& self, task* next) {
    self.looks_between_tasks = self.always_looks || !self.high.empty();
    if (self.high.size() == self.high.held()) return false;
    self.tasks.push(next);
    return run_high(self);
}

}  // namespace parley::inline v0::threading
