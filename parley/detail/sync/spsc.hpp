// One sender, one receiver at a time: a bounded FIFO ring, wait-free on both sides ([TH §3.1],
// after Lamport 1983). A task channel has one receiver, the thief, and at any moment at most one
// sender, whoever claimed the thief's request (design: I5); the claim word orders one sender after
// the other.
#pragma once

#include <parley/detail/base/cache_line.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

namespace parley::inline v0::sync {

template <class T, std::size_t Capacity>
    requires(Capacity > 0 && (Capacity & (Capacity - 1)) == 0)
class spsc {
public:
    // Sender only. False: full.
    [[nodiscard]] bool send(T value) noexcept {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        // Acquire: pairs with receive(), which has read the slot that is about to be overwritten.
        if (tail - head_.load(std::memory_order_acquire) == Capacity) return false;
        slots_[tail % Capacity] = std::move(value);
        // Release: pairs with the load of tail_ in receive().
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

    // Receiver only.
    [[nodiscard]] std::optional<T> receive() noexcept {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        // Acquire: pairs with send(): the slot is filled.
        if (tail_.load(std::memory_order_acquire) == head) return std::nullopt;
        std::optional<T> value(std::move(slots_[head % Capacity]));
        // Release: pairs with the load of head_ in send(): the slot may be reused.
        head_.store(head + 1, std::memory_order_release);
        return value;
    }

    // Either side: is there something to receive? True stays true for the receiver, false for the
    // sender.
    [[nodiscard]] bool peek() const noexcept {
        return tail_.load(std::memory_order_acquire) != head_.load(std::memory_order_acquire);
    }

private:
    alignas(base::cache_line) std::atomic<std::size_t> tail_{0};  // written by the sender
    std::array<T, Capacity> slots_{};
    alignas(base::cache_line) std::atomic<std::size_t> head_{0};  // written by the receiver
};

// The same with room for one pointer, in one word: null is empty. What a task channel is when each
// thief has one request out per channel: it fits into the line on which the thief spins.
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

    [[nodiscard]] bool peek() const noexcept {
        return value_.load(std::memory_order_acquire) != nullptr;
    }

private:
    std::atomic<T*> value_{nullptr};
};

}  // namespace parley::inline v0::sync
