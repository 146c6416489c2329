// Decides whether a worker asks others for tasks, for how many, and when.
#pragma once

#include <parley/detail/driver/host.hpp>
#include <parley/detail/policy/gain.hpp>
#include <parley/detail/protocol/requesting.hpp>

namespace parley::inline v0::threading {

// Returns what to ask for, given whether the last steals paid.
template <host Host>
protocol::asking judge(Host h) {
    gain& pays = h.policy().stealing_pays;
    if (!pays.undecided() && !pays.in_doubt()) return protocol::asking::as_strategy;
    const auto now = h.now();
    pays.judge(now);
    return pays.in_doubt() ? pays.ask_for(now) : protocol::asking::as_strategy;
}

template <host Host>
protocol::asking what_to_ask_for(Host h, typename Host::medium& m) {
    if (!h.takes_work() || h.is_to_go()) return protocol::asking::nothing;
    const bool circulates = h.circulates();
    const protocol::asking asks = circulates ? protocol::asking::as_strategy : judge(h);
    if (asks == protocol::asking::nothing || !h.backs_off()) return asks;
    const protocol::asking later = h.policy().backoff.judge(h.machine().may_pause(m), h.now(), circulates);
    return later == protocol::asking::nothing ? later : asks;
}

// Called for a worker that begins without work. A letter of it would wander among others that have none. So its request
// rests, and the first worker that gets work finds it.
template <host Host>
void begin_at_rest(Host h) {
    if (!h.takes_work() || h.is_to_go() || h.circulates() || h.backs_off()) return;
    auto m = h.look_at_others();
    h.machine().begin_at_rest(m);
}

// Asks before one of the last tasks is run, so that the answer travels meanwhile.
template <host Host>
[[gnu::noinline]] void ask_early(Host h) {
    const bool asks = h.takes_work() && !h.is_to_go();
    if (!h.policy().ahead_of_time.wants(h.queued()) || !asks || h.policy().stealing_pays.in_doubt()) return;
    auto m = h.look_at_others();
    auto& machine = h.machine();
    if (h.policy().ahead_of_time.failed(machine.all_home(m))) return;
    machine.ask_early(m);
    h.policy().ahead_of_time.asked();
}

}  // namespace parley::inline v0::threading
