// An order that only the compiler has to keep: between a thread and what interrupts it.
#pragma once

#include <atomic>

namespace parley::inline v0::sync {

[[gnu::always_inline]] inline void compiler_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace parley::inline v0::sync
