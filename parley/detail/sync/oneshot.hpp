// One-shot channels: a result that is sent once and received once.
#pragma once

#include <parley/detail/base/completion_word.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

enum class outcome : std::uint8_t { pending, value, error, dropped };

// A result whose receiver is known from the start: the slot lies beside it, in the receiver's frame.
// One word that first names the receiver, then the outcome: one store less per fork than two words.
template <class Receiver>
class oneshot {
public:
    explicit oneshot(Receiver* receiver) noexcept : word_(reinterpret_cast<std::uintptr_t>(receiver)) {}

    // Sender only, before send(). Relaxed: set before the record was handed to the sender.
    [[nodiscard]] Receiver* receiver() const noexcept {
        return reinterpret_cast<Receiver*>(word_.load(std::memory_order_relaxed));
    }

    // Sender only, and its last access to the frame: the receiver may return and reuse the memory
    // as soon as it sees the outcome. Release: pairs with get().
    void send(outcome result) noexcept { word_.store(static_cast<std::uintptr_t>(result), std::memory_order_release); }

    [[nodiscard]] outcome get() const noexcept {
        const std::uintptr_t word = word_.load(std::memory_order_acquire);
        return word < 4 ? static_cast<outcome>(word) : outcome::pending;  // no object lies below 4
    }

private:
    std::atomic<std::uintptr_t> word_;
};

// A result whose receivers, any number of them, make themselves known when they begin to wait. One word holds whom to
// wake: nobody, one waiter by its number, or a set of several; and `done` at last. Whoever changes the word second
// learns of the other: a receiver that comes too late sees `done`, and the sender sees all that came in time. Receivers
// need no place of their own for this, so none has to outlive the sender's last look.
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

    // Whoever knows that nothing has been sent: has anybody asked? Relaxed: no more than a look.
    [[nodiscard]] bool is_asked_for() const noexcept { return word_.load(std::memory_order_relaxed) != word::nobody; }

    // Sender: publishes the result and returns whom to wake. Its last access: a receiver may free this as soon as it
    // sees that it is complete.
    [[nodiscard]] woken complete() noexcept { return woken(word_.exchange(word::done, std::memory_order_acq_rel)); }

    // Acquire: pairs with complete().
    [[nodiscard]] bool is_complete() const noexcept { return word_.load(std::memory_order_acquire) == word::done; }

private:
    std::atomic<std::uint32_t> word_{word::nobody};
};

}  // namespace parley::inline v0::sync
