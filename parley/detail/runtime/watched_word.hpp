// The part of a worker that is watched. The worker writes it. Threads that may interrupt it, or count on it, read it,
// and also write `called` (watchdog.hpp).
#pragma once

#include <parley/detail/driver/states.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

struct watched_word {
    sync::hint<int> thread{0};           // the kernel's number of its thread; 0: nobody sits there
    sync::hint<bool> has_looked{false};  // since the lobby bit went up it has looked, and had nothing to give
    // Since then, in nanoseconds, what the worker has is not worth giving; 0: it is worth giving (policy/weighing.hpp).
    sync::hint<std::int64_t> keeps_since{0};
    sync::hint<std::int64_t> searched_at{0};  // in nanoseconds: then it last looked for work, and found none
    sync::flag called;                        // a signal is on its way
    sync::hint<bool> takes_no_jobs{false};    // for now, e.g. because it blocks, or sleeps and is isolated (lending.hpp)
    sync::hint<hand> lends_a_hand{hand::no};
};

}  // namespace parley::inline v0::threading
