// Counts the tasks that ran, each worker for itself, for programs whose tasks have no other result.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley_programs::inline v0 {

template <class S>
class task_count {
public:
    explicit task_count(typename S::pool& pool) : counts_(pool) {}

    // Between two runs, by whoever starts the next.
    void clear() {
        counts_.each([](count& c) { c.store(0, std::memory_order_relaxed); });
    }

    // Only its own worker writes a count, by a plain load and a plain store.
    void add_one() {
        count& mine = counts_.mine();
        mine.store(mine.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    // Exact once the tasks have been awaited; any thread may ask before, then roughly right.
    [[nodiscard]] std::uint64_t total() {
        std::uint64_t sum = 0;
        counts_.each([&sum](const count& c) { sum += c.load(std::memory_order_relaxed); });
        return sum;
    }

private:
    using count = std::atomic<std::uint64_t>;
    typename S::template local<count> counts_;
};

}  // namespace parley_programs::inline v0
