// Workers that come and go (pool::resize; Varisteas et al. 2012, §3). Not to be confused with waits that are suspended
// (suspended.hpp).
//
// Immediate suspension: between two tasks nothing of a worker lies on its stack. Its deque changes owner by one message,
// its request comes home, its mailbox closes, and its thread sleeps.
//
// Lazy suspension: a task that has begun cannot move. Its worker goes on with it, but takes nothing more from others; in
// a wait it gives away what it has not begun and sleeps until what it waits for is there.
#pragma once

#include <parley/runtime/medium.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/worker.hpp>

namespace parley::inline v0::threading {

[[nodiscard]] inline bool is_to_go(const worker& self) noexcept { return self.id >= self.home.active(); }

// Until there are to be more workers again, or the thread's wait is over.
template <class Condition>
void sit_out(worker& self, Condition& done) {
    const uninterrupted here(self.signals);
    self.turn_away();
    self.leaving = true;
    self.home.hand_on_all(self);
    thread_medium medium(self);
    protocol_worker& machine = self.home.protocol_of(self.id);
    machine.stay_away(medium);
    while (!done() && is_to_go(self)) {
        (void)machine.serve(medium);  // a scan that was meant for it
        self.show_whether_it_has_looked(false);
        if (!machine.go_to_sleep(medium, protocol::asking::nothing)) continue;
        if (!done() && is_to_go(self)) medium.sleep();
        machine.wake_up(medium);
        self.count.wakes.add();
    }
    self.leaving = false;
    if (!done()) machine.come_back(medium);
}

// In a wait, once for each turn of its loop. True: it has sat out.
template <class Condition>
[[gnu::noinline, gnu::cold]] bool leave_or_stay(worker& self, protocol::standing where, Condition& done) {
    self.leaving = is_to_go(self);
    if (!self.leaving) return false;
    if (where == protocol::standing::between_tasks && self.depth == 1 && !self.suspended.any()) {
        sit_out(self, done);
        return true;
    }
    const uninterrupted here(self.signals);
    self.home.hand_on_tasks(self);
    return false;
}

}  // namespace parley::inline v0::threading
