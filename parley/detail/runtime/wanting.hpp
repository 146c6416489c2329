// When a worker comes for tasks that threads outside leave in seats that they keep (kept_seats.cpp). The worker itself
// calls this.
#pragma once

#include <parley/detail/policy/gain.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <chrono>

namespace parley::inline v0::threading {

inline constexpr auto collects_every = std::chrono::milliseconds(10);

// Called by a worker that ran dry and has got work from elsewhere. A worker that gets some each time never sleeps for
// want of it. Without this it would never come for these tasks. Returns the time after that.
inline gain::clock::time_point collect_now_and_then(worker& self) noexcept {
    const auto now = gain::clock::now();
    if (!self.home().kept().are_allowed() || now - self.own_part().collected < collects_every) return now;
    self.own_part().collected = now;
    self.home().kept().collect_beside_work(self);
    return gain::clock::now();
}

// Lives while a worker sleeps. The worker has got the tasks that lie there, or will be told of them, unless it sleeps
// for a moment only.
class wanting_what_is_left {
public:
    wanting_what_is_left(const worker& self, protocol::asking asking) noexcept
        : home_(self.home()), counts_(home_.kept().are_allowed() && (!self.takes_work() || self.is_to_go())) {
        if (counts_) home_.kept().begin_wanting();
        // A thief that asks for nothing, since what it got did not pay, wants none of these tasks either. Soon it asks
        // again, and gets more, or sleeps for want of it.
        const bool pauses = asking == protocol::asking::nothing && !counts_ && !self.is_visiting() &&
                            policies_of(self).stealing_pays.left(gain::clock::now()).count() > 0;
        if (home_.kept().are_allowed() && !pauses) has_got_all_ = home_.kept().collect(self);
    }
    ~wanting_what_is_left() {
        if (counts_) home_.kept().end_wanting();
    }
    wanting_what_is_left(const wanting_what_is_left&) = delete;
    wanting_what_is_left& operator=(const wanting_what_is_left&) = delete;

    [[nodiscard]] bool has_got_all() const noexcept { return has_got_all_; }
    // Would a worker that has no request out be told of tasks that are left from now on?
    [[nodiscard]] bool is_told() const noexcept { return counts_ || !home_.kept().are_allowed(); }

private:
    pool& home_;
    const bool counts_;  // it has no request out that would be answered
    bool has_got_all_ = true;
};

}  // namespace parley::inline v0::threading
