// How long a task takes from its fork on one worker to its first instruction on another.
#pragma once

#include <atomic>

#include <parley/parley.hpp>

#include "lab/bench/measure.hpp"

namespace parley_bench {

inline void spin_for(double wanted) {
    const auto begin = clock::now();
    while (std::chrono::duration<double>(clock::now() - begin).count() < wanted) {}
}

// In seconds. The task then works for a while: a thief whose loot is not worth the message waits
// before it asks again (policy/gain.hpp).
inline double hand_over(parley::runtime& rt) {
    double latency = 0;
    rt.run([&] {
        std::atomic<bool> running{false};
        const auto begin = clock::now();
        clock::time_point began;
        parley::fork_join(
            [&] {
                while (!running.load(std::memory_order_acquire)) parley::poll();
            },
            [&] {
                began = clock::now();
                running.store(true, std::memory_order_release);
                spin_for(2e-6);
            });
        latency = std::chrono::duration<double>(began - begin).count();
    });
    return latency;
}

}  // namespace parley_bench
