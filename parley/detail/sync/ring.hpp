// A bounded FIFO ring for one sender and one receiver. Its capacity and the size of its messages are known at run time.
// Both sides are wait-free (TH §3.1.3, listing 3.1, after Lamport 1983).
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace parley::inline v0::sync {

class ring {
public:
    // Both arguments are at least 1. Throws std::bad_alloc.
    ring(std::size_t message_bytes, std::size_t capacity)
        : bytes_(message_bytes),
          capacity_(capacity),
          places_(std::make_unique_for_overwrite<std::byte[]>(product(message_bytes, capacity))) {}

    [[nodiscard]] std::size_t message_bytes() const noexcept { return bytes_; }

    // Sender only; `size` is at most message_bytes(). False: full.
    [[nodiscard]] bool send(const void* data, std::size_t size) noexcept {
        const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
        // Acquire: pairs with receive(), which has read the place that is about to be overwritten.
        if (tail - head_seen_ == capacity_) head_seen_ = head_.load(std::memory_order_acquire);
        if (tail - head_seen_ == capacity_) return false;
        if (size != 0) std::memcpy(place(next_in_), data, size);
        // Release: pairs with the load of tail_ in receive() and count().
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

    // Receiver only; `size` is at most message_bytes(). False: empty.
    [[nodiscard]] bool receive(void* data, std::size_t size) noexcept {
        const std::uint64_t head = head_.load(std::memory_order_relaxed);
        // Acquire: pairs with send(): the place is filled.
        if (head == tail_seen_) tail_seen_ = tail_.load(std::memory_order_acquire);
        if (head == tail_seen_) return false;
        if (size != 0) std::memcpy(data, place(next_out_), size);
        // Release: pairs with the load of head_ in send(): the place may be used again.
        head_.store(head + 1, std::memory_order_release);
        return true;
    }

    // For any thread: the number of messages at one moment of the call. The head only grows. If it is the same before
    // and after the load of the tail, it was the same during that load. Acquire: the second load of the head comes
    // after that of the tail. A thread that sees a message counted sees it when it receives.
    [[nodiscard]] std::size_t count() const noexcept {
        std::uint64_t head = head_.load(std::memory_order_acquire);
        for (;;) {
            const std::uint64_t tail = tail_.load(std::memory_order_acquire);
            const std::uint64_t again = head_.load(std::memory_order_acquire);
            if (again == head) return static_cast<std::size_t>(tail - head);
            head = again;
        }
    }

private:
    static std::size_t product(std::size_t bytes, std::size_t capacity) {
        if (bytes > PTRDIFF_MAX / capacity) throw std::bad_alloc();
        return bytes * capacity;
    }

    // Returns the place at `position`, which moves on to the next one.
    std::byte* place(std::size_t& position) noexcept {
        std::byte* const at = places_.get() + position * bytes_;
        if (++position == capacity_) position = 0;
        return at;
    }

    const std::size_t bytes_;
    const std::size_t capacity_;
    const std::unique_ptr<std::byte[]> places_;

    // The sender's. It need not know the head, only that there is room.
    alignas(base::cache_line) atomic<std::uint64_t> tail_{0};
    std::uint64_t head_seen_ = 0;
    std::size_t next_in_ = 0;
    // The receiver's.
    alignas(base::cache_line) atomic<std::uint64_t> head_{0};
    std::uint64_t tail_seen_ = 0;
    std::size_t next_out_ = 0;
};

}  // namespace parley::inline v0::sync
