// Where news for one worker are passed on to another while it sleeps as that other.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

// A thread that works in two runtimes sleeps in one of them. What wakes it in the other passes through here: its owner
// says which object is to be told (set), and takes that back when it has got up (clear), after which that object may be
// destroyed. No lock: a signal handler may tell, whatever its thread was doing.
template <class Target>
class relay {
public:
    // Owner only, and nobody is set.
    void set(Target* to) noexcept { to_.store(to, std::memory_order_seq_cst); }

    // Owner only. Calls pause() until nobody is telling any more. seq_cst: in the single total order either a teller counts
    // itself before the look at the count below, and is waited for, or it reads null.
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
    std::atomic<Target*> to_{nullptr};
    std::atomic<std::uint32_t> tellers_{0};
};

}  // namespace parley::inline v0::sync
