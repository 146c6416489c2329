// An order that only the compiler has to keep, between a thread and a signal handler on it.
#pragma once

namespace parley::inline v0::base {

[[gnu::always_inline]] inline void compiler_fence() noexcept { asm volatile("" ::: "memory"); }

}  // namespace parley::inline v0::base
