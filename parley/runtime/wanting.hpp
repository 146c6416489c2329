// A worker that is about to sleep, and what threads outside leave in seats that they keep.
#pragma once

#include <parley/runtime/gain.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/worker.hpp>

namespace parley::inline v0::threading {

// While a worker sleeps: what threads leave in seats that they keep it has got, or is told of (kept_seats.cpp), unless it
// sleeps for a moment only.
class wanting_what_is_left {
public:
    wanting_what_is_left(const worker& self, protocol::asking asking) noexcept
        : home_(self.home),
          counts_(home_.lets_keep() && (!self.takes_work() || self.is_to_go())) {
        if (counts_) home_.wanting.add();
        // A thief that asks for nothing, since what it got did not pay, mostly wants none of these tasks either.
        const bool pauses = asking == protocol::asking::nothing && !counts_ && !self.is_visiting() &&
                            self.steals.leaves_kept_tasks(gain::clock::now());
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
