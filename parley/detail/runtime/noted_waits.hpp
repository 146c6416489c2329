// The waits of a worker that last: those that have slept, or have let go of their stack. They are noted so that another
// thread can say who waits for what since when (complaints.hpp, dump.cpp).
//
// A wait is noted when it first goes to sleep or is suspended, and stays noted until it is over. A wait that ends before
// that costs nothing here. A noted wait lies in the frame of its wait loop, so its address says on which stack it waits.
#pragma once

#include <parley/detail/runtime/awaited.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/sync/hint.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>

namespace parley::inline v0::threading {

class noted_waits;
struct suspended_wait;

class noted_wait {
public:
    using clock = std::chrono::steady_clock;
    enum class state : std::uint8_t { awake, asleep, suspended };

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

    // While it is suspended: as what. For debuggers alone (dump.cpp).
    const suspended_wait* suspended_as = nullptr;

    // How long it had lasted when somebody was last told of it. By visitors of noted_waits alone.
    clock::duration told_after{0};

private:
    friend class noted_waits;
    void take_off() noexcept;

    const awaited what_;
    sync::hint<state> now_{state::awake};
    clock::time_point since_;
    // Under the mutex of `noted_in_`, but for the owner's own reading of that.
    noted_waits* noted_in_ = nullptr;
    noted_wait* newer_ = nullptr;
    noted_wait* older_ = nullptr;
};

// Of one worker. Its owner alone adds and takes off; nobody keeps the mutex for longer than a look at all of them.
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

    // visit(wait) of each, the oldest first, with the mutex held. False: the owner has the mutex, and keeps it. That
    // happens where a signal handler looks that has interrupted the owner.
    template <class Visit>
    [[nodiscard]] bool each(const Visit& visit) const {
        for (int patience = 1000; !mutex_.try_lock(); --patience) {
            if (patience == 0) return false;
            give_way();
        }
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

    mutable std::mutex mutex_;
    noted_wait* oldest_ = nullptr;
    noted_wait* newest_ = nullptr;
};

inline void noted_wait::take_off() noexcept { noted_in_->remove(*this); }

// Whose thread a worker is.
enum class seat_of : std::uint8_t {
    own_thread,    // one of the runtime's
    outside,       // one that came in from outside
    other_worker,  // one that is a worker of another runtime, too: it visits this one
    stand_in,      // one of the runtime's, for workers that block
};

// What a worker shows of itself to people. It is as of when the worker last went to sleep, or a wait let go of its stack,
// unless something else is said.
struct shown_to_people {
    sync::hint<int> thread{0};                       // its number in the kernel, at all times; 0: nobody sits there
    sync::hint<seat_of> whose{seat_of::own_thread};  // at all times
    sync::hint<std::uintptr_t> frame{0};             // some address on the stack that runs, at all times
    sync::hint<std::uint64_t> queued{0};             // tasks in its deques
    sync::hint<std::uint64_t> held{0};               // those among them that a wait may not begin on its stack
    sync::hint<bool> sleeps_elsewhere{false};        // at all times: as a worker of another runtime (visiting.hpp)
    sync::hint<bool> is_isolated{false};
    noted_waits waits;
};

}  // namespace parley::inline v0::threading
