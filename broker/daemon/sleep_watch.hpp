// Whether a program's process runs at all. One that is stopped, or waits for something, needs no core: others can use it
// meanwhile. Who leads a tree is not what runs there.
#pragma once

#include <broker/daemon/tree_clock.hpp>

namespace parley::inline v0::broker::service {

class sleep_watch {
public:
    // What was seen at the end of a quantum. It sleeps if it was seen to do so for that long; 0: never. Who was not seen
    // is what it was.
    void note(const tree_clock::reading& r, nanoseconds at, nanoseconds after) noexcept {
        if (!r.is_seen) return;
        if (!r.ran || !is_known_ || runs(r.sum, at)) ran_at_ = at;
        is_known_ = r.ran.has_value();
        sum_ = r.sum;
        at_ = at;
        is_asleep_ = after != 0 && at - ran_at_ >= after;
    }
    [[nodiscard]] bool is_asleep() const noexcept { return is_asleep_; }

private:
    // Threads may wake now and then to see whether there is something to do. Who has work runs for more, unless others
    // hardly let it. Less than before there is where somebody has ended who is not counted any more, and ran until then;
    // a little less, where a leader ran between two looks at once: at its tree and at itself.
    [[nodiscard]] bool runs(nanoseconds sum, nanoseconds at) const noexcept {
        constexpr nanoseconds enough = 1'000'000, least_part = 25;  // of one core
        if (sum < sum_) return sum_ - sum >= enough;
        return sum - sum_ >= enough || (sum - sum_) * least_part >= at - at_;
    }

    bool is_known_ = false;
    nanoseconds sum_ = 0;  // at the last look
    nanoseconds at_ = 0, ran_at_ = 0;
    bool is_asleep_ = false;
};

}  // namespace parley::inline v0::broker::service
