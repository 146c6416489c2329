// What the stress tests share: threads that begin together, and keep pace without ordering memory.
#pragma once

#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
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

// Waits for a condition without sleeping.
template <class Condition>
void spin_until(Condition condition) {
    while (!condition()) std::this_thread::yield();
}

// Keeps threads in the same round, so that they meet at the object of that round. All is relaxed: it
// must not order what the channel under test is to order (ThreadSanitizer would see no race then).
template <unsigned Threads>
class pace {
public:
    void keep(unsigned me, long round) noexcept {
        at_[me].round.store(round, std::memory_order_relaxed);
        for (const auto& other : at_) {
            // Some turns without yielding: on two cores, two threads then meet within nanoseconds.
            for (int turn = 0; other.round.load(std::memory_order_relaxed) < round; ++turn)
                if (turn > 200) std::this_thread::yield();
        }
    }

private:
    struct alignas(64) place {
        std::atomic<long> round{-1};
    };
    std::array<place, Threads> at_;
};

}  // namespace channel_test
