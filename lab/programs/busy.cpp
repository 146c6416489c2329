#include "lab/programs/busy.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <ratio>

namespace parley_programs {
namespace {

double measured_rounds_per_microsecond() {
    using clock = std::chrono::steady_clock;
    // Bursts of some 100 us. Whatever disturbs a burst makes it longer: the shortest is the best.
    constexpr int bursts = 100;
    constexpr std::uint64_t rounds = 50'000;
    double shortest = std::numeric_limits<double>::max();
    for (int i = 0; i < bursts; ++i) {
        const auto start = clock::now();
        spin(rounds);
        const std::chrono::duration<double, std::micro> time = clock::now() - start;
        shortest = std::min(shortest, time.count());
    }
    return static_cast<double>(rounds) / shortest;
}

}  // namespace

[[gnu::noinline]] void spin(std::uint64_t rounds) noexcept {
    std::uint64_t state = rounds;
    for (; rounds > 0; --rounds) {
        state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX generator
        asm volatile("" : "+r"(state));  // or else the compiler finds that nobody wants the result
    }
}

double rounds_per_microsecond() {
    static const double rounds = measured_rounds_per_microsecond();
    return rounds;
}

}  // namespace parley_programs
