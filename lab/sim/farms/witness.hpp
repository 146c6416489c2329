// Who is told what the parts of a virtual farm did, and when: for timelines.
#pragma once

#include <lab/sim/timed/time.hpp>

#include <cstdint>

namespace parley::inline v0::sim::farms {

enum class deed : std::uint8_t {
    choose,   // the emitter, a lane for an item; it may find none
    give,     // the emitter, an item to a lane, with the fake tasks that the schedule sends behind it
    item,     // a lane, that far: one that shares its core may take several turns
    fake,     // a lane, a fake task
    collect,  // the collector, a result
};

struct sight {
    deed what = deed::choose;
    std::uint32_t lane = 0;    // that works, or is given to
    std::uint64_t number = 0;  // of the item, or of the episode that a fake task is of
    timed::moment from = 0, to = 0;
};

// Told when something has ended, of each part in the order of time. Whatever it does, the run is the same.
class witness {
public:
    witness() = default;
    witness(const witness&) = delete;
    witness& operator=(const witness&) = delete;
    virtual ~witness() = default;
    virtual void sees(const sight& s) = 0;
};

}  // namespace parley::inline v0::sim::farms
