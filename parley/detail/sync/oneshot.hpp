// One-shot channels carry a result that is sent once and received once.
#pragma once

#include <parley/detail/base/completion_word.hpp>
#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

enum class outcome : std::uint8_t { pending, value, error, dropped };

// The receiver is known from the start, and the slot lies in its frame, beside the result. One word first names the
// receiver, then says the outcome; two words would cost one more store per fork.
template <class Receiver>
class oneshot {
public:
    explicit oneshot(Receiver* receiver) noexcept : word_(reinterpret_cast<std::uintptr_t>(receiver)) {}

    // Sender only, before send(). Relaxed: it was set before the sender got the record.
    [[nodiscard]] Receiver* receiver() const noexcept {
        return reinterpret_cast<Receiver*>(word_.load(std::memory_order_relaxed));
    }

    // Sender only, as its last access to the frame: when the receiver sees the outcome, it may return and use the
    // memory again. Release: pairs with get().
    void send(outcome result) noexcept { word_.store(static_cast<std::uintptr_t>(result), std::memory_order_release); }

    [[nodiscard]] outcome get() const noexcept {
        const std::uintptr_t word = word_.load(std::memory_order_acquire);
        return word < 4 ? static_cast<outcome>(word) : outcome::pending;  // no object lies below 4
    }

private:
    atomic<std::uintptr_t> word_;
};

// A result with any number of receivers, who say so when they begin to wait. One word holds whom to wake: nobody, one
// waiter by its number, or a set of several. At last it holds `done`. A receiver that changes
// the word after the sender sees `done`; the sender sees all that came before. Receivers need no place of their own for
// this, so none has to outlive the sender's last look.
class completion {
public:
    using word = base::completion_word;
    using woken = word::woken;

    // Receiver: asks to be woken, by a number that is not `nobody`. False: already complete. acq_rel: if complete, the
    // result is visible; if not, the sender sees whom to wake.
    [[nodiscard]] bool announce(std::uint32_t waiter) noexcept {
        std::uint32_t seen = word_.load(std::memory_order_acquire);
        while (seen != word::done)
            if (word_.compare_exchange_weak(seen, word::with(seen, waiter), std::memory_order_acq_rel,
                                            std::memory_order_acquire))
                return true;
        return false;
    }

    // For a thread that knows that nothing has been sent: has anybody asked? Relaxed: the result is only a hint.
    [[nodiscard]] bool is_asked_for() const noexcept { return word_.load(std::memory_order_relaxed) != word::nobody; }

    // Sender only, as its last access: publishes the result and returns whom to wake. A receiver that sees it may free
    // this object.
    [[nodiscard]] woken complete() noexcept { return woken(word_.exchange(word::done, std::memory_order_acq_rel)); }

    // Acquire: pairs with complete().
    [[nodiscard]] bool is_complete() const noexcept { return word_.load(std::memory_order_acquire) == word::done; }

private:
    atomic<std::uint32_t> word_{word::nobody};
};

}  // namespace parley::inline v0::sync
