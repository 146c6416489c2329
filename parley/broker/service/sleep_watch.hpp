// Whether a program's process runs at all. One that is stopped, or waits for something, needs no core: others can use it
// meanwhile. Its own threads may wake now and then to look whether there is something to do, and who leads it looks at
// its tree: neither is running.
#pragma once

#include <parley/broker/service/tree_clock.hpp>

#include <optional>

namespace parley::inline v0::broker::service {

class sleep_watch {
public:
    // What was seen at the end of a quantum. It sleeps if it was seen to do so for that long; 0: never. Who was not seen
    // is what it was.
    void note(const tree_clock::reading& r, nanoseconds at, nanoseconds after) noexcept {
        if (!r.is_seen) return;
        const bool is_known = r.ran && ran_ && at > at_;
        const bool runs = !is_known || (*r.ran - std::min(*r.ran, *ran_)) * least_part >= at - at_;
        if (runs) ran_at_ = at;
        ran_ = r.ran;
        at_ = at;
        is_asleep_ = after != 0 && at - ran_at_ >= after;
    }
    [[nodiscard]] bool is_asleep() const noexcept { return is_asleep_; }

private:
    // Of one core: twice of what who leads a tree may take to look at it.
    static constexpr nanoseconds least_part = 25;
    std::optional<nanoseconds> ran_;  // at the last look
    nanoseconds at_ = 0, ran_at_ = 0;
    bool is_asleep_ = false;
};

}  // namespace parley::inline v0::broker::service
