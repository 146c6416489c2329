// An order that only the compiler has to keep, between a thread and a signal handler on it. In sync/biased_lock.hpp the
// kernel puts the barriers. The laboratory puts a fence of its own here, as in sync/atomic.hpp.
#pragma once

#ifdef PARLEY_COMPILER_FENCE
#include PARLEY_COMPILER_FENCE
#else

namespace parley::inline v0::base {

[[gnu::always_inline]] inline void compiler_fence() noexcept { asm volatile("" ::: "memory"); }

}  // namespace parley::inline v0::base

#endif
