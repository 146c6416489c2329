// Passes news for one object on to another one.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

// A thread that works in two runtimes sleeps as a worker of one of them. News for the other worker pass through here.
// The owner names the object that is to be told (set). It takes that back when it has got up (clear); then the object
// may be destroyed. There is no lock, because a signal handler may tell, whatever its thread was doing.
template <class Target>
class relay {
public:
    // Owner only, while no object is named.
    void set(Target* to) noexcept { to_.store(to, std::memory_order_seq_cst); }

    // Owner only. Calls pause() until no thread is telling. seq_cst: in the single total order a teller either counts
    // itself before the look at the count below, and is waited for, or reads null.
    template <class Pause>
    void clear(const Pause& pause) noexcept {
        to_.store(nullptr, std::memory_order_seq_cst);
        while (tellers_.load(std::memory_order_seq_cst) != 0) pause();
    }

    // Any thread: tell(target) if there is one.
    template <class Tell>
    void pass_on(const Tell& tell) noexcept {
        tellers_.fetch_add(1, std::memory_order_seq_cst);
        if (Target* const to = to_.load(std::memory_order_seq_cst)) tell(*to);
        tellers_.fetch_sub(1, std::memory_order_release);  // pairs with the last look of clear()
    }

private:
    atomic<Target*> to_{nullptr};
    atomic<std::uint32_t> tellers_{0};
};

}  // namespace parley::inline v0::sync
