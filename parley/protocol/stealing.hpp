// How much a thief asks for: one task, half of the victim's, or whichever pays (TH §3.5, §5.1).
#pragma once

#include <parley/protocol/request.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

struct steal_one {
    static constexpr const char* name = "one";
    amount wish(std::uint64_t) noexcept { return amount::one; }
    friend constexpr bool operator==(const steal_one&, const steal_one&) = default;
};

struct steal_half {
    static constexpr const char* name = "half";
    amount wish(std::uint64_t) noexcept { return amount::half; }
    friend constexpr bool operator==(const steal_half&, const steal_half&) = default;
};

// After every `interval` steals N the thief looks at the number M of tasks that it ran meanwhile.
// From one to half when M / N = 1: every task had to be stolen by itself. From half back to one when
// M / N < 2: half did not bring more (TH §5.1.2, figure 5.3, N = 25).
struct steal_adaptive {
    static constexpr const char* name = "adaptive";
    static constexpr std::uint32_t interval = 25;

    // `tasks_run`: how many tasks this worker has run so far.
    amount wish(std::uint64_t tasks_run) noexcept {
        if (++steals == interval) {
            const std::uint64_t ran = tasks_run - tasks_before;
            if (current == amount::one && ran <= interval) current = amount::half;
            else if (current == amount::half && ran < 2 * interval) current = amount::one;
            steals = 0;
            tasks_before = tasks_run;
        }
        return current;
    }

    amount current = amount::one;
    std::uint32_t steals = 0;
    std::uint64_t tasks_before = 0;
    friend constexpr bool operator==(const steal_adaptive&, const steal_adaptive&) = default;
};

}  // namespace parley::inline v0::protocol
