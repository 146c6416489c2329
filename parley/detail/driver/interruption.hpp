// Says when a signal handler may not act for the worker on whose thread it runs (docs/internals/watchdog.md).
#pragma once

#include <parley/detail/base/compiler_fence.hpp>

#include <csignal>

namespace parley::inline v0::threading {

class interruptions {
public:
    [[nodiscard]] bool are_off() const noexcept { return off_ != 0; }

private:
    friend class interruption_switch;
    volatile std::sig_atomic_t off_ = 0;
};

// A handler leaves this where it may not act. The code that it has interrupted may do later what the handler was to do.
// Each deque has `interruptions`, and its size counts. So this is not a part of them.
class note_of_handler {
public:
    void leave() noexcept { is_left_ = 1; }
    void forget() noexcept { is_left_ = 0; }
    [[nodiscard]] bool is_left() const noexcept { return is_left_ != 0; }

private:
    volatile std::sig_atomic_t is_left_ = 0;
};

// The destructor restores what was before, whatever stacks the thread has been on meanwhile.
class interruption_switch {
public:
    interruption_switch(const interruption_switch&) = delete;
    interruption_switch& operator=(const interruption_switch&) = delete;

protected:
    interruption_switch(interruptions& which, std::sig_atomic_t off) noexcept : which_(which), before_(which.off_) {
        base::compiler_fence();
        which.off_ = off;
        base::compiler_fence();
    }
    ~interruption_switch() {
        base::compiler_fence();
        which_.off_ = before_;
        base::compiler_fence();
    }

private:
    interruptions& which_;
    const std::sig_atomic_t before_;
};

// While this object lives, a handler only leaves a note.
struct uninterrupted : interruption_switch {
    explicit uninterrupted(interruptions& which) noexcept : interruption_switch(which, 1) {}
};

// While this object lives, a handler may act, even if the caller had forbidden it. It is for places where any task may
// run.
struct interruptible : interruption_switch {
    explicit interruptible(interruptions& which) noexcept : interruption_switch(which, 0) {}
};

}  // namespace parley::inline v0::threading
