// Workers that come and go (pool::resize; Varisteas et al. 2012, §3). Not to be confused with waits that are suspended
// (suspended.hpp).
//
// Immediate suspension: between two tasks nothing of a worker lies on its stack. Its deque changes owner by one message,
// its request comes home, its mailbox closes, and its thread sleeps.
//
// Lazy suspension: a task that has begun cannot move. Its worker goes on with it and with what it has made, which others
// may steal; in a wait it asks for nothing more.
//
// What was handed on may be needed by somebody who waits for it, while every active worker is isolated, blocked or in
// another runtime, or worker 0's seat is empty. So whoever is to go takes a job that nobody else takes: in a wait at
// once, where nobody rests; sitting out when no active worker has received anything for a while.
#pragma once

#include <parley/runtime/medium.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/worker.hpp>

#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

// Long against a task that looks up, and nothing to whoever waits for a task that is as long.
inline constexpr auto patience_with_active_workers = std::chrono::milliseconds(10);

[[nodiscard]] inline bool is_to_go(const worker& self) noexcept { return self.id >= self.home.active(); }

[[nodiscard]] inline std::uint64_t received_by_active_workers(const pool& home) noexcept {
    std::uint64_t sum = 0;
    for (protocol::worker_id id = 0; id < home.active(); ++id) sum += home.at(id).standing.received.get();
    return sum;
}

// Until there are to be more workers again, a job needs it, or the thread's wait is over.
template <class Condition>
void sit_out(worker& self, Condition& done) {
    const uninterrupted here(self.signals);
    self.turn_away();
    self.home.hand_on_deque(self);
    self.home.hand_on_all(self);
    self.turn_away();  // from tasks that it had to run, for want of memory to hand them on
    thread_medium medium(self);
    protocol_worker& machine = self.home.protocol_of(self.id);
    machine.stay_away(medium);
    while (!done() && is_to_go(self)) {
        (void)machine.serve(medium);  // a scan that was meant for it
        self.show_whether_it_has_looked(false);
        // A job that comes later brings news.
        const bool jobs_wait = !self.home.jobs.empty();
        const std::uint64_t received = received_by_active_workers(self.home);
        if (!machine.go_to_sleep(medium, protocol::asking::nothing)) continue;
        bool is_woken = true;
        if (!done() && is_to_go(self)) {
            if (jobs_wait) is_woken = medium.sleep_up_to(patience_with_active_workers);
            else medium.sleep();
        }
        machine.wake_up(medium);
        self.count.wakes.add();
        if (is_woken || self.home.jobs.empty() || received_by_active_workers(self.home) != received) continue;
        self.lends_a_hand = hand::offered;
        break;
    }
    if (!done()) machine.come_back(medium);
}

// In a wait of a worker that is to go, once for each turn of its loop. True: it has sat out.
template <class Condition>
[[gnu::noinline, gnu::cold]] bool leave_or_stay(worker& self, protocol::standing where, Condition& done) {
    if (where != protocol::standing::between_tasks || self.depth != 1 || self.suspended.any()) return false;
    // Lending a hand: one look for a job, and then what came of it.
    if (self.lends_a_hand == hand::offered) return false;
    if (self.lends_a_hand == hand::lent && (self.queued() > 0 || self.job != nullptr)) return false;
    self.lends_a_hand = hand::no;
    sit_out(self, done);
    return true;
}

}  // namespace parley::inline v0::threading
