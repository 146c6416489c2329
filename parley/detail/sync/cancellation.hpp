// Cancellation of all root tasks that run at a moment.
//
// One word counts the root tasks and says whether they are being cancelled. So a cancellation either is ended by the
// last root task that it concerns, or does not begin. There is no lock: the canceller may be a signal handler that has
// interrupted any function below.
//   canceller   if (request()) { tell everybody; if (told()) { take it back; taken_back(); } }
//   root task   if (!root_begins()) leave; ...; if (root_ends()) { take it back; taken_back(); }
// Telling and taking back never overlap, because a thread that does one of them holds `busy`. If the last root task ends
// while the canceller holds it, the canceller takes back.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class cancellation {
public:
    // False: root tasks are being cancelled, and this one must not begin.
    [[nodiscard]] bool root_begins() noexcept {
        word seen = word_.load(std::memory_order_seq_cst);
        do {
            if ((seen & on) != 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen + 1, std::memory_order_seq_cst));
        return true;
    }
    // Counts the caller like a root task while root tasks are being cancelled, so that nothing is taken back before
    // root_ends(). False: none are being cancelled.
    [[nodiscard]] bool joins() noexcept {
        word seen = word_.load(std::memory_order_seq_cst);
        do {
            if ((seen & on) == 0 || (seen & roots) == 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen + 1, std::memory_order_seq_cst));
        return true;
    }
    // True: the caller takes back what the other threads were told.
    [[nodiscard]] bool root_ends() noexcept {
        word seen = word_.load(std::memory_order_relaxed);
        while (!word_.compare_exchange_weak(seen, after_end(seen), std::memory_order_seq_cst, std::memory_order_relaxed)) {}
        return (seen & busy) == 0 && (after_end(seen) & busy) != 0;
    }

    // True: no root task runs, and all that have run are done with this object. Pairs with their last access to it.
    [[nodiscard]] bool is_left_alone() const noexcept { return word_.load(std::memory_order_seq_cst) == 0; }

    // True: the caller tells everybody, then calls told(). False: no root task runs, or they are being cancelled.
    [[nodiscard]] bool request() noexcept {
        word seen = word_.load(std::memory_order_seq_cst);
        do {
            if ((seen & on) != 0 || (seen & roots) == 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen | on | busy, std::memory_order_seq_cst));
        return true;
    }
    // True: the last root task has ended meanwhile, and the caller takes back what it has told.
    [[nodiscard]] bool told() noexcept {
        word seen = word_.load(std::memory_order_relaxed);
        do {
            if ((seen & roots) == 0) return true;
        } while (!word_.compare_exchange_weak(seen, seen & ~busy, std::memory_order_seq_cst, std::memory_order_relaxed));
        return false;
    }
    // No root task has begun since request(), because root_begins() is false until now.
    void taken_back() noexcept { word_.store(0, std::memory_order_seq_cst); }

private:
    using word = std::uint64_t;
    static constexpr word roots = (word{1} << 32) - 1;
    static constexpr word on = word{1} << 32;
    static constexpr word busy = word{1} << 33;

    static constexpr word after_end(word seen) noexcept {
        const word left = seen - 1;
        return (left & roots) == 0 && (left & on) != 0 ? left | busy : left;
    }

    atomic<word> word_{0};
};

}  // namespace parley::inline v0::sync
