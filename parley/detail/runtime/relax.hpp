// What a spin loop does between two looks.
#pragma once

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

// Lets another thread have this core, if one waits for it. Under half a microsecond if none does.
inline void give_way() noexcept { sched_yield(); }

}  // namespace parley::inline v0::threading
