// The attention word: whatever wants a worker to look up sets a bit in it; and the parker that
// sleeps on that same word.
//
// One word for both makes the sleeping protocol short: falling asleep is one compare-and-swap that
// fails while a waking bit is set, and raising a bit is one read-modify-write that returns whether
// the owner sleeps. Both act on one object, whose modification order decides who sees whom: either
// the bit came first, and the owner does not fall asleep, or sleep came first, and whoever raises
// the bit wakes. No wake-up can be lost, and no second word has to be ordered against the first.
#pragma once

#include <parley/detail/sync/futex.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::sync {

class attention {
public:
    using bits = std::uint32_t;
    static constexpr bits asleep = bits{1} << 31;  // owned by the parker

    // The fast path of every fork, spawn and poll: one plain load.
    // Relaxed: it only decides whether to look; whoever looks uses get(), lower() or a channel.
    [[nodiscard]] bool any() const noexcept { return word_.load(std::memory_order_relaxed) != 0; }

    // seq_cst: pairs with a depositor's `deposit; get()` (see lobby.hpp): in the single total order
    // either the depositor sees the bit still set, or the owner's look after lower() sees the
    // deposit.
    [[nodiscard]] bits get() const noexcept { return word_.load(std::memory_order_seq_cst); }

    // For others: is the owner asleep, or about to be?
    [[nodiscard]] bool is_asleep() const noexcept { return (get() & asleep) != 0; }

    // Sets bits and wakes nobody. Returns the word as it was.
    // seq_cst read-modify-write: a release for what was done before, paired with lower(); and never
    // a plain store, which would wipe out bits of others.
    bits raise(bits which) noexcept { return word_.fetch_or(which, std::memory_order_seq_cst); }

    // Sets bits and wakes the owner if it sleeps. The word must outlive the call: it lives in a
    // worker, never in a frame that the raised bit lets return.
    void raise_and_wake(bits which) noexcept {
        if ((raise(which) & asleep) != 0) wake();
    }
    // The second half of it: what whoever has raised a bit and has seen `asleep` owes the owner.
    void wake() noexcept { futex_wake(word_, 1); }

    // The same, if the owner has also raised `mark`.
    void raise_and_wake_if(bits mark, bits which) noexcept {
        const bits both = asleep | mark;
        if ((raise(which) & both) == both) wake();
    }

    // Owner only. seq_cst read-modify-write: acquires what was done before the raise() of every bit
    // that it clears.
    void lower(bits which) noexcept { word_.fetch_and(~which, std::memory_order_seq_cst); }

private:
    friend class parker;
    std::atomic<bits> word_{0};
};

// Sleeping on an attention word, by its owner only, in two steps, so that the condition can be
// looked at once more in between:
//   1. prepare() marks the word asleep, or fails because a waking bit is set;
//   2. the owner looks at everything that a raise_and_wake() announces;
//   3. commit() sleeps until a waking bit is set, or cancel() gives up.
// Whoever makes the condition true does so before raise_and_wake(). If that raise precedes
// prepare() in the word's modification order, prepare() fails or the bit was lowered before, and
// step 2 sees the condition (lower() acquired it); else raise_and_wake() reads `asleep` and wakes.
class parker {
public:
    parker(attention& word, attention::bits waking) noexcept : word_(word.word_), waking_(waking) {}

    // acq_rel: acquires what the raisers of other bits did; nothing of the owner may sink below it.
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

    // The same for `longest` at most, or less for no reason.
    void commit_for(std::chrono::nanoseconds longest) noexcept {
        const attention::bits seen = word_.load(std::memory_order_acquire);
        if ((seen & waking_) == 0) futex_wait_for(word_, seen, longest);
        cancel();
    }

    // The same, and stays marked asleep. True: a waking bit is set.
    [[nodiscard]] bool wait_for(std::chrono::nanoseconds longest) noexcept {
        const attention::bits seen = word_.load(std::memory_order_acquire);
        if ((seen & waking_) != 0) return true;
        futex_wait_for(word_, seen, longest);
        return (word_.load(std::memory_order_acquire) & waking_) != 0;
    }

    void cancel() noexcept { word_.fetch_and(~attention::asleep, std::memory_order_seq_cst); }

private:
    std::atomic<attention::bits>& word_;
    attention::bits waking_;
};

}  // namespace parley::inline v0::sync
