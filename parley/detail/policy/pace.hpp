// How often a worker that makes tasks answers requests.
//
// An answer may take as long as making thirty tasks. A producer that answers after each of them never has more than one
// to give, even to a thief that asks for half. With many workers all of its time goes into answers: 16% efficiency with
// 48 workers and slow channels (docs/evidence/simulated.md, "Beyond the papers"). So there is a limit:
// 1. A producer answers at once until it has given some answers in a row: twice as many as a tree of all workers has
//    levels. If thieves spread what they get, all have been served twice (docs/internals/spreading.md).
// 2. Then it makes tasks for as long as its last answer took, and answers one request after that.
// 3. Shorter rows are not delayed.
#pragma once

#include <parley/detail/policy/tuning.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

class pace {
public:
    using clock = std::chrono::steady_clock;

    explicit pace(std::uint32_t workers) noexcept : many_(2 * static_cast<std::uint32_t>(std::bit_width(workers))) {}

    // Does a producer pause between answers (tuning::answers)? A few thieves cannot ask for more than it can give, so
    // there is no need to look at the clock. It must not pause either if nobody would interrupt it, or if requests do
    // not rest (`rests`).
    [[nodiscard]] static constexpr bool matters(const tuning& how, std::uint32_t workers, bool is_watched,
                                                bool rests) noexcept {
        return how.answers == answering::paced && workers > few && is_watched && rests;
    }

    // Is it to answer one request at a time?
    [[nodiscard]] bool is_flooded(clock::time_point now) const noexcept { return row_at(now) >= many_; }
    // May requests wait a little longer?
    [[nodiscard]] bool is_too_soon(clock::time_point now) const noexcept { return now < next_ && is_flooded(now); }

    // Takes note of an answer that lasted from `from` to `to`.
    void answered(clock::time_point from, clock::time_point to) noexcept {
        row_ = std::min(row_at(from) + 1, many_ + 4);
        took_ = to - from;
        last_ = to;
        next_ = to + std::min<clock::duration>(took_, longest);
    }

private:
    // The number of answers in a row.
    [[nodiscard]] std::uint32_t row_at(clock::time_point now) const noexcept {
        const clock::duration quiet = std::max<clock::duration>(quiet_answers * took_, clock::duration(1));
        const auto forgotten = std::max<clock::duration::rep>((now - last_) / quiet, 0);
        return row_ - static_cast<std::uint32_t>(std::min<clock::duration::rep>(row_, forgotten));
    }

    static constexpr std::uint32_t few = 8;
    // An answer no longer counts in the row after a time that is so many times as long as an answer takes.
    static constexpr int quiet_answers = 4;
    // The pause is at most so long, since a long answer may have lost its core meanwhile.
    static constexpr auto longest = std::chrono::microseconds(10);

    std::uint32_t many_;
    std::uint32_t row_ = 0;
    clock::time_point last_{}, next_{};
    clock::duration took_{};
};

}  // namespace parley::inline v0::threading
