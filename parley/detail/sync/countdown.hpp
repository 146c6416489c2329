// A countdown: opens when a known number of parties has arrived. For start and stop of threads, not
// for counting tasks.
#pragma once

#include <parley/detail/sync/futex.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class countdown {
public:
    explicit countdown(std::uint32_t parties) noexcept : left_(parties) {}

    // Each party once. acq_rel: whoever sees zero sees what every party did before it arrived.
    void arrive() noexcept {
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) futex_wake(left_, all);
    }

    void wait() const noexcept {
        for (;;) {
            const std::uint32_t seen = left_.load(std::memory_order_acquire);
            if (seen == 0) return;
            futex_wait(left_, seen);
        }
    }

    [[nodiscard]] bool is_open() const noexcept {
        return left_.load(std::memory_order_acquire) == 0;
    }

private:
    static constexpr int all = 1 << 30;
    std::atomic<std::uint32_t> left_;
};

}  // namespace parley::inline v0::sync
