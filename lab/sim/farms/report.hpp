// How a farm in virtual time is set up, and what came of it.
#pragma once

#include <lab/sim/farms/witness.hpp>
#include <lab/sim/timed/costs.hpp>
#include <lab/sim/timed/report.hpp>
#include <parley/farm/round_robin.hpp>
#include <parley/farm/schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace parley::inline v0::sim::farms {

using timed::duration;
using timed::moment;

struct setup {
    std::uint64_t items = 1;      // that come to the collector, in all
    std::uint64_t pool = 0;       // so many go round until then (feedback); 0: a stream
    bool ordered = true;          // the collector's results; not for a pool
    std::vector<duration> lanes;  // what an item takes on each of them, alone on a core at full speed
    std::uint32_t cores = 1;      // that the lanes are on, in turn; emitter and collector have cores of their own
    duration slice = 4000 * timed::microsecond;  // of lanes that share one
    any_schedule schedule = round_robin{};
    std::uint64_t tokens = 1;  // items under way
    std::uint64_t bound = 0;   // of what a lane has; 0: none. An emitter that has chosen a full one waits for it
    std::uint32_t spread = 0;  // percent that an item's length may be off
    timed::costs machine;
    struct timed::faults faults;
    std::uint64_t seed = 1;
    witness* seen_by = nullptr;
    std::function<bool()> stops;  // asked now and then; true: the run throws timed::stopped
};

struct lane_report {
    std::uint64_t items = 0;
    std::uint64_t fakes = 0;    // that it came to
    std::uint64_t highest = 0;  // level that it had
    duration busy = 0;          // with items and what it takes to pass them on
    duration waited = 0;        // its items, in its queue, in all
    duration longest_wait = 0;
};

struct report {
    duration took = 0;  // until the last item has come through the collector
    duration emitter_busy = 0;
    std::uint64_t items = 0;      // that have
    std::uint64_t fakes = 0;      // sent
    std::uint64_t under_way = 0;  // items, at most
    bool in_order = true;         // as they came through, whether or not they had to
    std::uint64_t events = 0;
    std::vector<lane_report> lanes;

    // One farm after the other, on the same lanes.
    void add(const report& next) {
        took += next.took;
        emitter_busy += next.emitter_busy;
        items += next.items;
        fakes += next.fakes;
        under_way = std::max(under_way, next.under_way);
        in_order = in_order && next.in_order;
        events += next.events;
        lanes.resize(std::max(lanes.size(), next.lanes.size()));
        for (std::size_t i = 0; i < next.lanes.size(); ++i) {
            lanes[i].items += next.lanes[i].items;
            lanes[i].fakes += next.lanes[i].fakes;
            lanes[i].highest = std::max(lanes[i].highest, next.lanes[i].highest);
            lanes[i].busy += next.lanes[i].busy;
            lanes[i].waited += next.lanes[i].waited;
            lanes[i].longest_wait = std::max(lanes[i].longest_wait, next.lanes[i].longest_wait);
        }
    }
};

// Throws timed::broken_promise if an item is lost, doubled or out of order, a bound is broken or the end does not come,
// and usage_error if the schedule cannot work with so many lanes or tokens.
[[nodiscard]] report run(const setup& s);

}  // namespace parley::inline v0::sim::farms
