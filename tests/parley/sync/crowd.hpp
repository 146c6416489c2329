// What the stress tests share: threads that begin together, and keep pace without ordering memory.
#pragma once

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace channel_test {

// More than this machine has cores, whatever it is, would be many on a large one; this many are more
// than the two cores that the tests are written for.
inline constexpr unsigned crowd_size = 6;

// Calls body(0) to body(n - 1), each in a thread of its own, and returns when all have returned.
template <class Body>
void in_parallel(unsigned n, Body body) {
    std::barrier gate(static_cast<std::ptrdiff_t>(n));
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < n; ++i)
        threads.emplace_back([&, i] {
            gate.arrive_and_wait();
            body(i);
        });
}

// How a test waits for another thread: it looks again at once for a while (so that threads on two
// cores meet within nanoseconds), then lets others run, and on a busy machine makes room for them.
// Nothing depends on how long that takes.
class patience {
public:
    void wait() {
        ++turns_;
        if (turns_ > 300) std::this_thread::sleep_for(std::chrono::microseconds(20));
        else if (turns_ > 200) std::this_thread::yield();
    }

private:
    int turns_ = 0;
};

template <class Condition>
void spin_until(Condition condition) {
    for (patience p; !condition();) p.wait();
}

// Keeps threads in the same round, so that they meet at the object of that round. All is relaxed: it
// must not order what the channel under test is to order (ThreadSanitizer would see no race then).
template <unsigned Threads>
class pace {
public:
    void keep(unsigned me, long round) noexcept {
        at_[me].round.store(round, std::memory_order_relaxed);
        for (const auto& other : at_) spin_until([&] { return other.round.load(std::memory_order_relaxed) >= round; });
        stagger(me, round);
    }

private:
    // Who came last goes on about a hundred nanoseconds before the others see it. Delays that differ
    // from round to round let the threads meet at each other's instructions sometimes.
    void stagger(unsigned me, long round) noexcept {
        const auto mixed = (static_cast<std::uint64_t>(round) * Threads + me) * 0x9E3779B97F4A7C15u;
        for (std::uint64_t i = mixed >> 55; i > 0; --i) (void)at_[me].round.load(std::memory_order_relaxed);
    }

    struct alignas(64) place {
        std::atomic<long> round{-1};
    };
    std::array<place, Threads> at_;
};

}  // namespace channel_test
