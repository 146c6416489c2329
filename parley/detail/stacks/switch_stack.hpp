// Switching stacks, in assembler. The registers that a call preserves are pushed on one stack and popped from the other
// (System V psABI for x86-64, AAPCS64 for ARM). On other machines, or if PARLEY_UCONTEXT is defined, POSIX does it.
// That takes about 200 ns, because it also keeps the signal mask by a system call.
#pragma once

#include <cstddef>
#include <cstdint>

// ThreadSanitizer must not instrument a function that begins on one stack and ends on another.
#if defined(__clang__)
#define PARLEY_NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define PARLEY_NOT_INSTRUMENTED __attribute__((no_sanitize_thread))
#endif

namespace parley::inline v0::threading {

// Saves where the running stack is in *save and goes on at `to`. Returns when somebody goes on at *save.
void switch_stack(void** save, void* to) noexcept;

// Prepares a new stack so that it begins with function(argument), which never returns. `top` is its highest address, a
// multiple of 16. Returns its first position.
void* prepare_stack(std::byte* bottom, std::byte* top, void (*function)(void*) noexcept, void* argument);

// Rounding mode and the like, which belong to the stack.
std::uint64_t floating_point_control() noexcept;
void set_floating_point_control(std::uint64_t control) noexcept;

}  // namespace parley::inline v0::threading
