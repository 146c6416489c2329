// Values that one thread writes and others may read.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace parley::inline v0::sync {

// A count for observers (statistics). It has a single writer, promises no order, and needs no read-modify-write.
class counter {
public:
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    void take_off() noexcept { value_.store(value_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    atomic<std::uint64_t> value_{0};
};

// A count whose readers rely on it: a thread that reads n sees what the single writer did before the n-th add().
// Release: pairs with the acquire in get().
class published_counter {
public:
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_release);
    }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_acquire); }
    // For the writer itself.
    [[nodiscard]] std::uint64_t own() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    atomic<std::uint64_t> value_{0};
};

// A value of one writer, with a place in the single total order over all such values. The detection of termination
// needs that: `idle := true; is a barrier open?` against `barrier := open; who is idle?` (I4).
template <class T>
    requires std::is_trivially_copyable_v<T>
class published {
public:
    explicit published(T initial = T{}) noexcept : value_(initial) {}
    void set(T value) noexcept { value_.store(value, std::memory_order_seq_cst); }
    [[nodiscard]] T get() const noexcept { return value_.load(std::memory_order_seq_cst); }
    // For the writer itself.
    [[nodiscard]] T own() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    atomic<T> value_;
};

// A count with many writers.
class shared_counter {
public:
    std::uint64_t add(std::uint64_t n = 1) noexcept { return value_.fetch_add(n, std::memory_order_seq_cst); }
    void take_off() noexcept { value_.fetch_sub(1, std::memory_order_seq_cst); }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_seq_cst); }

private:
    atomic<std::uint64_t> value_{0};
};

// A value that one thread shows and others may look at. Nothing that matters depends on when they see it.
template <class T>
    requires std::is_trivially_copyable_v<T>
class hint {
public:
    constexpr explicit hint(T initial = T{}) noexcept : value_(initial) {}
    void set(T value) noexcept { value_.store(value, std::memory_order_relaxed); }
    [[nodiscard]] T get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    atomic<T> value_;
};

}  // namespace parley::inline v0::sync
