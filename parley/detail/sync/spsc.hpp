// A channel for one pointer, in one word, with one sender and one receiver at a time (TH §3.1.3). Null means empty. A
// task channel needs no more, because each request is answered once (I2, I6). The word lies in the cache line on which
// the thief spins. Its receiver is the thief, its sender the worker that has claimed the thief's request (I5). The
// claim word orders one sender after the other.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>

namespace parley::inline v0::sync {

template <class T>
class spsc_slot {
public:
    // Sender only; the slot is empty (one answer per request: I2). Release: pairs with receive().
    void send(T* value) noexcept { value_.store(value, std::memory_order_release); }

    // Receiver only. Acquire: what the value points to is visible.
    [[nodiscard]] T* receive() noexcept {
        T* value = value_.load(std::memory_order_acquire);
        // Relaxed: the next sender is ordered after this by the claim word (thief sets it home).
        if (value != nullptr) value_.store(nullptr, std::memory_order_relaxed);
        return value;
    }

    [[nodiscard]] bool peek() const noexcept { return value_.load(std::memory_order_acquire) != nullptr; }

private:
    atomic<T*> value_{nullptr};
};

}  // namespace parley::inline v0::sync
