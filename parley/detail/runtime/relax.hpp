// What a spin loop does between two looks.
#pragma once

#include <parley/detail/protocol/machine_parts.hpp>

#include <sched.h>

namespace parley::inline v0::threading {

// A hint to the processor that this is a spin loop: a hardware thread beside it runs faster.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Lets another thread have this core, if one waits for it. Takes under half a microsecond if none does.
inline void give_way() noexcept { sched_yield(); }

// Where requests circulate, one may be with a thread that waits for this very core.
inline void wait_a_moment() noexcept {
    if constexpr (protocol::requests_circulate) give_way();
    else relax();
}

}  // namespace parley::inline v0::threading
