// What a program asks of a farm, whoever runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace parley_peers {

// Items 0 to items - 1 go from a source through lanes to a collector. A scheduler of streams has
//   stream<Result>(pool, plan, work, collect)
// which calls work(lane, item) for each item on some lane, a lane with one item at a time, and collect(Result) with
// each result, one at a time; in the order of the items if that is wanted. And
//   rounds<Item>(pool, plan, first, work, select)
// for feedback: work(lane, item&) changes each item on some lane, then select(Item) returns what goes round next, or
// nothing, one at a time. It is over when none is left. Of the plan, only what it says of lanes and schedules counts.
struct stream_plan {
    std::uint64_t items = 0;
    unsigned lanes = 1;
    bool ordered = true;

    // All lanes are the same, so the scheduler may have as many as it likes, and call work with any of them.
    bool alike = true;
    // Lanes block their thread, so that each should have one.
    bool blocks = false;

    // For schedulers that have a choice; see schedules.
    std::string schedule;
    std::size_t depth = 1;    // of on-demand
    std::size_t chunk = 300;  // of adaptive
};

}  // namespace parley_peers
