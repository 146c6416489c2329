// While it lives, waits of this worker run only tasks that were put into the deque after it was made.
#pragma once

#include <parley/runtime/worker.hpp>

#include <utility>

namespace parley::inline v0::threading {

class isolation {
public:
    explicit isolation(worker& self) noexcept
        : self_(self),
          before_(std::exchange(self.isolated, true)),
          held_before_(self.tasks.hold_more()),
          high_held_before_(self.high.hold_more()) {}
    ~isolation() {
        self_.high.hold_as(high_held_before_);
        self_.tasks.hold_as(held_before_);
        self_.isolated = before_;
    }
    isolation(const isolation&) = delete;
    isolation& operator=(const isolation&) = delete;

private:
    worker& self_;
    const bool before_;
    const deque::held_part held_before_;
    const deque::held_part high_held_before_;
};

}  // namespace parley::inline v0::threading
