// Keeps, compares and sets how a thread computes with floating-point numbers.
#pragma once

#include <parley/version.hpp>

#include <cfenv>
#include <cstdint>

namespace parley::inline v0::base {

// What decides how the calling thread computes: rounding, flushing to zero, precision, and which exceptions trap. It
// does not include the flags that say which exceptions have happened.
class fp_control {
public:
    [[nodiscard, gnu::always_inline]] static fp_control now() noexcept {
        fp_control c;
#if defined(__x86_64__)
        asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(c.sse_), "=m"(c.x87_));
        c.sse_ &= ~flags_of_sse;
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(c.fpcr_));
#else
        c.rounding_ = std::fegetround();
#endif
        return c;
    }
    [[gnu::always_inline]] void set() const noexcept {
#if defined(__x86_64__)
        std::uint32_t sse = 0;
        asm volatile("stmxcsr %0" : "=m"(sse));
        sse = (sse & flags_of_sse) | sse_;
        asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(x87_) : "memory");
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" : : "r"(fpcr_) : "memory");
#else
        std::fesetround(rounding_);
#endif
    }
    bool operator==(const fp_control&) const = default;

private:
#if defined(__x86_64__)
    static constexpr std::uint32_t flags_of_sse = 0x3f;
    std::uint32_t sse_ = 0;
    std::uint16_t x87_ = 0;
#elif defined(__aarch64__)
    std::uint64_t fpcr_ = 0;
#else
    int rounding_ = 0;
#endif
};

// While this object lives, the calling thread computes as `wanted` says. Nothing is written if it does so already.
class fp_in_place {
public:
    [[gnu::always_inline]] explicit fp_in_place(fp_control wanted) noexcept
        : before_(fp_control::now()), differs_(before_ != wanted) {
        if (differs_) [[unlikely]]
            wanted.set();
    }
    [[gnu::always_inline]] ~fp_in_place() {
        if (differs_) [[unlikely]]
            before_.set();
    }
    fp_in_place(const fp_in_place&) = delete;
    fp_in_place& operator=(const fp_in_place&) = delete;

private:
    const fp_control before_;
    const bool differs_;
};

}  // namespace parley::inline v0::base
