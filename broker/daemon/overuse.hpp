// Whether a process runs on more cores than its programs hold, which only the system can tell of one that lies. Who
// keeps to its cores runs at most as long as they are there. What the system says may be some milliseconds old, and a thread
// that only waits for news may run elsewhere: a quarter of a core means nothing, and no single spell convicts, whatever
// was booked in it: a late reading, or a lump of many spells' run time. Lumps of several threads may come in successive
// spells, after many in which nothing was booked: what was not used counts for whoever it is that uses more later. Of
// nobody it is known at first what has been before.
#pragma once

#include <broker/policy/names.hpp>

#include <algorithm>
#include <utility>

namespace parley::inline v0::broker::service {

class overuse {
public:
    // In a spell it ran so long; the cores that it held then were there for `room`, whoever else had them, too. Returns
    // whether it is clear by now that it keeps to nothing.
    bool add(nanoseconds length, nanoseconds ran, nanoseconds room) noexcept {
        if (room == 0) return false;
        const auto number = [](nanoseconds t) { return static_cast<double>(t); };
        // Another program of the process may count its room a spell later, and twice then: neither weighs more.
        const double whole = number(std::max(room, std::exchange(room_before_, room)));
        const double by = (number(ran) - number(room) - number(length) / 4) / whole;
        beyond_ = std::max(least, beyond_ + std::min(1.0, by));
        return beyond_ > most;
    }
    void forget() noexcept { beyond_ = least; }

private:
    // Threads whose time is booked once in P spells each, P <= 20, go beyond by no more than P / 2 from one moment to
    // another.
    static constexpr double most = 4, least = -6;
    double beyond_ = least;  // in all that it held for a spell
    nanoseconds room_before_ = 0;
};

}  // namespace parley::inline v0::broker::service
