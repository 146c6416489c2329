// How much a thief asks for: one task, half of the victim's, or whichever pays (TH §3.5, §5.1).
#pragma once

#include <parley/detail/protocol/request.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {

// Each strategy has these members:
//   wish()             called when a request is sent
//   stole(tasks_run)   called with each answer, if remembers(); the argument counts all tasks that this worker has run

struct steal_one {
    static constexpr const char* name = "one";
    static constexpr bool remembers() noexcept { return false; }
    void stole(std::uint64_t) const noexcept {}
    amount wish() const noexcept { return amount::one; }
    friend constexpr bool operator==(const steal_one&, const steal_one&) = default;
};

struct steal_half {
    static constexpr const char* name = "half";
    static constexpr bool remembers() noexcept { return false; }
    void stole(std::uint64_t) const noexcept {}
    amount wish() const noexcept { return amount::half; }
    friend constexpr bool operator==(const steal_half&, const steal_half&) = default;
};

// After every N steals the thief looks at the number M of tasks that it ran since then (TH §5.1.2, figure 5.3).
//   one to half:  if M / N = 1, since every task had to be stolen by itself
//   half to one:  if M / N < 2, since half did not bring more
// TH figure 5.4 uses N = 25.
template <std::uint32_t N>
struct steal_adaptive_after {
    static constexpr const char* name = "adaptive";
    static constexpr bool remembers() noexcept { return true; }
    static constexpr std::uint32_t interval = N;

    amount wish() const noexcept { return current; }

    void stole(std::uint64_t tasks_run) noexcept {
        if (++steals < interval) return;
        const std::uint64_t ran = tasks_run - tasks_before;
        if (current == amount::one && ran <= interval) current = amount::half;
        else if (current == amount::half && ran < 2 * interval) current = amount::one;
        steals = 0;
        tasks_before = tasks_run;
    }

    amount current = amount::one;
    std::uint32_t steals = 0;
    std::uint64_t tasks_before = 0;
    friend constexpr bool operator==(const steal_adaptive_after&, const steal_adaptive_after&) = default;
};
using steal_adaptive = steal_adaptive_after<25>;

}  // namespace parley::inline v0::protocol
