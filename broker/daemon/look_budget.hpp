// How much of a section's time may go into looking at one user's processes and binding their threads: a tenth, of which
// some milliseconds may be saved up. Who has taken more pays back: so a user takes that much, and what one look or one
// binding takes beyond it, which most_threads bounds.
#pragma once

#include <broker/client/clock.hpp>

#include <algorithm>
#include <cstdint>

namespace parley::inline v0::broker::service {

// Of the calling thread. What it waits for others is not theirs who are looked at.
[[nodiscard]] inline nanoseconds thread_time() noexcept { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

class look_budget {
public:
    static constexpr nanoseconds part = 10, most = 5'000'000;

    [[nodiscard]] bool has_some(nanoseconds now) noexcept {
        if (now > filled_at_) {
            const nanoseconds earned = std::min((now - filled_at_) / part, most + owed_);
            const nanoseconds paid = std::min(earned, owed_);
            owed_ -= paid;
            saved_ = std::min(saved_ + earned - paid, most);
            filled_at_ = now;
        }
        return saved_ > 0;
    }
    void charge(nanoseconds cost) noexcept {
        const nanoseconds paid = std::min(cost, saved_);
        saved_ -= paid;
        owed_ += cost - paid;
    }

private:
    nanoseconds saved_ = most, owed_ = 0, filled_at_ = 0;
};

}  // namespace parley::inline v0::broker::service
