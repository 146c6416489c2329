// Values that one party writes and others may read.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace parley::inline v0::sync {

// A count for observers (statistics): single writer, no order promised, no read-modify-write.
class counter {
public:
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    void take_off() noexcept { value_.store(value_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

// A count that means something: whoever reads n sees what its single writer did before the n-th
// add(). Release: pairs with the acquire in get().
class published_counter {
public:
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_release);
    }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_acquire); }
    // The writer itself reads what it wrote.
    [[nodiscard]] std::uint64_t own() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

// A value of one writer whose place in one total order over all such values matters (termination:
// `idle := true; is a barrier open?` against `barrier := open; who is idle?`).
template <class T>
    requires std::is_trivially_copyable_v<T>
class published {
public:
    explicit published(T initial = T{}) noexcept : value_(initial) {}
    void set(T value) noexcept { value_.store(value, std::memory_order_seq_cst); }
    [[nodiscard]] T get() const noexcept { return value_.load(std::memory_order_seq_cst); }
    // The writer itself reads what it wrote.
    [[nodiscard]] T own() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<T> value_;
};

// A count with many writers.
class shared_counter {
public:
    std::uint64_t add(std::uint64_t n = 1) noexcept { return value_.fetch_add(n, std::memory_order_seq_cst); }
    void take_off() noexcept { value_.fetch_sub(1, std::memory_order_seq_cst); }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_seq_cst); }

private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace parley::inline v0::sync
