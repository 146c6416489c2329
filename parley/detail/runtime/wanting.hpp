// When a worker comes for what threads outside leave in seats that they keep (kept_seats.cpp).
#pragma once

#include <parley/detail/policy/gain.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <chrono>

namespace parley::inline v0::threading {

inline constexpr auto collects_every = std::chrono::milliseconds(10);

// By one that ran dry and has got work from elsewhere. Who gets some each time never sleeps for want of it, and would never
// come for these tasks. Returns the time after that.
inline gain::clock::time_point collect_now_and_then(worker& self) noexcept {
    const auto now = gain::clock::now();
    if (!self.home.lets_keep() || now - self.collected < collects_every) return now;
    self.collected = now;
    self.home.collect_beside_work(self);
    return gain::clock::now();
}

// While a worker sleeps: what lies there it has got, or is told of, unless it sleeps for a moment only.
class wanting_what_is_left {
public:
    wanting_what_is_left(const worker& self, protocol::asking asking) noexcept
        : home_(self.home), counts_(home_.lets_keep() && (!self.takes_work() || self.is_to_go())) {
        if (counts_) home_.wanting.add();
        // A thief that asks for nothing, since what it got did not pay, wants none of these tasks either. It soon asks
        // again, and gets more, or sleeps for want of it.
        const bool pauses = asking == protocol::asking::nothing && !counts_ && !self.is_visiting() &&
                            self.steals.left(gain::clock::now()).count() > 0;
        if (home_.lets_keep() && !pauses) has_got_all_ = home_.collect(self);
    }
    ~wanting_what_is_left() {
        if (counts_) home_.wanting.take_off();
    }
    wanting_what_is_left(const wanting_what_is_left&) = delete;
    wanting_what_is_left& operator=(const wanting_what_is_left&) = delete;

    [[nodiscard]] bool has_got_all() const noexcept { return has_got_all_; }
    // Would one that has no request out hear of tasks that are left from now on?
    [[nodiscard]] bool is_told() const noexcept { return counts_ || !home_.lets_keep(); }

private:
    pool& home_;
    const bool counts_;  // it has no request out that would be answered
    bool has_got_all_ = true;
};

}  // namespace parley::inline v0::threading
