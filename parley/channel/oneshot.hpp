// One-shot channels: a result that is sent once and received once.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::channel {

enum class outcome : std::uint8_t { pending, value, error, dropped };

// A result whose receiver is known from the start: the slot lies beside it, in the receiver's frame.
// One word that first names the receiver, then the outcome: one store less per fork than two words.
template <class Receiver>
class oneshot {
public:
    explicit oneshot(Receiver* receiver) noexcept
        : word_(reinterpret_cast<std::uintptr_t>(receiver)) {}

    // Sender only, before send(). Relaxed: set before the record was handed to the sender.
    [[nodiscard]] Receiver* receiver() const noexcept {
        return reinterpret_cast<Receiver*>(word_.load(std::memory_order_relaxed));
    }

    // Sender only, and its last access to the frame: the receiver may return and reuse the memory
    // as soon as it sees the outcome. Release: pairs with get().
    void send(outcome result) noexcept {
        word_.store(static_cast<std::uintptr_t>(result), std::memory_order_release);
    }

    [[nodiscard]] outcome get() const noexcept {
        const std::uintptr_t word = word_.load(std::memory_order_acquire);
        return word < 4 ? static_cast<outcome>(word) : outcome::pending;  // no object lies below 4
    }

private:
    std::atomic<std::uintptr_t> word_;
};

// A result whose receiver makes itself known when it begins to wait: the word holds `pending`, the
// number of the waiter, or `done`, and whoever changes it second learns of the other.
class completion {
public:
    static constexpr std::uint32_t nobody = 0;

    // Receiver: asks to be woken. False: already complete. acq_rel: if complete, the result is
    // visible; if not, the sender sees whom to wake.
    [[nodiscard]] bool announce(std::uint32_t waiter) noexcept {
        std::uint32_t seen = word_.load(std::memory_order_acquire);
        while (seen != done)
            if (word_.compare_exchange_weak(seen, waiter, std::memory_order_acq_rel,
                                            std::memory_order_acquire))
                return true;
        return false;
    }

    // Whoever knows that nothing has been sent: has anybody asked? Relaxed: no more than a look.
    [[nodiscard]] bool is_asked_for() const noexcept { return word_.load(std::memory_order_relaxed) != nobody; }

    // Sender: publishes the result and returns whom to wake, or `nobody`. Its last access: the receiver may
    // free this as soon as it sees that it is complete.
    [[nodiscard]] std::uint32_t complete() noexcept {
        return word_.exchange(done, std::memory_order_acq_rel);
    }

    // Acquire: pairs with complete().
    [[nodiscard]] bool is_complete() const noexcept {
        return word_.load(std::memory_order_acquire) == done;
    }

private:
    static constexpr std::uint32_t done = ~std::uint32_t{0};
    std::atomic<std::uint32_t> word_{nobody};
};

}  // namespace parley::inline v0::channel
