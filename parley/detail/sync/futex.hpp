// Waiting in the kernel for a 32-bit word to change (futex(2)); the only place that calls it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::sync {

// Returns when `word` no longer holds `expected`, when somebody wakes it, or for no reason at all:
// the caller looks again. Never returns an error; an interrupting signal is a spurious wake.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// The same, and also returns when `longest` has passed.
void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::chrono::nanoseconds longest) noexcept;

// Wakes up to `count` waiters of `word`. Only the address is used: the word is not read.
void futex_wake(const std::atomic<std::uint32_t>& word, int count) noexcept;

}  // namespace parley::inline v0::sync
