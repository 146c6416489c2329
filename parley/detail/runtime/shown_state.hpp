// The part of a worker that it publishes. Its own thread alone writes while it sits there, and any thread may read.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/sync/counter.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// The detection of termination reads these (protocol/termination.hpp).
struct alignas(base::cache_line) standing_word {
    sync::published<bool> idle{false};
    sync::published<std::uint64_t> sent{0}, received{0};
};

struct shown_state {
    standing_word standing;
    sync::hint<doing> does{doing::useful};
    sync::hint<bool> spawns_loose{false};  // it has made tasks that nobody awaits (end_of_process.cpp)
    // These two are written before a thread begins to stand in (stand_ins.cpp).
    sync::hint<bool> stands_in{false};
    sync::hint<std::uint32_t> place{0};  // its number among the workers that stand in
};

}  // namespace parley::inline v0::threading
