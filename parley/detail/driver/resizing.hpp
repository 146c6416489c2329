// Workers that come and go (Varisteas et al. 2012, §3). The waits of suspended_waits.hpp are something else.
//
// 1. Immediate suspension: a worker that is to go gives up at its next look what it has not begun. Its deque changes owner
//    by one message.
// 2. Lazy suspension: a task that has begun cannot move. Its worker goes on with that task alone, asks for nothing, and
//    sleeps where it waits.
// 3. Between two tasks the worker's stack is empty. Its request comes home, its mailbox closes, and it sleeps (I10).
// 4. Somebody may wait for what was handed on, while all other workers are isolated or blocked, or worker 0's seat is
//    empty. So a worker that is to go takes a job that none of the workers before it would take.
#pragma once

#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/protocol/requesting.hpp>

namespace parley::inline v0::threading {

// The worker has looked for a job.
template <host Host>
void hand_is_lent(Host h) noexcept {
    if (h.lends() != hand::no) [[unlikely]]
        h.set_hand(h.is_to_go() ? hand::lent : hand::no);
}

// Sleeps until the runtime is to have more workers, a job needs this one, or its thread's wait is over.
template <host Host, condition Condition>
void sit_out(Host h, Condition& done) {
    [[maybe_unused]] const auto here = h.uninterrupted();
    h.now_does(doing::parked);
    h.leave_all();  // I10: others have its tasks, its request is home, its mailbox closed
    auto m = h.look_at_others();
    auto& machine = h.machine();
    machine.stay_away(m);
    while (!done() && h.is_to_go()) {
        (void)machine.serve(m);  // somebody may have asked this worker for a scan
        h.show_whether_it_has_looked(false);
        bool is_needed = false;
        {
            const typename Host::sitting_out away(h);
            if (!machine.go_to_sleep(m, protocol::asking::nothing)) continue;
            is_needed = !done() && h.is_to_go() && h.sleep_until_needed(m, true);
        }
        machine.wake_up(m);
        h.count_wake();
        if (!is_needed) continue;
        h.set_hand(hand::offered);
        break;
    }
    if (!done()) machine.come_back(m);
}

// Called in a wait of a worker that is to go, once per turn. True: the worker has been away.
template <host Host, condition Condition>
[[gnu::noinline, gnu::cold]] bool leave_or_stay(Host h, waiting<Host, Condition>& wait) {
    // A worker that lends a hand looks once for a job, and then does what came of it.
    const hand lends = h.lends();
    if (lends == hand::offered) return false;
    if (lends == hand::lent && h.has_something()) return false;
    if (lends != hand::no) h.set_hand(hand::no);
    if (wait.where != protocol::standing::between_tasks || h.depth() != 1 || h.suspended().any()) {
        if (h.takes_work()) h.give_up_tasks();
        return false;
    }
    sit_out(h, wait.done);
    return true;
}

}  // namespace parley::inline v0::threading
