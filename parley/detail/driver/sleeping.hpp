// A wait sleeps by these functions. driver/sleeping.md has the steps, the races and the proof.
#pragma once

#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/idle.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/driver/watching.hpp>
#include <parley/detail/protocol/requesting.hpp>

#include <algorithm>

namespace parley::inline v0::threading {

// Sleeps as long as is right. The worker is marked asleep, and nothing had come before that. `is_told`: it hears of
// tasks that threads leave behind, even if it has no request out.
template <host Host>
void sleep_as_is_right(Host h, typename Host::medium& m, protocol::asking asks, deadline last, bool is_told) {
    m.sleep_no_longer_than(last);
    if (h.sleeps_otherwise(m, last)) return;
    if (h.is_to_go() && (asks != protocol::asking::nothing || is_told)) {
        // Looks once more, now that the worker is marked asleep. This worker may have learnt only a moment ago that it
        // is to go.
        if (h.sleep_until_needed(m, false)) h.set_hand(hand::offered);
    } else if (asks == protocol::asking::nothing) {
        const auto now = h.now();
        m.sleep_for(std::max(h.policy().stealing_pays.left(now), h.policy().backoff.left(now)));
    } else {
        h.policy().stealing_pays.forget();
        const auto since = h.now();
        sleep_watching(h, m);
        // A worker that backs off interrupts others only as it falls asleep, and ends that sleep itself. So its sleeps
        // teach nothing. Nor does a sleep that ended by its deadline: awake the worker would have waited in vain.
        if (!h.backs_off() && (last == no_deadline || h.now() < last)) h.policy().patience.has_slept(h.now() - since);
    }
}

// Sleeps, unless the condition of this wait holds or another wait can go on. Both are looked at after the worker was
// marked asleep (I7, I8).
template <host Host, condition Condition>
void sleep(Host h, typename Host::medium& m, protocol::asking asks, waiting<Host, Condition>& wait) {
    auto& machine = h.machine();
    if (!machine.go_to_sleep(m, asks)) return;
    const typename Host::wanting here(h, asks);
    const bool may_go_on_with_another = may_let_go_of_stack(h);
    if (!here.has_got_all()) {
        (void)h.pass_time(idle_advice::give_way, h.now());  // there is no memory to take what is left in kept seats
    } else if (!wait.done() && !(may_go_on_with_another && h.suspended().any_ready(h.news_seen()))) {
        h.now_does(doing::parked);
        h.becomes(wait.noted, wait_state::asleep);
        // Only deadlines count whose waits could go on then. At another deadline the worker would fall asleep again at
        // once.
        deadline last = may_go_on_with_another ? h.suspended().first_deadline() : no_deadline;
        if constexpr (condition_with_deadline<Condition>) last = std::min(last, wait.done.last);
        sleep_as_is_right(h, m, asks, last, here.is_told());
        h.becomes(wait.noted, wait_state::awake);
    }
    machine.wake_up(m);
    h.count_wake();
}

}  // namespace parley::inline v0::threading
