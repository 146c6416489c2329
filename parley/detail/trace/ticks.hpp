// Time stamps that cost a few nanoseconds: the processor's own counter, if it runs evenly on all cores.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace parley::inline v0::trace {

// Does the time-stamp counter run at one speed, whatever the cores do (Intel's manual, 18.17.1)? Virtual machines may
// hide this.
inline bool has_even_counter() noexcept {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

inline const bool even_counter = has_even_counter();

inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
    if (even_counter) return __rdtsc();
#endif
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// Converts ticks into time, by two moments at which both clocks were read.
class tick_scale {
public:
    struct moment {
        // Reads both clocks. A thread may lose its core between the two, so it tries again, and the closest pair
        // counts. Later moments make up for the rest.
        moment() noexcept {
            std::uint64_t before = trace::ticks(), closest = ~std::uint64_t{0};
            for (int tries = 0; tries < 10 && closest >= apart; ++tries) {
                const auto now = std::chrono::steady_clock::now();
                const std::uint64_t after = trace::ticks();
                if (after - before < closest) {
                    closest = after - before;
                    time = now;
                    ticks = after;
                }
                before = after;
            }
        }
        std::uint64_t ticks = 0;
        std::chrono::steady_clock::time_point time;

    private:
        static constexpr std::uint64_t apart = 5000;  // a microsecond or two
    };
    tick_scale(const moment& begin, const moment& end) noexcept
        : per_tick_(end.ticks > begin.ticks ? std::chrono::duration<double>(end.time - begin.time).count() /
                                                  static_cast<double>(end.ticks - begin.ticks)
                                            : 0) {}

    [[nodiscard]] double seconds(std::uint64_t ticks) const noexcept { return static_cast<double>(ticks) * per_tick_; }

private:
    double per_tick_;
};

}  // namespace parley::inline v0::trace
