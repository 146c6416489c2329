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

// A result whose receivers, any number of them, make themselves known when they begin to wait. One word holds whom to
// wake: nobody, one waiter by its number, or a set of several; and `done` at last. Whoever changes the word second
// learns of the other: a receiver that comes too late sees `done`, and the sender sees all that came in time. Receivers
// need no place of their own for this, so none has to outlive the sender's last look.
class completion {
public:
    static constexpr std::uint32_t nobody = 0;
    static constexpr std::uint32_t waiters = (std::uint32_t{1} << 31) - 1;  // their numbers lie below it

    // Whom to wake. Of several, a number stands for all that are as much modulo `kinds` as it is: those among them that
    // do not wait are woken in vain, and nobody is forgotten.
    class woken {
    public:
        static constexpr std::uint32_t kinds = 30;

        explicit woken(std::uint32_t word) noexcept : word_(word) {}
        [[nodiscard]] bool nobody() const noexcept { return word_ == completion::nobody; }
        [[nodiscard]] bool several() const noexcept { return (word_ & set) != 0; }
        // Unless there are several.
        [[nodiscard]] std::uint32_t the_one() const noexcept { return word_; }
        [[nodiscard]] bool has(std::uint32_t waiter) const noexcept {
            return several() ? (word_ & kind_of(waiter)) != 0 : word_ == waiter;
        }

    private:
        friend class completion;
        static constexpr std::uint32_t set = std::uint32_t{1} << 31;
        static constexpr std::uint32_t kind_of(std::uint32_t waiter) noexcept { return std::uint32_t{1} << waiter % kinds; }

        std::uint32_t word_;
    };

    // Receiver: asks to be woken, by a number that is not `nobody`. False: already complete. acq_rel: if complete, the
    // result is visible; if not, the sender sees whom to wake.
    [[nodiscard]] bool announce(std::uint32_t waiter) noexcept {
        std::uint32_t seen = word_.load(std::memory_order_acquire);
        while (seen != done)
            if (word_.compare_exchange_weak(seen, with(seen, waiter), std::memory_order_acq_rel,
                                            std::memory_order_acquire))
                return true;
        return false;
    }

    // Whoever knows that nothing has been sent: has anybody asked? Relaxed: no more than a look.
    [[nodiscard]] bool is_asked_for() const noexcept { return word_.load(std::memory_order_relaxed) != nobody; }

    // Sender: publishes the result and returns whom to wake. Its last access: a receiver may free this as soon as it
    // sees that it is complete.
    [[nodiscard]] woken complete() noexcept { return woken(word_.exchange(done, std::memory_order_acq_rel)); }

    // Acquire: pairs with complete().
    [[nodiscard]] bool is_complete() const noexcept {
        return word_.load(std::memory_order_acquire) == done;
    }

    // The words themselves, for a simulator. A set has 30 kinds, so it is never `done`.
    static constexpr std::uint32_t done = ~std::uint32_t{0};

    // What announce() makes of a word that is not `done`.
    [[nodiscard]] static constexpr std::uint32_t with(std::uint32_t before, std::uint32_t waiter) noexcept {
        if (before == nobody || before == waiter) return waiter;
        const std::uint32_t others = (before & woken::set) != 0 ? before : woken::set | woken::kind_of(before);
        return others | woken::kind_of(waiter);
    }

private:
    std::atomic<std::uint32_t> word_{nobody};
};

}  // namespace parley::inline v0::channel
