// Whether a worker asks others for tasks, for how many, and when.
#pragma once

#include <parley/detail/policy/backoff.hpp>
#include <parley/detail/policy/gain.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

namespace parley::inline v0::threading {

// What to ask for, given how stealing went so far.
inline protocol::asking judge(gain& steals) {
    if (!steals.undecided() && !steals.in_doubt()) return protocol::asking::as_strategy;
    const auto now = gain::clock::now();
    steals.judge(now);
    return steals.in_doubt() ? steals.ask_for(now) : protocol::asking::as_strategy;
}
inline protocol::asking what_to_ask_for(worker& self, thread_medium& medium) {
    if (!self.takes_work() || self.is_to_go()) return protocol::asking::nothing;
    const bool circulates = self.home.circulates();
    const protocol::asking asking = circulates ? protocol::asking::as_strategy : judge(self.steals);
    if (asking == protocol::asking::nothing || !self.home.backs_off()) return asking;
    const bool may_pause = machine_of(self).may_pause(medium);
    const protocol::asking later = self.pauses.judge(may_pause, backoff::clock::now(), circulates);
    return later == protocol::asking::nothing ? later : asking;
}

// Before one of the last tasks is run, so that the next ones are on their way meanwhile.
[[gnu::noinline]] inline void ask_early(worker& self) {
    const bool asks = self.takes_work() && !self.is_to_go();
    if (!self.early.wants(self.queued()) || !asks || self.steals.in_doubt()) return;
    thread_medium medium(self);
    protocol_worker& machine = machine_of(self);
    if (self.early.failed(machine.all_home(medium))) return;
    machine.ask_early(medium);
    self.early.asked();
}

}  // namespace parley::inline v0::threading
