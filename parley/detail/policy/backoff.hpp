// Pauses between requests that nobody can answer, for thieves whose failed requests come home (tuning::failed). This is
// the papers' way: TH §4.2.2 and figure 4.8.
#pragma once

#include <parley/detail/protocol/requesting.hpp>

#include <algorithm>
#include <chrono>

namespace parley::inline v0::threading {

class backoff {
public:
    using clock = std::chrono::steady_clock;

    // Returns what a worker without tasks asks for now. After the longest pause was in vain, the worker asks, lets its
    // request rest, and may sleep, so that idle costs nothing (I8). Where requests cannot rest (`for_ever`), it goes on
    // with the longest pause.
    protocol::asking judge(bool may_pause, clock::time_point now, bool for_ever = false) noexcept {
        if (now < until_) return protocol::asking::nothing;
        if (!may_pause) return protocol::asking::as_strategy;
        if (!asked_ || (pause_ == longest_pause && !for_ever)) {
            asked_ = true;
            return protocol::asking::as_strategy;
        }
        asked_ = false;
        pause_ = pause_ == clock::duration{} ? first_pause : std::min(2 * pause_, longest_pause);
        until_ = now + pause_;
        return protocol::asking::nothing;
    }

    // Forgets all pauses, because something was stolen or the worker's wait is over.
    void forget() noexcept { *this = {}; }

    [[nodiscard]] bool gives_up() const noexcept { return pause_ == longest_pause; }
    [[nodiscard]] clock::duration left(clock::time_point now) const noexcept {
        return std::max(until_ - now, clock::duration{});
    }

    static constexpr clock::duration first_pause = std::chrono::microseconds(100);  // as in figure 4.8
    static constexpr clock::duration longest_pause = 64 * first_pause;

private:
    bool asked_ = false;
    clock::duration pause_{};
    clock::time_point until_{};
};

}  // namespace parley::inline v0::threading
