#include <parley/detail/stacks/switch_stack.hpp>

#include <cstddef>
#include <cstdint>

// Shadow stacks (-fcf-protection=return, or ARM's guarded control stacks) would have to be switched, too, and this code
// does not.
#if (defined(__CET__) && (__CET__ & 2) != 0) || defined(__ARM_FEATURE_GCS_DEFAULT)
#define PARLEY_SHADOW_STACK 1
#else
#define PARLEY_SHADOW_STACK 0
#endif

#if !defined(PARLEY_UCONTEXT) && defined(__x86_64__) && defined(__ELF__) && !PARLEY_SHADOW_STACK

// These functions are weak, because a program may have the library twice (protocol/machine.hpp). They push, upwards:
// floating-point control words, r15, r14, r13, r12, rbx, rbp, return address.
asm(R"(
    .pushsection .text
    .p2align 4
    .hidden parley_switch_stack
    .weak   parley_switch_stack
    .type   parley_switch_stack, @function
parley_switch_stack:
    .cfi_startproc
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    pushq   %rbx
    .cfi_adjust_cfa_offset 8
    pushq   %r12
    .cfi_adjust_cfa_offset 8
    pushq   %r13
    .cfi_adjust_cfa_offset 8
    pushq   %r14
    .cfi_adjust_cfa_offset 8
    pushq   %r15
    .cfi_adjust_cfa_offset 8
    subq    $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw  4(%rsp)
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw   4(%rsp)
    addq    $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq    %r15
    .cfi_adjust_cfa_offset -8
    popq    %r14
    .cfi_adjust_cfa_offset -8
    popq    %r13
    .cfi_adjust_cfa_offset -8
    popq    %r12
    .cfi_adjust_cfa_offset -8
    popq    %rbx
    .cfi_adjust_cfa_offset -8
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size   parley_switch_stack, .-parley_switch_stack

    .hidden parley_begin_stack
    .weak   parley_begin_stack
    .type   parley_begin_stack, @function
parley_begin_stack:
    .cfi_startproc
    .cfi_undefined rip
    movq    %r12, %rdi
    callq   *%r13
    ud2
    .cfi_endproc
    .size   parley_begin_stack, .-parley_begin_stack
    .popsection
)");

extern "C" void parley_switch_stack(void** save, void* to);
extern "C" void parley_begin_stack();

namespace parley::inline v0::threading {

PARLEY_NOT_INSTRUMENTED void switch_stack(void** save, void* to) noexcept { parley_switch_stack(save, to); }

void* prepare_stack(std::byte*, std::byte* top, void (*function)(void*) noexcept, void* argument) {
    auto* word = reinterpret_cast<std::uint64_t*>(top);
    *--word = 0;  // two words, so that begin_stack finds the stack as a call expects it
    *--word = 0;
    *--word = reinterpret_cast<std::uint64_t>(&parley_begin_stack);
    *--word = 0;                                          // rbp: no frame above
    *--word = 0;                                          // rbx
    *--word = reinterpret_cast<std::uint64_t>(argument);  // r12
    *--word = reinterpret_cast<std::uint64_t>(function);  // r13
    *--word = 0;                                          // r14
    *--word = 0;                                          // r15
    *--word = floating_point_control();
    return word;
}

std::uint64_t floating_point_control() noexcept {
    std::uint32_t sse = 0;
    std::uint16_t x87 = 0;
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(sse), "=m"(x87));
    return std::uint64_t{x87} << 32 | sse;
}

void set_floating_point_control(std::uint64_t control) noexcept {
    const auto sse = static_cast<std::uint32_t>(control);
    const auto x87 = static_cast<std::uint16_t>(control >> 32);
    asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(x87));
}

}  // namespace parley::inline v0::threading

#elif !defined(PARLEY_UCONTEXT) && defined(__aarch64__) && defined(__ELF__) && !PARLEY_SHADOW_STACK

