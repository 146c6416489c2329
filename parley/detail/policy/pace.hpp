// How often a worker that makes tasks looks at others' requests. An answer may take it longer than thirty tasks take to
// make. A producer that answers after each of them never has more than one to give, so who asks for half gets one, too,
// and with many workers all of its time goes into answers: 16% efficiency with 48 workers and slow channels
// (docs/evidence/simulated.md, "Beyond the papers"). So one that has given to as many as there are workers, with hardly a
// moment for itself, takes as long for itself as its last answer took, and answers one request then.
//
// In bursts that are shorter than that nobody waits: each thief gets a task at once.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

class pace {
public:
    using clock = std::chrono::steady_clock;

    explicit pace(std::uint32_t workers) noexcept : many_(workers) {}

    // Few thieves ask for no more than a producer can give: there is no need to look at the clock.
    [[nodiscard]] static constexpr bool matters(std::uint32_t workers) noexcept { return workers > few; }

    // Does it answer one by one?
    [[nodiscard]] bool is_flooded(clock::time_point now) const noexcept { return row_at(now) >= many_; }
    // May requests wait a little?
    [[nodiscard]] bool is_too_soon(clock::time_point now) const noexcept { return now < next_ && is_flooded(now); }

    // It answered from `from` to `to`.
    void answered(clock::time_point from, clock::time_point to) noexcept {
        row_ = std::min(row_at(from) + 1, many_ + 4);
        took_ = to - from;
        last_ = to;
        next_ = to + std::min<clock::duration>(took_, longest);
    }

private:
    // How many it has answered in a row.
    [[nodiscard]] std::uint32_t row_at(clock::time_point now) const noexcept {
        const clock::duration quiet = std::max<clock::duration>(quiet_answers * took_, clock::duration(1));
        const auto forgotten = std::max<clock::duration::rep>((now - last_) / quiet, 0);
        return row_ - static_cast<std::uint32_t>(std::min<clock::duration::rep>(row_, forgotten));
    }

    static constexpr std::uint32_t few = 8;
    // After so many times what an answer takes, one of those in the row counts no more.
    static constexpr int quiet_answers = 4;
    // It may have lost its core meanwhile.
    static constexpr auto longest = std::chrono::microseconds(10);

    std::uint32_t many_;
    std::uint32_t row_ = 0;
    clock::time_point last_{}, next_{};
    clock::duration took_{};
};

}  // namespace parley::inline v0::threading
