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
    wanting_what_is_left(const worker& self, protocol::asking asking) noexcept
        : self_(self),
          counts_(self.home.lets_keep() && (!self.takes_work() || self.is_to_go())),
          is_thief_(self.takes_work() && !self.is_to_go() && !self.is_visiting() && asking != protocol::asking::nothing) {
        if (counts_) self.home.wanting.add();
        look_again();
    }
    ~wanting_what_is_left() {
        if (counts_) self_.home.wanting.take_off();
    }
    wanting_what_is_left(const wanting_what_is_left&) = delete;
    wanting_what_is_left& operator=(const wanting_what_is_left&) = delete;

    // A thief: some keeper comes by, which answers it. It may look again after a nap.
    [[nodiscard]] bool may_nap() const noexcept { return left_ == pool::left_in_seats::by_who_comes_by; }
    [[nodiscard]] bool lacks_memory() const noexcept { return left_ == pool::left_in_seats::for_want_of_memory; }
    void look_again() noexcept {
        if (!self_.home.lets_keep()) return;
        left_ = self_.home.collect(self_, is_thief_ ? keeper_is_away_after : std::chrono::microseconds(0));
    }

private:
    const worker& self_;
    const bool counts_;    // it has no request out that would be answered
    const bool is_thief_;  // it has one
    pool::left_in_seats left_ = pool::left_in_seats::nothing;
};

}  // namespace parley::inline v0::threading
