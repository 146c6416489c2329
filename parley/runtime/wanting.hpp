// A worker that is about to sleep, and what threads outside leave in seats that they keep.
#pragma once

#include <parley/runtime/pool.hpp>
#include <parley/runtime/worker.hpp>

#include <chrono>

namespace parley::inline v0::threading {

// A keeper that comes by more often answers a thief itself, and the rest of its tasks need not leave its core.
inline constexpr auto keeper_is_away_after = std::chrono::microseconds(50);

// While a worker sleeps: what threads leave in seats that they keep it has got, or is told of (kept_seats.cpp).
class wanting_what_is_left {
public:
    explicit wanting_what_is_left(const worker& self) noexcept
        : self_(self),
          counts_(self.home.lets_keep() && (!self.takes_work() || self.is_to_go())),
          may_nap_(self.takes_work() && !self.is_to_go() && !self.is_visiting()) {
        if (counts_) self.home.wanting.add();
        look_again();
    }
    ~wanting_what_is_left() {
        if (counts_) self_.home.wanting.take_off();
    }
    wanting_what_is_left(const wanting_what_is_left&) = delete;
    wanting_what_is_left& operator=(const wanting_what_is_left&) = delete;

    // A thief. Others are needed where they sleep, by their first runtime or by whoever has no worker for a job.
    [[nodiscard]] bool may_nap() const noexcept { return may_nap_; }
    [[nodiscard]] bool has_got_all() const noexcept { return has_got_all_; }
    void look_again() noexcept {
        if (!self_.home.lets_keep()) return;
        has_got_all_ = self_.home.collect(self_, may_nap_ ? keeper_is_away_after : std::chrono::microseconds(0));
    }

private:
    const worker& self_;
    const bool counts_;   // it has no request out that would be answered
    const bool may_nap_;
    bool has_got_all_ = true;
};

}  // namespace parley::inline v0::threading
