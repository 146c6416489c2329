// When a signal handler may act as the worker on whose thread it runs: at any time but these
// (docs/internals/watchdog.md).
#pragma once

#include <parley/detail/sync/compiler_fence.hpp>

#include <csignal>

namespace parley::inline v0::threading {

class interruptions {
public:
    [[nodiscard]] bool are_off() const noexcept { return off_ != 0; }

private:
    friend class interruption_switch;
    volatile std::sig_atomic_t off_ = 0;
};

// As it was before when this object ends, on whatever stacks the thread has been meanwhile.
class interruption_switch {
public:
    interruption_switch(const interruption_switch&) = delete;
    interruption_switch& operator=(const interruption_switch&) = delete;

protected:
    interruption_switch(interruptions& which, std::sig_atomic_t off) noexcept : which_(which), before_(which.off_) {
        sync::compiler_fence();
        which.off_ = off;
        sync::compiler_fence();
    }
    ~interruption_switch() {
        sync::compiler_fence();
        which_.off_ = before_;
        sync::compiler_fence();
    }

private:
    interruptions& which_;
    const std::sig_atomic_t before_;
};

// While it lives, a handler does nothing.
struct uninterrupted : interruption_switch {
    explicit uninterrupted(interruptions& which) noexcept : interruption_switch(which, 1) {}
};

// While it lives, it may act, whoever has called this: where any task may run.
struct interruptible : interruption_switch {
    explicit interruptible(interruptions& which) noexcept : interruption_switch(which, 0) {}
};

}  // namespace parley::inline v0::threading
