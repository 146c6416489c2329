// A record that one thread or process writes and others copy without a lock: a sequence lock. The version is odd while
// it is written; a copy is whole if the version was even and the same before and after. Who copies never waits for the
// writer, which may have died meanwhile.
//
// No fences: each field is stored with release and loaded with acquire. Who loads a new field thereby sees the odd
// version that was stored before it, and takes the copy for torn.
#pragma once

#include <atomic>
#include <cstdint>

namespace parley::inline v0::channel {

// Release: pairs with look().
template <class T>
void put(std::atomic<T>& field, T value) noexcept {
    field.store(value, std::memory_order_release);
}

// Acquire: pairs with put().
template <class T>
[[nodiscard]] T look(const std::atomic<T>& field) noexcept {
    return field.load(std::memory_order_acquire);
}

// The only writer. `write` put()s the fields. Returns the new version.
template <class Write>
std::uint32_t write_versioned(std::atomic<std::uint32_t>& version, Write&& write) noexcept {
    const std::uint32_t before = version.load(std::memory_order_relaxed) & ~std::uint32_t{1};
    // Relaxed: the fields' releases carry it.
    version.store(before + 1, std::memory_order_relaxed);
    write();
    // Release: pairs with the first load in copy_versioned(): who sees it sees the fields.
    version.store(before + 2, std::memory_order_release);
    return before + 2;
}

// `copy` look()s at the fields. Returns whether the copy is whole.
template <class Copy>
[[nodiscard]] bool copy_versioned(const std::atomic<std::uint32_t>& version, Copy&& copy) noexcept {
    // Acquire: pairs with the last store in write_versioned().
    const std::uint32_t before = version.load(std::memory_order_acquire);
    if (before % 2 != 0) return false;
    copy();
    // Relaxed: the fields' acquires keep it behind them.
    return version.load(std::memory_order_relaxed) == before;
}

}  // namespace parley::inline v0::channel
