// Who is cancelled: the root tasks that run at a moment, all of them.
//
// One word counts the root tasks and says whether they are being cancelled, so a cancellation is either ended by the
// last root task that it concerns, or does not begin. No lock: whoever cancels may be a signal handler, and may have
// interrupted anything below.
//   canceller   if (request()) { tell everybody; if (told()) { take it back; taken_back(); } }
//   root task   if (!root_begins()) leave; ...; if (root_ends()) { take it back; taken_back(); }
// Telling and taking back never overlap: `busy` is held by whoever does either, and while it is held by the teller, a
// last root task leaves taking back to it.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class cancellation {
public:
    // False: others are being cancelled.
    [[nodiscard]] bool root_begins() noexcept {
        word seen = word_.load(std::memory_order_seq_cst);
        do {
            if ((seen & on) != 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen + 1, std::memory_order_seq_cst));
        return true;
    }
    // While others are being cancelled: counts like a root task, so that nothing is taken back before root_ends(). False:
    // none are.
    [[nodiscard]] bool joins() noexcept {
        word seen = word_.load(std::memory_order_seq_cst);
        do {
            if ((seen & on) == 0 || (seen & roots) == 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen + 1, std::memory_order_seq_cst));
        return true;
    }
    // True: the caller takes back what the others were told.
    [[nodiscard]] bool root_ends() noexcept {
        word seen = word_.load(std::memory_order_relaxed);
        while (!word_.compare_exchange_weak(seen, after_end(seen), std::memory_order_seq_cst, std::memory_order_relaxed)) {}
        return (seen & busy) == 0 && (after_end(seen) & busy) != 0;
    }

    // No root task runs, and all that have run are done with this object. Pairs with their last access to it.
    [[nodiscard]] bool is_left_alone() const noexcept { return word_.load(std::memory_order_seq_cst) == 0; }

    // True: the caller tells everybody, then calls told(). False: no root task runs, or they are being cancelled.
    [[nodiscard]] bool request() noexcept {
        word seen = word_.load(std::memory_order_seq_cst);
        do {
            if ((seen & on) != 0 || (seen & roots) == 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen | on | busy, std::memory_order_seq_cst));
        return true;
    }
    // True: the last root task has ended meanwhile, and the caller takes back what it told.
    [[nodiscard]] bool told() noexcept {
        word seen = word_.load(std::memory_order_relaxed);
        do {
            if ((seen & roots) == 0) return true;
        } while (!word_.compare_exchange_weak(seen, seen & ~busy, std::memory_order_seq_cst, std::memory_order_relaxed));
        return false;
    }
    // No root task has begun since: they leave while it is on.
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

    std::atomic<word> word_{0};
};

}  // namespace parley::inline v0::sync
