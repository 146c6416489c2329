// A channel for one pointer, in one word, with one sender and one receiver at a time (TH §3.1.3). Null means empty. A
// task channel needs no more, because each request is answered once (I2, I6). The word lies in the cache line on which
// the thief spins. Its receiver is the thief, its sender the worker that has claimed the thief's request (I5). The
// claim word orders one sender after the other. A sender may take back what it has sent. Then both take the pointer out
// by a read-modify-write, so one of them has it.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>

namespace parley::inline v0::sync {

template <class T>
class spsc_slot {
public:
    // Sender only; the slot is empty (one answer per request: I2). Release: pairs with receive().
    void send(T* value) noexcept { value_.store(value, std::memory_order_release); }

    // Receiver only, if no sender takes anything back. Acquire: what the value points to is visible.
    [[nodiscard]] T* receive() noexcept {
        T* value = value_.load(std::memory_order_acquire);
        // Relaxed: the next sender is ordered after this, by a word of its own.
        if (value != nullptr) value_.store(nullptr, std::memory_order_relaxed);
        return value;
    }

    // Receiver only, if senders may take back what they have sent. Acquire: see receive(). The next sender is ordered
    // after this by the claim word. The one that has the answer sets it home.
    [[nodiscard]] T* take() noexcept { return value_.exchange(nullptr, std::memory_order_acquire); }

    // For a thread that has sent `value`. Returns what lay there, if it was that; then it is the caller's. Else null. The
    // receiver may have taken the value long ago, and another sender may have sent one at that address since. Then the
    // caller has got that one. Acquire: so what it points to is visible. Relaxed: if another one lies there, nothing
    // happens.
    [[nodiscard]] T* take_back(const T* value) noexcept {
        T* there = value_.load(std::memory_order_relaxed);
        if (there != value) return nullptr;
        const bool is_mine =
            value_.compare_exchange_strong(there, nullptr, std::memory_order_acquire, std::memory_order_relaxed);
        return is_mine ? there : nullptr;
    }

    [[nodiscard]] bool peek() const noexcept { return value_.load(std::memory_order_acquire) != nullptr; }

private:
    atomic<T*> value_{nullptr};
};

}  // namespace parley::inline v0::sync
