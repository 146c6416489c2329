// The attention word, and the parker that sleeps on it. Whatever wants a worker to look up sets a bit in the word.
//
// Because both use one word, no wake-up is lost (I8):
// 1. Falling asleep is one compare-and-swap, which fails while a waking bit is set.
// 2. Raising a bit is one read-modify-write, which returns whether the owner sleeps.
// 3. The modification order of the word decides. If the bit came first, the owner does not fall asleep. If sleep came
//    first, the thread that raises the bit wakes the owner.
// So no second word has to be ordered against the first.
#pragma once

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/futex.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::sync {

class attention {
public:
    using bits = std::uint32_t;
    static constexpr bits asleep = bits{1} << 31;  // owned by the parker

    // The fast path of every fork, spawn and poll: one plain load. Relaxed: the result only decides whether to look. A
    // worker that looks uses get(), lower() or a channel.
    [[nodiscard]] bool any() const noexcept { return word_.load(std::memory_order_relaxed) != 0; }

    // seq_cst: pairs with a depositor's `deposit; get()` (see lobby.hpp). In the single total order either the
    // depositor sees the bit still set, or the owner's look after lower() sees the deposit.
    [[nodiscard]] bits get() const noexcept { return word_.load(std::memory_order_seq_cst); }

    // For others: is the owner asleep, or about to be?
    [[nodiscard]] bool is_asleep() const noexcept { return (get() & asleep) != 0; }

    // Sets bits, wakes nobody, and returns the word as it was. It is a seq_cst read-modify-write: a release of what was
    // done before, which pairs with lower(). A plain store would wipe out others' bits.
    bits raise(bits which) noexcept { return word_.fetch_or(which, std::memory_order_seq_cst); }

    // Sets bits and wakes the owner if it sleeps. The word must outlive the call. So it lives in a worker, and not in a
    // frame that may return when the bit is raised.
    void raise_and_wake(bits which) noexcept {
        if ((raise(which) & asleep) != 0) wake();
    }
    // Completes raise_and_wake(): a thread that has raised a bit and has seen `asleep` must call this.
    void wake() noexcept { futex_wake(word_, 1); }

    // Sets bits, and wakes the owner if it sleeps and has also raised `mark`.
    void raise_and_wake_if(bits mark, bits which) noexcept {
        const bits both = asleep | mark;
        if ((raise(which) & both) == both) wake();
    }

    // Owner only. seq_cst read-modify-write: acquires what was done before the raise() of every bit
    // that it clears.
    void lower(bits which) noexcept { word_.fetch_and(~which, std::memory_order_seq_cst); }

private:
    friend class parker;
    atomic<bits> word_{0};
};

// The owner sleeps on its attention word in two steps, and looks at its condition in between:
//   1. prepare() marks the word asleep, or fails because a waking bit is set.
//   2. The owner looks at everything that a raise_and_wake() announces.
//   3. commit() sleeps until a waking bit is set, or cancel() gives up.
// A thread that makes the condition true does so before raise_and_wake(). The word's modification order decides:
//   a. The raise precedes prepare(). Then prepare() fails, or the bit was lowered before. In that case step 2 sees the
//      condition, because lower() has acquired it.
//   b. The raise follows prepare(). Then raise_and_wake() reads `asleep` and wakes.
class parker {
public:
    parker(attention& word, attention::bits waking) noexcept : word_(word.word_), waking_(waking) {}

    // acq_rel: acquires what raisers of other bits did. What the owner did before stays before.
    [[nodiscard]] bool prepare() noexcept {
        attention::bits seen = word_.load(std::memory_order_relaxed);
        do {
            if ((seen & waking_) != 0) return false;
        } while (!word_.compare_exchange_weak(seen, seen | attention::asleep, std::memory_order_seq_cst,
                                              std::memory_order_relaxed));
        return true;
    }

    void commit() noexcept {
        for (;;) {
            // Acquire: pairs with the raise() that set the waking bit.
            const attention::bits seen = word_.load(std::memory_order_acquire);
            if ((seen & waking_) != 0) break;
            futex_wait(word_, seen);  // also returns when an unrelated bit changes: look again
        }
        cancel();
    }

    // Like commit(), but returns after `longest` at the latest. It may return earlier for no reason.
    void commit_for(std::chrono::nanoseconds longest) noexcept {
        const attention::bits seen = word_.load(std::memory_order_acquire);
        if ((seen & waking_) == 0) futex_wait_for(word_, seen, longest);
        cancel();
    }

    // Waits for `longest` at most and leaves the word marked asleep. True: a waking bit is set.
    [[nodiscard]] bool wait_for(std::chrono::nanoseconds longest) noexcept {
        const attention::bits seen = word_.load(std::memory_order_acquire);
        if ((seen & waking_) != 0) return true;
        futex_wait_for(word_, seen, longest);
        return (word_.load(std::memory_order_acquire) & waking_) != 0;
    }

    void cancel() noexcept { word_.fetch_and(~attention::asleep, std::memory_order_seq_cst); }

private:
    atomic<attention::bits>& word_;
    attention::bits waking_;
};

}  // namespace parley::inline v0::sync
