// The turn to serve an inbox. One of the threads that put something in has it, and serves what others put in meanwhile.
//   sender:  put it in; if call() then serve
//   server:  do { take everything out } while (!leave())
// All changes are read-modify-writes of one word. If a call() comes before the leave() in its modification order,
// leave() fails and acquires what was put in. Otherwise call() finds the turn free. So nothing stays behind, and the
// next server acquires what the last one did.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class turn {
public:
    // True: the caller has the turn now. False: the thread that has it will look again.
    [[nodiscard]] bool call() noexcept {
        std::uint8_t seen = free;
        if (state_.compare_exchange_strong(seen, taken, std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
        return state_.exchange(called, std::memory_order_acq_rel) == free;
    }

    // For the thread that has the turn. False: something was put in meanwhile, so it must serve once more.
    [[nodiscard]] bool leave() noexcept {
        std::uint8_t seen = taken;
        if (state_.compare_exchange_strong(seen, free, std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
        (void)state_.exchange(taken, std::memory_order_acq_rel);
        return false;
    }

private:
    static constexpr std::uint8_t free = 0, taken = 1, called = 2;
    atomic<std::uint8_t> state_{free};
};

}  // namespace parley::inline v0::sync
