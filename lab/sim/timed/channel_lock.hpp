// The lock of the thesis' request channels, which who sends takes (TH §6.1: "sending a steal request involves locking").
#pragma once

#include <lab/sim/timed/machine.hpp>
#include <lab/sim/timed/time.hpp>

#include <cstdint>
#include <deque>

namespace parley::inline v0::sim::timed {

// Of what kind it is the thesis does not say. Here those who wait spin on it, as with a plain test-and-set: its line goes
// to each of them before it is the next one's, so handing it on takes the longer the more wait. That is a c > 1 as in TH
// §3.4.2; no number of it is fitted. They have it in the order in which they came, and who comes is charged for those
// before it: of n who come together, all handing on takes n (n - 1) / 2 transfers, as it would the other way round. What
// the line costs when nobody else wants it is part of sending.
class channel_lock {
public:
    // When `who`, who comes at `now`, has it; it keeps it for `holds`. Linear in those who wait.
    moment take(moment now, std::uint32_t who, duration holds, const machine& places) {
        while (!queue_.empty() && queue_.front().until <= now) queue_.pop_front();
        moment has = now;
        if (!queue_.empty()) {
            has = queue_.back().until;
            for (auto w = queue_.begin(); w != queue_.end(); ++w)
                has += places.transfer(w->who, w + 1 == queue_.end() ? who : (w + 1)->who);
        }
        queue_.push_back({has + holds, who});
        return has;
    }

private:
    struct sender {
        moment until;
        std::uint32_t who;
    };
    std::deque<sender> queue_;  // who has it, and who waits
};

}  // namespace parley::inline v0::sim::timed
