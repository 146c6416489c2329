// Does stealing pay? Tasks that are done sooner than they are moved slow their victim down. A million empty tasks took
// twice as long with a second worker that took half of them. So a thief measures how long it works on what it gets:
// 1. If that was too short, the thief pauses before it asks again, twice as long each time.
// 2. After the pause it asks for one task. That may be a leaf beside large tasks (as in a binomial tree). So it asks
//    for half of them the first time, and now and then later.
// 3. One steal that pays ends the pauses.
#pragma once

#include <parley/detail/protocol/requesting.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace parley::inline v0::threading {

class gain {
public:
    using clock = std::chrono::steady_clock;

    void received(std::size_t tasks, clock::time_point now) noexcept {
        tasks_ = tasks;
        since_ = now;
    }

    // Called when the worker has run out of tasks: decides whether the last steal paid.
    void judge(clock::time_point now) noexcept {
        if (tasks_ == 0) return;
        const bool paid = now - since_ >= per_steal + per_task * tasks_;
        tasks_ = 0;
        pause_ = paid ? clock::duration{} : std::clamp(2 * pause_, shortest_pause, longest_pause);
        until_ = now + pause_;
        in_vain_ = paid ? 0 : in_vain_ + 1;
    }

    // The worker has begun many tasks that wait, so it makes a longest pause before it asks for more.
    void hold_off(clock::time_point now) noexcept {
        tasks_ = 0;
        in_vain_ = 0;
        pause_ = longest_pause;
        until_ = now + pause_;
    }

    // Called before the worker sleeps because nobody had tasks: later steals will be of other work.
    void forget() noexcept {
        pause_ = {};
        in_vain_ = 0;
    }

    [[nodiscard]] bool undecided() const noexcept { return tasks_ != 0; }
    [[nodiscard]] bool in_doubt() const noexcept { return pause_ != clock::duration{}; }

    [[nodiscard]] protocol::asking ask_for(clock::time_point now) const noexcept {
        if (now < until_) return protocol::asking::nothing;
        return in_vain_ % trials_per_half == 1 ? protocol::asking::half : protocol::asking::one;
    }
    [[nodiscard]] clock::duration left(clock::time_point now) const noexcept {
        return std::max(until_ - now, clock::duration{});
    }

private:
    // A steal costs victim and thief together a few cache misses for request and answer, and one or two per task
    // (docs/evidence/performance.md). Work that lasts shorter cannot pay.
    static constexpr clock::duration per_steal = std::chrono::nanoseconds(400);
    static constexpr clock::duration per_task = std::chrono::nanoseconds(60);
    static constexpr clock::duration shortest_pause = std::chrono::microseconds(8);
    // A useless steal of one task costs the victim about 0.3 us, one of a whole block 20 us. With the numbers below
    // that is 1% of its time.
    static constexpr clock::duration longest_pause = std::chrono::microseconds(256);
    static constexpr unsigned trials_per_half = 8;

    std::size_t tasks_ = 0;  // received, and not judged yet
    clock::time_point since_{};
    clock::time_point until_{};
    clock::duration pause_{};
    unsigned in_vain_ = 0;  // steals since one that paid
};

}  // namespace parley::inline v0::threading
