// Waits in the kernel for a 32-bit word to change (futex(2)). Nothing else calls it.
#pragma once

#include <parley/detail/sync/atomic.hpp>

#include <chrono>
#include <cstdint>

namespace parley::inline v0::sync {

// Returns when `word` no longer holds `expected`, when somebody wakes it, or for no reason at all:
// the caller looks again. Never returns an error; an interrupting signal is a spurious wake.
void futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// Like futex_wait(), but also returns when `longest` has passed.
void futex_wait_for(const atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds longest) noexcept;

// Wakes up to `count` waiters of `word`. Only the address is used: the word is not read.
void futex_wake(const atomic<std::uint32_t>& word, int count) noexcept;

}  // namespace parley::inline v0::sync
