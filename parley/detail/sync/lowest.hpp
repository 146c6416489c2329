// The lowest of the numbers that several threads name.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace parley::inline v0::sync {

class lowest {
public:
    explicit lowest(std::uint64_t initial) noexcept : value_(initial) {}

    // Relaxed: no data goes with the number. Data that must be ordered goes through a channel.
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
    void lower_to(std::uint64_t n) noexcept {
        std::uint64_t seen = get();
        while (n < seen && !value_.compare_exchange_weak(seen, n, std::memory_order_relaxed)) {}
    }

private:
    atomic<std::uint64_t> value_;
};

}  // namespace parley::inline v0::sync
