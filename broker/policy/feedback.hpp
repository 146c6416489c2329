// What programs say of their workers' time, and how much of it is believed.
//
// Useful time is spent in tasks, steal time looking for work, mug time fetching it; the two latter are wasted
// [BI §2.3]. The paper's workers never sleep, ours park: a worker that parks on a core it holds would steal in the
// paper, so what is left of the held time counts as wasted, too.
#pragma once

#include <broker/policy/ids.hpp>

#include <span>
#include <vector>

namespace parley::inline v0::broker {

// A worker's time since its start, as its program wrote it: anything may stand here.
struct core_counters {
    core_id core = 0;
    nanoseconds useful = 0;
    nanoseconds steal = 0;
    nanoseconds mug = 0;
};

// One core of a program in one quantum: useful + steal + mug <= held.
struct core_use {
    core_id core = 0;
    nanoseconds held = 0;
    nanoseconds useful = 0;
    nanoseconds steal = 0;
    nanoseconds mug = 0;

    [[nodiscard]] nanoseconds wasted() const noexcept { return held - useful; }
    friend bool operator==(const core_use&, const core_use&) = default;
};

// A program in one quantum.
struct program_use {
    std::vector<core_use> cores;

    [[nodiscard]] nanoseconds held() const noexcept;
    [[nodiscard]] nanoseconds useful() const noexcept;
    // 1 if nothing was held: nothing was wasted.
    [[nodiscard]] double efficiency() const noexcept;
    friend bool operator==(const program_use&, const program_use&) = default;
};

// Makes quanta of one worker's counters. A counter that goes back counts from its highest value on, so nobody is
// credited twice. What exceeds the held time is taken from what is said to be useful: who exaggerates gains nothing.
class meter {
public:
    // `held`: how long its program held the core in this quantum, as the broker knows it.
    core_use take(const core_counters& now, nanoseconds held) noexcept;

private:
    nanoseconds useful_ = 0, steal_ = 0, mug_ = 0;  // the highest so far
};

// No program works longer than its threads ran: scales its useful time down to what the system says (schedstat).
void clamp_to_run_time(program_use&, nanoseconds ran) noexcept;

// The system's word alone, for programs that say nothing: `ran` spread over the cores it held, in their order.
[[nodiscard]] program_use use_from_run_time(std::span<const core_id> cores, nanoseconds held_each, nanoseconds ran);

}  // namespace parley::inline v0::broker
