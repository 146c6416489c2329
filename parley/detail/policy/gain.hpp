// Does stealing pay? A thief whose loot was done sooner than it was moved slows its victim down: a
// million empty tasks took twice as long with a second worker that took half of them. So a thief
// looks at how long it worked on what it got; if that was too little, it waits before it asks again,
// twice as long each time, and then tries one task, but half of them the first time and now and then: the
// one that it got may have been a leaf beside others that are large (a binomial tree's). One steal that pays ends that.
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

    // The worker has run dry.
    void judge(clock::time_point now) noexcept {
        if (tasks_ == 0) return;
        const bool paid = now - since_ >= per_steal + per_task * tasks_;
        tasks_ = 0;
        pause_ = paid ? clock::duration{} : std::clamp(2 * pause_, shortest_pause, longest_pause);
        until_ = now + pause_;
        in_vain_ = paid ? 0 : in_vain_ + 1;
    }

    // The worker has begun much that waits: a longest pause before it asks for more.
    void hold_off(clock::time_point now) noexcept {
        tasks_ = 0;
        in_vain_ = 0;
        pause_ = longest_pause;
        until_ = now + pause_;
    }

    // Nobody had anything, and the worker sleeps: what comes next is something else.
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
    // What a steal costs victim and thief together (docs/evidence/performance.md): a few cache misses for the
    // request and its answer, one or two per task. Below that it can not pay.
    static constexpr clock::duration per_steal = std::chrono::nanoseconds(400);
    static constexpr clock::duration per_task = std::chrono::nanoseconds(60);
    static constexpr clock::duration shortest_pause = std::chrono::microseconds(8);
    // A useless steal of one task costs the victim about 0.3 us, of a whole block 20 us: with the
    // numbers below, 1% of its time.
    static constexpr clock::duration longest_pause = std::chrono::microseconds(256);
    static constexpr unsigned trials_per_half = 8;

    std::size_t tasks_ = 0;  // received and not judged yet
    clock::time_point since_{};
    clock::time_point until_{};
    clock::duration pause_{};
    unsigned in_vain_ = 0;  // steals since one that paid
};

}  // namespace parley::inline v0::threading
