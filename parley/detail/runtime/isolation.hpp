// Restricted waiting: waits of a worker that run nothing foreign.
//
// While an `isolation` lives, waits of its worker run only tasks that were put into the deque after it was made. The
// worker does not switch away from the stack that it was made on. So that stack is the one that runs. What was made
// inside the outermost isolation lies behind a mark in the deque (deque::begin_inside).
//
// An isolation concerns all tasks that were made inside, also where other workers run them. Otherwise a thief could
// wait in such a task, and begin an unrelated one meanwhile. The unrelated one could block on a lock that the region
// keeps. The rules:
//   1. A message from a victim says in which isolation its tasks were made, by a number. So does a part of a loop that was
//      begun inside. What a coroutine of that isolation awaited goes on where that was done (continuation.cpp).
//   2. The wait that receives such a message begins its tasks before it does anything else, within an isolation of its
//      own worker. It returns only when none of them is left here. So no task that the region waits for lies, not
//      begun, below a task that may block. On top of the wait such tasks do no harm. They only wait for tasks made
//      inside the region, and these are never suspended.
//   3. If such a message is handed on as a job, the job says in which isolation it was made (handing_on.hpp). Only waits
//      take it, as a message of rule 2. Of two isolations one goes to others, for either may block on what the other's
//      region keeps.
//   4. When the outermost isolation of a region ends, tasks that its waits have not run stay isolated. Each of them is
//      put into a task that runs it within an isolation.
// Without memory for such a task, what is left at the end runs without isolation.
#pragma once

#include <parley/detail/driver/interruption.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// Makes sure that tasks stay isolated that were made inside the isolation that ends.
void keep_isolated(worker& self) noexcept;

class isolation {
public:
    // `region`: the number of the isolation that its tasks were made in, or 0.
    explicit isolation(worker& self, std::uint64_t region = 0) noexcept
        : self_(self), is_outermost_(!self.own_part().limits.isolated) {
        const uninterrupted here(self.own_part().signals);
        if (is_outermost_) {
            self.own_part().limits.region = region != 0 ? region : self.new_group();
            self.own_part().tasks.begin_inside();
            self.own_part().high.begin_inside();
        }
        held_before_ = self.own_part().tasks.hold_more();
        high_held_before_ = self.own_part().high.hold_more();
        self.own_part().limits.isolated = true;
    }
    ~isolation() {
        const uninterrupted here(self_.own_part().signals);
        if (is_outermost_) {
            if (self_.own_part().tasks.inside() + self_.own_part().high.inside() > 0) keep_isolated(self_);
            self_.own_part().limits.isolated = false;
        }
        self_.own_part().high.hold_as(high_held_before_);
        self_.own_part().tasks.hold_as(held_before_);
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
