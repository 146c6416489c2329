// The waits of a worker that last: those that have slept, or have let go of their stack. They are noted so that another
// thread can say which worker waits for what, and since when (complaints.hpp, dump.cpp).
//
// A wait is noted when it first goes to sleep or is suspended, and stays noted until it is over. A wait that ends
// before that costs nothing here. A noted wait lies in the frame of its wait loop, so its address says on which stack
// it waits.
#pragma once

#include <parley/detail/driver/states.hpp>
#include <parley/detail/sync/counter.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>

namespace parley::inline v0::threading {

class noted_waits;
struct suspended_wait;

class noted_wait {
public:
    using clock = std::chrono::steady_clock;
    using state = wait_state;

    explicit noted_wait(awaited what) noexcept : what_(what) {}
    ~noted_wait() {
        if (noted_in_ != nullptr) [[unlikely]]
            take_off();
    }
    noted_wait(const noted_wait&) = delete;
    noted_wait& operator=(const noted_wait&) = delete;

    [[nodiscard]] awaited what() const noexcept { return what_; }
    [[nodiscard]] state now() const noexcept { return now_.get(); }
    [[nodiscard]] clock::time_point since() const noexcept { return since_; }
    [[nodiscard]] bool is_noted() const noexcept { return noted_in_ != nullptr; }

    // The suspended wait that this one is meanwhile. Only debuggers read it (dump.cpp).
    const suspended_wait* suspended_as = nullptr;

    // How long the wait had lasted when people were last told of it. Only visitors of noted_waits touch this.
    clock::duration told_after{0};

private:
    friend class noted_waits;
    void take_off() noexcept;

    const awaited what_;
    sync::hint<state> now_{state::awake};
    clock::time_point since_;
    // These are written under the mutex of `noted_in_`. The owner reads `noted_in_` without it.
    noted_waits* noted_in_ = nullptr;
    noted_wait* newer_ = nullptr;
    noted_wait* older_ = nullptr;
};

// The noted waits of one worker. Only the worker adds and takes off waits. A thread keeps the mutex no longer than it
// takes to look at all of them.
class noted_waits {
public:
    void add(noted_wait& w) noexcept {
        if (w.what_ == awaited::nothing || w.is_noted()) return;
        w.since_ = noted_wait::clock::now();
        const std::scoped_lock guard(mutex_);
        w.noted_in_ = this;
        w.older_ = newest_;
        (newest_ != nullptr ? newest_->newer_ : oldest_) = &w;
        newest_ = &w;
    }
    void becomes(noted_wait& w, noted_wait::state now) noexcept { w.now_.set(now); }

    // Calls visit(wait) for each wait, the oldest first, with the mutex held. False: the mutex stayed locked. It does
    // if a signal handler looks that has interrupted the owner.
    template <class Visit>
    [[nodiscard]] bool each(const Visit& visit) const {
        if (!lock_unless_kept()) return false;
        const std::scoped_lock guard(std::adopt_lock, mutex_);
        for (noted_wait* w = oldest_; w != nullptr; w = w->newer_) visit(*w);
        return true;
    }

private:
    friend class noted_wait;
    void remove(noted_wait& w) noexcept {
        const std::scoped_lock guard(mutex_);
        (w.older_ != nullptr ? w.older_->newer_ : oldest_) = w.newer_;
        (w.newer_ != nullptr ? w.newer_->older_ : newest_) = w.older_;
    }

    // Locks the mutex. False: it was locked during some thousand turns.
    [[nodiscard]] bool lock_unless_kept() const noexcept;

    mutable std::mutex mutex_;
    noted_wait* oldest_ = nullptr;
    noted_wait* newest_ = nullptr;
};

inline void noted_wait::take_off() noexcept { noted_in_->remove(*this); }

// The kind of thread that sits on a worker's seat.
enum class seat_of : std::uint8_t {
    own_thread,    // a thread of the runtime
    outside,       // a thread that came in from outside
    other_worker,  // a thread that is a worker of another runtime, too, and visits this one
    stand_in,      // a thread of the runtime that stands in for workers that block
};

// What a worker shows of itself to people. Values that are not marked otherwise are as of the time when the worker last
// slept or a wait let go of its stack.
struct shown_to_people {
    sync::hint<int> thread{0};                       // at all times: the kernel's number of its thread; 0: nobody sits there
    sync::hint<seat_of> whose{seat_of::own_thread};  // at all times
    sync::hint<std::uintptr_t> frame{0};             // at all times: some address on the stack that runs
    sync::hint<std::uint64_t> queued{0};             // tasks in its deques
    sync::hint<std::uint64_t> held{0};               // those of them that a wait may not begin on its stack
    sync::hint<bool> sleeps_elsewhere{false};        // at all times: it sleeps as a worker of another runtime (visiting.hpp)
    sync::hint<bool> is_isolated{false};
    noted_waits waits;
};

}  // namespace parley::inline v0::threading
