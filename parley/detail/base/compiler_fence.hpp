// An order that only the compiler has to keep, between a thread and a signal handler on it, or a thread that has the kernel
// put barriers into all others (sync/biased_lock.hpp). The laboratory puts a fence of its own here, as in sync/atomic.hpp.
#pragma once

#ifdef PARLEY_COMPILER_FENCE
#include PARLEY_COMPILER_FENCE
#else

namespace parley::inline v0::base {

[[gnu::always_inline]] inline void compiler_fence() noexcept { asm volatile("" ::: "memory"); }

}  // namespace parley::inline v0::base

#endif
