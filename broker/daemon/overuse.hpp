// Finds out whether a process runs on more cores than its programs hold. A process may lie about that, so the system is
// asked how long it ran in each spell of time.
// 1. A process that keeps to its cores runs at most as long as they were there.
// 2. The system's numbers may be some milliseconds old, and a thread that only waits for news may run elsewhere. So a
//    quarter of a core is allowed.
// 3. A reading may be late, or have the run time of many spells. So one spell counts as one at most.
// 4. Such readings of several threads may come in successive spells, after many spells without any. So time that was not
//    used may be used later.
// 5. At first nothing is known of the time before, so it counts as not used.
#pragma once

#include <broker/policy/ids.hpp>

#include <algorithm>
#include <utility>

namespace parley::inline v0::broker::service {

class overuse {
public:
    // In a spell of `length` the process ran for `ran`. `room` is how long its cores were there, whoever else had them,
    // too. True: by now it is clear that the process does not keep to its cores.
    bool add(nanoseconds length, nanoseconds ran, nanoseconds room) noexcept {
        if (room == 0) return false;
        const auto number = [](nanoseconds t) { return static_cast<double>(t); };
        // Another program of the process may count its room one spell late, and twice then. So the larger room of two
        // spells counts.
        const double whole = number(std::max(room, std::exchange(room_before_, room)));
        const double by = (number(ran) - number(room) - number(length) / 4) / whole;
        beyond_ = std::max(least, beyond_ + std::min(1.0, by));
        return beyond_ > most;
    }
    void forget() noexcept { beyond_ = least; }

private:
    // If each thread's time is booked once in P <= 20 spells, the sum rises by at most P / 2 between two moments.
    static constexpr double most = 4, least = -6;
    double beyond_ = least;  // 1 is the time of all its cores in a spell
    nanoseconds room_before_ = 0;
};

}  // namespace parley::inline v0::broker::service
