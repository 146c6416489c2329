// Says when a signal handler may not act for the worker on whose thread it runs (docs/internals/watchdog.md).
#pragma once

#include <parley/detail/base/compiler_fence.hpp>

#include <csignal>

namespace parley::inline v0::threading {

class interruptions {
public:
    [[nodiscard]] bool are_off() const noexcept { return off_ != 0; }

    // A handler came where it may not act. The code that it has interrupted may do later what the handler was to do.
    void put_off() noexcept { put_off_ = 1; }
    void forget() noexcept { put_off_ = 0; }
    [[nodiscard]] bool was_put_off() const noexcept { return put_off_ != 0; }

private:
    friend class interruption_switch;
    volatile std::sig_atomic_t off_ = 0;
    volatile std::sig_atomic_t put_off_ = 0;
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
