// The word in which the sender of a future's result meets those that wait for it. A wait that keeps its stack announces
// itself by a number. What keeps none attaches a continuation, an object of its own that the sender calls.
//
// The word has one of three kinds of values:
//   waiters  The upper half says who is to be woken (base::completion_word). Zero is nobody.
//   list     The address of the newest continuation, and `is_list`. `others_wait`: waits have announced themselves, too.
//            Their numbers are forgotten, and everybody is woken. Only shared futures have waits of both sorts.
//   done     `is_done`, and what the sender said.
// Everybody changes the word by read-modify-writes, and it stays once it is done. So:
//   1. Sender and receiver meet on this word alone. Either attach() comes first in its order, and complete() returns the
//      continuation. Or complete() comes first, and attach() returns false. There is no third case.
//   2. attach() releases, and complete() acquires. Between the two lie only other read-modify-writes, which continue the
//      release sequence. So the sender sees the contents of each continuation that complete() returns.
//   3. complete() releases. attach() and announce() acquire where they find `done`, and so does is_complete(). So a receiver
//      that does not wait sees the result. A continuation is called by the sender, after the result.
//   4. complete() is the sender's last access to the word. A receiver that sees `done` may free it at once.
//   5. A continuation is not freed before it is called. So the list that complete() returns stays as it is while the
//      sender walks it, except for those that it has called.
//   6. A continuation that attach() has refused is in no list.
// There is no ABA problem: attach() only needs the head of the list to be the one that it linked to.
#pragma once

#include <parley/detail/base/completion_word.hpp>
#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

// It lies in the object that waits, which must not move.
struct continuation {
    continuation* next = nullptr;
};

class future_word {
public:
    using waiters = base::completion_word::woken;

    // All that waited when the result came.
    class woken {
    public:
        explicit woken(std::uint64_t word) noexcept : word_(word) {}
        [[nodiscard]] bool nobody() const noexcept { return word_ == 0; }
        [[nodiscard]] future_word::waiters waiters() const noexcept { return future_word::waiters(numbers_in(word_)); }
        // The continuations, the newest first, or null.
        [[nodiscard]] continuation* first() const noexcept {
            return (word_ & is_list) != 0 ? reinterpret_cast<continuation*>(word_ & ~marks) : nullptr;
        }

    private:
        std::uint64_t word_;
    };

    // Receiver: asks to be woken, by a number that is not `nobody`. False: already complete.
    [[nodiscard]] bool announce(std::uint32_t waiter) noexcept {
        return change([waiter](std::uint64_t seen) {
            if ((seen & is_list) != 0) return seen | others_wait;
            return std::uint64_t{base::completion_word::with(numbers_in(seen), waiter)} << of_numbers;
        });
    }

    // Receiver: asks to be called. False: already complete.
    [[nodiscard]] bool attach(continuation& c) noexcept {
        return change([&c](std::uint64_t seen) {
            const woken before(seen);
            c.next = before.first();
            const std::uint64_t others = before.waiters().nobody() ? 0 : others_wait;
            return reinterpret_cast<std::uintptr_t>(&c) | is_list | others;
        });
    }

    // Sender only, as its last access: publishes the result, and `said` with it, which is below 2^8. Returns all that
    // wait. A receiver that sees the result may free this object.
    [[nodiscard]] woken complete(unsigned said) noexcept {
        return woken(word_.exchange(said << of_said | is_done, std::memory_order_acq_rel));
    }

    // Acquire: pairs with complete().
    [[nodiscard]] bool is_complete() const noexcept { return (word_.load(std::memory_order_acquire) & is_done) != 0; }
    // What the sender said, for a thread that has seen that it is complete.
    [[nodiscard]] unsigned said() const noexcept {
        return static_cast<unsigned>(word_.load(std::memory_order_relaxed)) >> of_said;
    }

private:
    static constexpr std::uint64_t is_done = 1, is_list = 2, others_wait = 4;
    static constexpr std::uint64_t marks = alignof(continuation) - 1;
    static_assert((is_done | is_list | others_wait) <= marks);
    static constexpr unsigned of_said = 8, of_numbers = 32;

    [[nodiscard]] static std::uint32_t numbers_in(std::uint64_t word) noexcept {
        if ((word & is_list) == 0) return static_cast<std::uint32_t>(word >> of_numbers);
        return (word & others_wait) != 0 ? base::completion_word::everybody : base::completion_word::nobody;
    }

    template <class F>
    [[nodiscard]] bool change(F changed) noexcept {
        std::uint64_t seen = word_.load(std::memory_order_acquire);
        while ((seen & is_done) == 0)
            if (word_.compare_exchange_weak(seen, changed(seen), std::memory_order_acq_rel, std::memory_order_acquire))
                return true;
        return false;
    }

    atomic<std::uint64_t> word_{0};
};

}  // namespace parley::inline v0::sync
