// A worker that waits takes back what it has given to a thief that does not begin it (docs/internals/weighing.md). That
// thief may have lost its core, or its own wait was over before the answer came.
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/watching.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/requesting.hpp>

namespace parley::inline v0::threading {

// A thief that runs takes its answer within a microsecond or two.
inline constexpr weighing::duration begins_within = weighing::runs_still;

// Is there something that this wait would take back, if no thief has begun it? A wait that takes nothing from elsewhere
// takes nothing back either. What was given may have been made on another stack, or outside of the isolation that runs.
template <host Host>
[[nodiscard]] bool may_take_back(Host h, protocol::standing shown) {
    if constexpr (Host::takes_back) return h.has_given() && h.takes_work() && !h.is_to_go() && !h.only_serves(shown);
    else return false;
}

// The worker has no tasks. True: it has got some of those that it had given away. They go on like a thief's.
template <host Host>
bool take_back(Host h, typename Host::medium& m, protocol::standing where) {
    if constexpr (Host::takes_back) {
        if (!h.machine().take_back(m)) return false;
        h.has_not_looked();
        h.now_does(doing::useful);
        if (where == protocol::standing::between_tasks) h.let_go();
        if (h.is_wanted()) ask_to_be_watched(h);  // I9: what has come may run for long and not look
        (void)h.run_isolated_message();           // before anything else may go on
        return true;
    } else {
        return false;
    }
}

}  // namespace parley::inline v0::threading
