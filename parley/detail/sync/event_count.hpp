// Threads that are no workers sleep here until their condition may have come true.
//   waiter:  ticket = prepare(); look at the condition; wait(ticket); look again
//   sender:  make the condition true; notify()
// Both sides change `waiters_` by read-modify-writes. If notify() comes first in its modification order, prepare()
// acquires the condition. Otherwise notify() sees the waiter.
#pragma once

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/futex.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::sync {

class event_count {
public:
    [[nodiscard]] std::uint32_t prepare() noexcept {
        const std::uint32_t ticket = epoch_.load(std::memory_order_acquire);
        waiters_.fetch_add(1, std::memory_order_acq_rel);
        return ticket;
    }
    void cancel() noexcept { waiters_.fetch_sub(1, std::memory_order_relaxed); }

    void wait(std::uint32_t ticket) noexcept {
        futex_wait(epoch_, ticket);
        cancel();
    }
    void wait_for(std::uint32_t ticket, std::chrono::nanoseconds longest) noexcept {
        futex_wait_for(epoch_, ticket, longest);
        cancel();
    }

    // Costs one read-modify-write when nobody waits. It adds zero instead of loading, because a load could be done before
    // the store that made the condition true.
    void notify() noexcept {
        if (waiters_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
        epoch_.fetch_add(1, std::memory_order_acq_rel);
        futex_wake(epoch_, 1 << 30);
    }

private:
    atomic<std::uint32_t> epoch_{0};
    atomic<std::uint32_t> waiters_{0};
};

}  // namespace parley::inline v0::sync
