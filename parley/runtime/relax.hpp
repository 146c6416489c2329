// A hint to the processor that this is a spin loop: a hardware thread beside it runs faster.
#pragma once

namespace parley::inline v0::threading {

inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace parley::inline v0::threading