// What a call keeps (AAPCS64, 6.1): the lower halves of v8 to v15, x19 to x29, and FPCR. The stack has, upwards: d8 to d15,
// x19 to x28, frame pointer, return address, FPCR, nothing. `hint 34` is a landing pad for indirect calls (bti c), which
// the linker's stubs make; older processors take it for nothing. A new stack begins by a return, which needs none.
asm(R"(
    .pushsection .text
    .p2align 4
    .hidden parley_switch_stack
    .weak   parley_switch_stack
    .type   parley_switch_stack, %function
parley_switch_stack:
    .cfi_startproc
    hint    #34
    sub     sp, sp, #176
    .cfi_def_cfa_offset 176
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    stp     d8, d9, [sp]
    stp     d10, d11, [sp, #16]
    stp     d12, d13, [sp, #32]
    stp     d14, d15, [sp, #48]
    stp     x19, x20, [sp, #64]
    stp     x21, x22, [sp, #80]
    stp     x23, x24, [sp, #96]
    stp     x25, x26, [sp, #112]
    stp     x27, x28, [sp, #128]
    stp     x29, x30, [sp, #144]
    mrs     x9, fpcr
    str     x9, [sp, #160]
    mov     x9, sp
    str     x9, [x0]
    mov     sp, x1
    ldp     d8, d9, [sp]
    ldp     d10, d11, [sp, #16]
    ldp     d12, d13, [sp, #32]
    ldp     d14, d15, [sp, #48]
    ldp     x19, x20, [sp, #64]
    ldp     x21, x22, [sp, #80]
    ldp     x23, x24, [sp, #96]
    ldp     x25, x26, [sp, #112]
    ldp     x27, x28, [sp, #128]
    ldp     x29, x30, [sp, #144]
    ldr     x9, [sp, #160]
    msr     fpcr, x9
    add     sp, sp, #176
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size   parley_switch_stack, .-parley_switch_stack

    .hidden parley_begin_stack
    .weak   parley_begin_stack
    .type   parley_begin_stack, %function
parley_begin_stack:
    .cfi_startproc
    .cfi_undefined x30
    mov     x0, x19
    blr     x20
    brk     #0
    .cfi_endproc
    .size   parley_begin_stack, .-parley_begin_stack
    .popsection
)");

extern "C" void parley_switch_stack(void** save, void* to);
extern "C" void parley_begin_stack();

namespace parley::inline v0::threading {

PARLEY_NOT_INSTRUMENTED void switch_stack(void** save, void* to) noexcept { parley_switch_stack(save, to); }

void* prepare_stack(std::byte*, std::byte* top, void (*function)(void*) noexcept, void* argument) {
    auto* const word = reinterpret_cast<std::uint64_t*>(top) - 22;
    for (int i = 0; i < 22; ++i) word[i] = 0;
    word[8] = reinterpret_cast<std::uint64_t>(argument);              // x19
    word[9] = reinterpret_cast<std::uint64_t>(function);              // x20
    word[19] = reinterpret_cast<std::uint64_t>(&parley_begin_stack);  // x30
    word[20] = floating_point_control();
    return word;
}

std::uint64_t floating_point_control() noexcept {
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

void set_floating_point_control(std::uint64_t control) noexcept { asm volatile("msr fpcr, %0" : : "r"(control)); }

}  // namespace parley::inline v0::threading

#else

#include <new>
#include <ucontext.h>

namespace parley::inline v0::threading {

namespace {

// makecontext() takes arguments of type int only.
void begin(unsigned f_high, unsigned f_low, unsigned a_high, unsigned a_low) {
    const auto whole = [](unsigned high, unsigned low) {
        return static_cast<std::uintptr_t>(std::uint64_t{high} << 32 | low);
    };
    reinterpret_cast<void (*)(void*) noexcept>(whole(f_high, f_low))(reinterpret_cast<void*>(whole(a_high, a_low)));
}

}  // namespace

PARLEY_NOT_INSTRUMENTED void switch_stack(void** save, void* to) noexcept {
    ucontext_t here;
    *save = &here;
    swapcontext(&here, static_cast<ucontext_t*>(to));
}

void* prepare_stack(std::byte* bottom, std::byte* top, void (*function)(void*) noexcept, void* argument) {
    // The context lies at the top of its stack, because it is read once.
    constexpr std::size_t room = (sizeof(ucontext_t) + 63) / 64 * 64;
    auto* const first = ::new (static_cast<void*>(top - room)) ucontext_t;
    getcontext(first);
    first->uc_stack.ss_sp = bottom;
    first->uc_stack.ss_size = static_cast<std::size_t>(top - bottom) - room;
    first->uc_link = nullptr;
    const auto high = [](auto p) { return static_cast<unsigned>(std::uint64_t{reinterpret_cast<std::uintptr_t>(p)} >> 32); };
    const auto low = [](auto p) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p)); };
    makecontext(first, reinterpret_cast<void (*)()>(&begin), 4, high(function), low(function), high(argument),
                low(argument));
    return first;
}

// ucontext switches the whole floating-point environment. A new stack begins with that of its maker.
std::uint64_t floating_point_control() noexcept { return 0; }
void set_floating_point_control(std::uint64_t) noexcept {}

}  // namespace parley::inline v0::threading

#endif
