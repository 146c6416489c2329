// Workers that come and go (pool::resize; Varisteas et al. 2012, §3). Not to be confused with waits that are suspended
// (suspended.hpp).
//
// A worker that is to go gives up at its next look what it has not begun: its deque changes owner by one message
// (immediate suspension). A task that has begun cannot move: its worker goes on with that alone, asks for nothing, and
// sleeps where it waits (lazy suspension). Between two tasks nothing of it lies on its stack: its request comes home, its
// mailbox closes, and its thread sleeps.
//
// What was handed on may be needed by somebody who waits for it, while every other worker is isolated or blocked, or
// worker 0's seat is empty. So whoever is to go takes a job that none of those before it would take.
#pragma once

#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <chrono>
#include <cstdint>

namespace parley::inline v0::threading {

// How often one that is asleep looks after jobs that nobody has taken, and how often those that others would come before;
// and after which time whoever has not looked up may be blocked: long against most tasks, and nothing to whoever waits
// for one that is as long.
inline constexpr auto look_after_jobs_every = std::chrono::milliseconds(10);
inline constexpr auto others_look_every = std::chrono::milliseconds(160);
inline constexpr auto patience_with_active_workers = std::chrono::milliseconds(160);

// Would this worker take a job by and by?
[[nodiscard]] inline bool will_take_a_job(const worker& other, bool had_time_to_look) noexcept {
    if (other.watched.thread.get() == 0 || other.watched.takes_no_jobs.get()) return false;
    const protocol::bits::word wanted = other.shown.attention.get();
    if ((wanted & sync::attention::asleep) != 0) return true;  // it looks after them itself, or is told
    if (other.is_to_go() && other.watched.lends_a_hand.get() == hand::no) return false;
    return !had_time_to_look || (wanted & protocol::bits::news) == 0;
}
[[nodiscard]] inline bool others_take_jobs(const worker& self, bool had_time_to_look) noexcept {
    for (protocol::worker_id id = 0; id < self.id; ++id)
        if (will_take_a_job(self.home.at(id), had_time_to_look)) return true;
    return false;
}

// By one that is marked asleep. True: a job waits that none of those before it would take.
[[nodiscard]] inline bool sleep_until_needed(worker& self, thread_medium& medium, bool collects = false) noexcept {
    using clock = std::chrono::steady_clock;
    if (self.home.jobs.empty()) {
        if (!collects || !self.home.leaves_any_tasks()) medium.sleep_until_jobs();
        return false;
    }
    const auto pause = self.id == self.home.active() ? look_after_jobs_every : others_look_every;
    for (;;) {
        for (protocol::worker_id id = 0; id < self.id; ++id) {
            worker& other = self.home.at(id);
            if (!other.shown.attention.is_asleep()) other.raise_and_wake(protocol::bits::news);  // to see whether it looks
        }
        const auto since = clock::now();
        bool is_late = false;
        while (!is_late) {
            if (self.home.jobs.empty()) return false;
            if (!others_take_jobs(self, false)) return true;
            if (medium.sleep_up_to(pause)) return false;
            is_late = clock::now() - since >= patience_with_active_workers;
        }
        if (!self.home.jobs.empty() && !others_take_jobs(self, true)) return true;
    }
}

// What threads leave in seats that they keep (kept_seats.cpp) goes to whoever sleeps with a request out or comes by. Where
// all of those are busy for long, or nobody is left, it is for those who are to go, as jobs are. False: woken.
[[nodiscard]] inline bool collect_after_others(worker& self, thread_medium& medium) noexcept {
    auto pause = self.id == self.home.active() ? look_after_jobs_every : others_look_every;
    while (self.home.jobs.empty() && self.home.leaves_any_tasks()) {
        if (medium.sleep_until_jobs_up_to(pause)) return false;
        (void)self.home.collect(self);
        pause = others_look_every;
    }
    return true;
}

// It has looked for a job.
inline void hand_is_lent(worker& self) noexcept {
    if (self.watched.lends_a_hand.get() != hand::no) [[unlikely]]
        self.watched.lends_a_hand.set(self.is_to_go() ? hand::lent : hand::no);
}

// Until there are to be more workers again, a job needs it, or the thread's wait is over.
template <class Condition>
void sit_out(worker& self, Condition& done) {
    const uninterrupted here(self.signals);
    self.now_does(doing::parked);
    self.turn_away();
    self.home.give_up_tasks(self);
    self.home.hand_on_all(self);
    self.turn_away();  // from tasks that it had to run, for want of memory to hand them on
    thread_medium medium(self);
    protocol_worker& machine = machine_of(self);
    machine.stay_away(medium);
    while (!done() && self.is_to_go()) {
        (void)machine.serve(medium);  // a scan that was meant for it
        self.show_whether_it_has_looked(false);
        self.home.sitting_out.add();
        if (!machine.go_to_sleep(medium, protocol::asking::nothing)) {
            self.home.sitting_out.take_off();
            continue;
        }
        const bool is_needed =
            !done() && self.is_to_go() && collect_after_others(self, medium) && sleep_until_needed(self, medium, true);
        self.home.sitting_out.take_off();
        machine.wake_up(medium);
        self.count.wakes.add();
        if (!is_needed) continue;
        self.watched.lends_a_hand.set(hand::offered);
        break;
    }
    if (!done()) machine.come_back(medium);
}

// In a wait of a worker that is to go, once for each turn of its loop. True: it has sat out.
template <class Condition>
[[gnu::noinline, gnu::cold]] bool leave_or_stay(worker& self, protocol::standing where, Condition& done) {
    // Lending a hand: one look for a job, and then what came of it.
    const hand lends = self.watched.lends_a_hand.get();
    if (lends == hand::offered) return false;
    if (lends == hand::lent && (self.queued() > 0 || self.job != nullptr)) return false;
    if (lends != hand::no) self.watched.lends_a_hand.set(hand::no);
    if (where != protocol::standing::between_tasks || self.depth != 1 || self.suspended.any()) {
        if (self.takes_work()) self.home.give_up_tasks(self);
        return false;
    }
    sit_out(self, done);
    return true;
}

}  // namespace parley::inline v0::threading
