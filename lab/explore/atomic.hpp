// The library's atomics where the explorer runs it (parley/detail/sync/atomic.hpp): each operation is a place where another
// thread may go on instead. Only one thread runs at a time, so that all operations are seq_cst, whatever order they name.
#pragma once

#include <lab/explore/point.hpp>

#include <atomic>

namespace parley::inline v0::sync {

template <class T>
class atomic {
public:
    using value_type = T;
    static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

    constexpr atomic() noexcept = default;
    constexpr atomic(T initial) noexcept : value_(initial) {}  // NOLINT(google-explicit-constructor): as that of std::atomic
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order order = std::memory_order_seq_cst) const noexcept {
        explore::point(explore::does::reads, this);
        return value_.load(order);
    }
    void store(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::writes, this);
        value_.store(value, order);
    }
    T exchange(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::changes, this);
        return value_.exchange(value, order);
    }
    bool compare_exchange_strong(T& seen, T next, std::memory_order = std::memory_order_seq_cst,
                                 std::memory_order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::changes, this);
        return value_.compare_exchange_strong(seen, next);
    }
    // It does not fail without a reason: its callers are loops that try again.
    bool compare_exchange_weak(T& seen, T next, std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) noexcept {
        return compare_exchange_strong(seen, next);
    }
    T fetch_add(T by, std::memory_order order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::changes, this);
        return value_.fetch_add(by, order);
    }
    T fetch_sub(T by, std::memory_order order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::changes, this);
        return value_.fetch_sub(by, order);
    }
    T fetch_or(T bits, std::memory_order order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::changes, this);
        return value_.fetch_or(bits, order);
    }
    T fetch_and(T bits, std::memory_order order = std::memory_order_seq_cst) noexcept {
        explore::point(explore::does::changes, this);
        return value_.fetch_and(bits, order);
    }

private:
    std::atomic<T> value_{};
};

}  // namespace parley::inline v0::sync
