/// @file
/// What a worker tells about itself: what it has counted, what its time went to, what it does now.
#pragma once

#include <parley/detail/sync/counter.hpp>

#include <cstdint>

namespace parley::inline v0 {

/// What a worker has counted since its runtime began; runtime::counters() returns one for each.
struct worker_counters {
    std::uint64_t tasks = 0;       ///< run by this worker: spawned, stolen, or called at their join
    std::uint64_t steals = 0;      ///< answers received
    std::uint64_t failed = 0;      ///< requests that this worker found answered by nobody
    std::uint64_t messages = 0;    ///< requests and answers sent by this worker
    std::uint64_t splits = 0;      ///< parts of loops that this worker made
    std::uint64_t sleeps = 0;      ///< times that it slept because there was nothing to do
    std::uint64_t wakes = 0;       ///< sleeps that have ended
    std::uint64_t interrupts = 0;  ///< signals sent to workers that did not look

    /// Adds what another worker has counted.
    worker_counters& operator+=(const worker_counters& other) noexcept {
        tasks += other.tasks;
        steals += other.steals;
        failed += other.failed;
        messages += other.messages;
        splits += other.splits;
        sleeps += other.sleeps;
        wakes += other.wakes;
        interrupts += other.interrupts;
        return *this;
    }
};

/// What the time of one worker went to, as TH figures 3.10 and 3.12 break it down.
/// In seconds, of all that its runtime has done so far; runtime::times() returns one for each worker. The sum is the
/// time for which the runtime has existed.
struct worker_times {
    double running = 0;          ///< tasks
    double queueing = 0;         ///< putting tasks into the own deque, and taking them out
    double moving_tasks = 0;     ///< sending and taking in tasks
    double moving_requests = 0;  ///< sending, answering and passing on requests
    double idle = 0;             ///< no task to run; or worker 0, and nobody is in run()
};

namespace threading {

// One worker writes these; any thread may read them at any time.
struct counters {
    sync::counter tasks, steals, failed, messages, splits, sleeps, wakes, interrupts;

    [[nodiscard]] worker_counters read() const noexcept {
        return {tasks.get(),  steals.get(), failed.get(), messages.get(),
                splits.get(), sleeps.get(), wakes.get(),  interrupts.get()};
    }
};

}  // namespace threading
}  // namespace parley::inline v0
