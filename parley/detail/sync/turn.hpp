// The turn to serve an inbox: one of all who put something in has it, and whoever puts something in meanwhile is
// sure to be served.
//   sender:  put it in; if call() then serve
//   server:  do { take everything out } while (!leave())
// All changes are read-modify-writes of one word. If a call() comes before the leave() in its modification order,
// leave() fails and acquires what was put in; else call() finds the turn free. So nothing stays behind, and the
// next server acquires what the last one did.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class turn {
public:
    // True: the caller has the turn now. False: whoever has it will look again.
    [[nodiscard]] bool call() noexcept {
        std::uint8_t seen = free;
        if (state_.compare_exchange_strong(seen, taken, std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
        return state_.exchange(called, std::memory_order_acq_rel) == free;
    }

    // By whoever has it. False: it was called meanwhile and must be served once more.
    [[nodiscard]] bool leave() noexcept {
        std::uint8_t seen = taken;
        if (state_.compare_exchange_strong(seen, free, std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
        (void)state_.exchange(taken, std::memory_order_acq_rel);
        return false;
    }

private:
    static constexpr std::uint8_t free = 0, taken = 1, called = 2;
    std::atomic<std::uint8_t> state_{free};
};

}  // namespace parley::inline v0::sync
