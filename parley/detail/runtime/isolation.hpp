// Restricted waiting: waits of a worker that run nothing foreign.
//
// While an `isolation` lives, waits of its worker run only tasks that were put into the deque after it was made. The
// stack that it was made on is not switched away from. So it is the stack that runs, and what was made inside the
// outermost isolation is what lies behind a mark in the deque (deque::begin_inside).
//
// An isolation belongs to what was made inside, whoever runs it. Otherwise a thief could wait in such a task, begin an
// unrelated one meanwhile, and block there on a lock that the region keeps. The rules:
//   1. A message from a victim is flagged if its tasks were made inside; so is a part of a loop that was begun inside.
//   2. The wait that receives such a message begins it before it does anything else, within an isolation of its own
//      worker, and returns only when nothing of it is left here. So no task that the region waits for lies, not begun,
//      below a task that may block. On top of the wait it does no harm: what is made inside a region may only wait for
//      what is made there, and that is never suspended.
//   3. What a region's waits have not run when its outermost isolation ends stays isolated: each such task is put into
//      a task that runs it within an isolation.
// Without memory for such a task, what is left over at the end runs without isolation.
#pragma once

#include <parley/detail/runtime/interruption.hpp>
#include <parley/detail/runtime/worker.hpp>

namespace parley::inline v0::threading {

// What was made inside the isolation that ends is isolated later on, too.
void keep_isolated(worker& self) noexcept;

class isolation {
public:
    explicit isolation(worker& self) noexcept : self_(self), is_outermost_(!self.isolated) {
        const uninterrupted here(self.signals);
        if (is_outermost_) {
            self.tasks.begin_inside();
            self.high.begin_inside();
        }
        held_before_ = self.tasks.hold_more();
        high_held_before_ = self.high.hold_more();
        self.isolated = true;
    }
    ~isolation() {
        const uninterrupted here(self_.signals);
        if (is_outermost_) {
            if (self_.tasks.inside() + self_.high.inside() > 0) keep_isolated(self_);
            self_.isolated = false;
        }
        self_.high.hold_as(high_held_before_);
        self_.tasks.hold_as(held_before_);
    }
    isolation(const isolation&) = delete;
    isolation& operator=(const isolation&) = delete;

private:
    worker& self_;
    const bool is_outermost_;
    deque::held_part held_before_;
    deque::held_part high_held_before_;
};

}  // namespace parley::inline v0::threading
