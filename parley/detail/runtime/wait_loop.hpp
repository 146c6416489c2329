// The loop behind runtime/wait.hpp, as a template over its condition: a scope's is looked at after each
// of its tasks and must be inlined there.
#pragma once

#include <parley/detail/policy/patience.hpp>
#include <parley/detail/runtime/asking.hpp>
#include <parley/detail/runtime/blocking.hpp>
#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/high_tasks.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/relax.hpp>
#include <parley/detail/runtime/suspension.hpp>
#include <parley/detail/runtime/visiting.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/wanting.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

// Looking at the clock costs as much as a few turns.
inline constexpr unsigned turns_per_look = 8;

// Waits on top of each other. Some 100 KiB of stack, if the tasks themselves need little.
inline constexpr std::uint32_t deepest_on_one_stack = 256;

// How often an isolated sleeper looks whether somebody wants what it keeps.
inline constexpr auto look_for_takers_every = std::chrono::milliseconds(10);

// How long a worker has found nothing to do.
class spinning {
public:
    explicit spinning(const patience& of_worker) noexcept : waits_(of_worker) {}

    // From `give_way` on the spinning thread lets others have its core.
    enum class advice : std::uint8_t { spin, give_way, rest, sleep };

    void restart() noexcept {
        turns_ = 0;
        last_ = advice::spin;
        interrupted_ = false;
    }

    // Once, when it is time to interrupt those that have not looked.
    bool interrupts_now() noexcept {
        if (interrupted_ || waited_ < waits_.with_tasks()) return false;
        interrupted_ = true;
        return true;
    }

    // Of one that asks, or for nothing.
    advice next(bool asks) noexcept {
        if (last_ == advice::spin && turns_++ % turns_per_look != 0) return advice::spin;
        const auto now = std::chrono::steady_clock::now();
        if (turns_ == 1) since_ = now;
        waited_ = now - since_;
        last_ = waited_ >= waits_.before_sleep(asks)     ? advice::sleep
                : waited_ >= waits_.with_victim()        ? advice::rest
                : waited_ >= patience::before_giving_way ? advice::give_way
                                                         : advice::spin;
        return last_;
    }

private:
    const patience& waits_;
    unsigned turns_ = 0;
    advice last_ = advice::spin;
    bool interrupted_ = false;
    std::chrono::steady_clock::time_point since_;
    std::chrono::steady_clock::duration waited_{};
};

// What is waited for. may_hold() is asked after each task and must be cheap; where it says no, the
// condition does not hold, or holds by something that raises this worker's attention.
template <class C>
concept condition = requires(C c) {
    { c() } -> std::same_as<bool>;
    { c.may_hold() } -> std::same_as<bool>;
};

// A condition whose wait has a cause (suspended_wait::cause), or null.
template <class C>
concept condition_with_cause = requires(C c) {
    { c.cause() } -> std::same_as<const void*>;
};
// A condition that has something to prepare while its wait is suspended.
template <class C>
concept condition_that_is_suspended = requires(C c) { c.is_suspended(true); };

// A condition that may come to hold by itself, and when.
template <class C>
concept condition_with_deadline = requires(C c) { c.last; };

// What a helper waits for (see suspended.hpp).
struct another_can_go_on {
    static constexpr awaited awaits = awaited::nothing;
    worker* self;
    suspended_wait* found = nullptr;
    bool operator()() {
        found = self->suspended.ready(self->news_seen);
        return found != nullptr;
    }
    // Waits without a cause are looked at after each task that may have ended something for somebody: of tasks of one
    // scope after some of them (they are many, and small), of others after each.
    bool may_hold() {
        if (self->suspended.has_to_look(self->news_seen)) return true;
        if (!self->suspended.any_without_cause()) return false;
        const std::uint64_t before = std::exchange(group, self->group.number);
        return group == 0 || group != before || ++looked % tasks_per_look == 0;
    }
    static constexpr unsigned tasks_per_look = 16;
    std::uint64_t group = 0;
    unsigned looked = 0;
};

// Sleeps unless what is waited for here has come, or somebody else has something to say.
template <condition Condition>
void sleep(worker& self, thread_medium& medium, protocol::asking asking, Condition& done, noted_wait& noted) {
    protocol_worker& machine = machine_of(self);
    if (!machine.go_to_sleep(medium, asking)) return;
    const wanting_what_is_left here(self, asking);
    const bool may_go_on_with_another = self.may_switch() && !self.isolated;
    if (!here.has_got_all()) {
        self.home.wait_a_moment();  // there is no memory for it now
    } else if (!done() && !(may_go_on_with_another && self.suspended.any_ready(self.news_seen))) {
        self.now_does(doing::parked);
        note_wait(self, noted, noted_wait::state::asleep);
        // Only of waits that could end then: a sleep that ends for others would begin again at once, and again.
        deadline last = may_go_on_with_another ? self.suspended.first_deadline() : no_deadline;
        if constexpr (condition_with_deadline<Condition>) last = std::min(last, done.last);
        medium.sleep_no_longer_than(last);
        if (self.is_visiting()) {
            sleep_in_first_runtime(self, last);
        } else if (self.takes_jobs() && !self.takes_work()) {
            medium.sleep_until_jobs();
        } else if (!self.takes_work()) {
            const bool before = self.watched.takes_no_jobs.get();
            self.watched.takes_no_jobs.set(true);
            // What is waited for will tell; but whoever runs dry meanwhile may want what is kept here.
            if (self.queued() > 0) medium.sleep_for(look_for_takers_every);
            else medium.sleep();
            self.watched.takes_no_jobs.set(before);
        } else if (self.is_to_go() && (asking != protocol::asking::nothing || here.is_told())) {
            // Looked at again, now that it is marked asleep. One that is to go since a moment ago, and pauses, looks once
            // more.
            if (sleep_until_needed(self, medium)) self.watched.lends_a_hand.set(hand::offered);
        } else if (asking == protocol::asking::nothing) {
            const auto now = gain::clock::now();
            medium.sleep_for(std::max(self.steals.left(now), self.pauses.left(now)));
        } else {
            self.steals.forget();
            const auto since = std::chrono::steady_clock::now();
            sleep_watching(self, medium);
            // Who backs off interrupts others only as it falls asleep, and so ends that sleep itself.
            // A sleep that its time has ended teaches nothing: awake the worker would have waited in vain.
            if (!self.home.backs_off() && !has_passed(last)) self.waits.has_slept(std::chrono::steady_clock::now() - since);
        }
        self.to_people.waits.becomes(noted, noted_wait::state::awake);
    }
    machine.wake_up(medium);
    self.count.wakes.add();
}

// Asks early, and runs one of the high tasks first, if there are any; shows what it runs.
[[gnu::noinline]] inline void look_and_run(worker& self, task* t) {
    {
        const uninterrupted here(self.signals);  // `t` is put back before a high task is taken out
        if (self.early.is_on()) ask_early(self);
        if (run_high_before(self, t)) return;
    }
    self.run_shown(t);
}

// Runs the tasks of the own deque; true if there was any. Between tasks thieves are served, too:
// leaves that never fork must not keep them waiting (TH figure 3.2).
template <condition Condition>
[[gnu::always_inline]] inline bool run_own_tasks(worker& self, Condition& done) {
    task* t = self.tasks.pop();
    if (t == nullptr) return false;
    const std::uint32_t news = self.news_seen;
    do {
        if (self.looks_between_tasks) [[unlikely]]
            look_and_run(self, t);
        else t->run(t, self);
        if (self.shown.attention.any()) [[unlikely]] {
            self.serve_others();
            break;
        }
        // A look inside the task has found news: that this worker is to go, perhaps.
        if (done.may_hold() || self.news_seen != news) break;
        t = self.tasks.pop();
    } while (t != nullptr);
    return true;
}

// A high task where there is no normal one to begin, and then whoever has asked meanwhile.
inline bool run_high_and_serve(worker& self) {
    if (!run_high(self)) return false;
    if (self.shown.attention.any()) self.serve_others();
    return true;
}

// A request that somebody has taken is answered in a moment. Isolated tasks must not lie in the task channel while the
// task that has waited goes on: they are run (isolation.hpp). Others stay there.
void run_what_comes_late(worker& self, thread_medium& medium);

// Does what comes from elsewhere on another stack until some suspended wait can go on; returns that.
suspended_wait* help(worker& self);

// Suspends this wait; `go_on` goes on elsewhere.
template <condition Condition, class GoOn>
void let_go_of_stack(worker& self, protocol::standing where, Condition& done, noted_wait& noted, GoOn go_on) {
    note_wait(self, noted, noted_wait::state::suspended);
    suspended_wait here{[](void* c) { return (*static_cast<Condition*>(c))(); }, &done};
    // Where nothing lies below that a task could need, any task may run, and the loop always goes on.
    if (where == protocol::standing::between_tasks) here.holds = [](void*) { return true; };
    else if constexpr (condition_with_cause<Condition>) here.cause = done.cause();
    if constexpr (condition_with_deadline<Condition>) here.last = done.last;
    self.turn_away();
    if constexpr (condition_that_is_suspended<Condition>) done.is_suspended(true);
    const std::uint32_t depth = self.depth;
    const std::uint32_t spawned_inline = self.spawned_inline;
    void* const kept_by_task = self.kept_by_task;
    noted.suspended_as = &here;
    const std::uint16_t stack = self.record != nullptr ? self.record->stack : 0;
    worker* const visits = innermost;
    go_on(here);
    self.to_people.waits.becomes(noted, noted_wait::state::awake);
    self.runs_on_this_stack();
    sync::compiler_fence();  // a signal handler follows `outer` from `innermost` on
    innermost = visits;
    sync::compiler_fence();
    if constexpr (condition_that_is_suspended<Condition>) done.is_suspended(false);
    self.depth = depth;
    self.spawned_inline = spawned_inline;
    self.kept_by_task = kept_by_task;
    if (self.record != nullptr) self.record->stack = stack;
    self.hold_all();
}

// Goes on with another wait, if one can. A helper has looked itself: its wait is for just that.
template <condition Condition>
bool go_on_with_another(worker& self, protocol::standing where, Condition& done, noted_wait& noted) {
    if constexpr (std::same_as<Condition, another_can_go_on>) {
        return false;
    } else {
        if (self.isolated || !self.may_switch()) return false;
        suspended_wait* const other = self.suspended.ready(self.news_seen);
        if (other == nullptr) return false;
        if (done()) return true;
        self.now_does(doing::useful);
        const uninterrupted meanwhile(self.signals);
        let_go_of_stack(self, where, done, noted, [&](suspended_wait& here) { self.suspended.suspend(here, *other); });
        return true;
    }
}

// Does what came from elsewhere, if there is anything: on another stack where a task waits on this one.
template <condition Condition>
bool do_foreign_tasks(worker& self, protocol::standing where, Condition& done, noted_wait& noted) {
    if (self.isolated || (self.queued() == 0 && self.job == nullptr)) return false;
    self.now_does(doing::useful);
    if (where == protocol::standing::in_task && self.may_switch()) {
        if (fiber* const helper = self.suspended.helper(self, &help)) {
            if (self.suspended.many()) self.steals.hold_off(gain::clock::now());
            let_go_of_stack(self, where, done, noted, [&](suspended_wait& here) { self.suspended.suspend(here, *helper); });
            return true;
        }
    }
    if (!self.high.empty()) {
        self.high.let_go();
    } else if (task* const job = std::exchange(self.job, nullptr)) {
        self.hold_all();  // what is there may be newer, and may wait for it
        const interruptible meanwhile(self.signals);
        self.run_shown(job);
    } else {
        self.tasks.let_go();
    }
    return true;
}

// A sleeper gives nothing, and an isolated one takes nothing. What was made inside an outer isolation it keeps, for that
// one's waits: others may block on what the region keeps, and the job would be nobody's.
inline void give_everything(worker& self, thread_medium& medium) {
    protocol_worker& machine = machine_of(self);
    machine.withdraw(medium);
    self.home.hand_on_outside(self);
    while (self.queued() == 0 && machine.receive(medium)) self.home.hand_on_tasks(self);
}

// Iterations of loops that this worker is in, further down on some stack: they are older than the wait.
inline bool take_from_own_loop(worker& self) {
    if (self.depth >= deepest_on_one_stack && !self.may_switch()) return false;
    splittable* const s = self.loops.to_split();
    if (s == nullptr) return false;
    self.tasks.push(s->split(self, s->last_half()));
    if (self.depth >= deepest_on_one_stack && !self.isolated && self.may_switch()) self.hold_all();
    return true;
}

inline void rest_and_interrupt(worker& self, thread_medium& medium, spinning& idle) {
    machine_of(self).rest(medium);
    self.waits.was_in_vain();
    if (idle.interrupts_now()) interrupt_those_who_do_not_look(self);
}

// One turn without own tasks: asks others, or spins, rests or sleeps. Not inlined: most waits end without
// it, and what it needs would be prepared for all of them.
template <condition Condition>
[[gnu::noinline]] void look_elsewhere(worker& self, protocol::standing where, Condition& done, spinning& idle,
                                      noted_wait& noted) {
    const uninterrupted here(self.signals);
    self.turn_away();
    if ((!self.isolated && run_isolated_message(self)) || go_on_with_another(self, where, done, noted) ||
        run_high_and_serve(self) || do_foreign_tasks(self, where, done, noted)) {
        if (self.home.lets_keep()) (void)collect_now_and_then(self);
        idle.restart();
        return;
    }
    if (!self.isolated && take_from_own_loop(self)) return;
    if ((self.shown.attention.get() & protocol::bits::refill) != 0) self.refill();
    thread_medium medium(self);
    protocol_worker& machine = machine_of(self);
    const protocol::asking asking = what_to_ask_for(self, medium);
    if (self.is_to_go()) machine.withdraw(medium);
    // A suspended task is unfinished work (I4).
    const protocol::standing shown = self.suspended.any() ? protocol::standing::in_task : where;
    // The wait of a barrier says that it is idle, also where its thread is a visitor.
    const bool only_serves = self.isolated || self.draining ||
                             (self.is_visiting() && (shown == protocol::standing::in_task || self.queued() != 0));
    if (only_serves) {
        (void)machine.serve(medium);
    } else if (machine.seek(medium, shown, asking)) {
        self.watched.has_looked.set(false);  // what it has found it has not offered to anybody
        self.now_does(doing::useful);
        self.steals.received(self.queued(), collect_now_and_then(self));  // what it has got is timed after that
        self.waits.was_answered();
        self.pauses.forget();
        self.early.received();
        if (where == protocol::standing::between_tasks) self.let_go();
        hand_is_lent(self);
        // The first is begun before any is given away, and may not poll; others may sleep already.
        if (self.queued() > 1 && self.shown.attention.any()) ask_to_be_watched(self);
        (void)run_isolated_message(self);  // whatever else may go on now
        idle.restart();
        return;
    }
    hand_is_lent(self);
    self.show_whether_it_has_looked(medium.spare() > 0);  // it looks at every turn: nobody need interrupt it
    self.now_does(machine.is_being_answered(medium) ? doing::mugging : doing::stealing);
    auto advice = idle.next(asking != protocol::asking::nothing);
    if (self.is_visiting() && advice != spinning::advice::spin) advice = spinning::advice::sleep;  // there is more to do
    switch (advice) {
        case spinning::advice::spin: relax(); break;
        case spinning::advice::give_way: give_way(); break;
        case spinning::advice::rest:
            if (asking != protocol::asking::nothing && (!self.home.backs_off() || self.pauses.gives_up()))
                rest_and_interrupt(self, medium, idle);
            give_way();
            break;
        case spinning::advice::sleep:
            if (!self.takes_work() && self.home.size() > 1) give_everything(self, medium);
            if (asking != protocol::asking::nothing) self.waits.was_in_vain();
            sleep(self, medium, asking, done, noted);
            idle.restart();
            break;
    }
}

template <condition Condition>
void wait_loop(worker& self, protocol::standing where, Condition& done) {
    // Inside a visit to another runtime the tasks that are run here still belong to this one.
    worker* const before = std::exchange(current, &self);
    const interruptible here(self.signals);
    const blocking_paused not_blocked(self);
    self.must_tidy = true;
    const hand lent_before = self.watched.lends_a_hand.get();
    spinning idle(self.waits);
    noted_wait noted(what_awaits(done));
    // What is run here are tasks, not the root. Too many of them on top of each other go on elsewhere.
    if (++self.depth >= deepest_on_one_stack && !self.isolated && self.may_switch()) self.hold_all();
    self.serve_those_put_off();
    if (self.suspended.any() && self.suspended.has_to_look(self.news_seen)) [[unlikely]]
        (void)go_on_with_another(self, where, done, noted);
    while (!done()) {
        if (self.is_to_go() && leave_or_stay(self, where, done)) [[unlikely]] {
            idle.restart();
        } else if (run_own_tasks(self, done)) {
            idle.restart();
            if (self.suspended.any()) [[unlikely]]
                (void)go_on_with_another(self, where, done, noted);
        } else {
            look_elsewhere(self, where, done, idle, noted);
        }
    }
    thread_medium medium(self);
    protocol_worker& machine = machine_of(self);
    machine.withdraw(medium);
    if (!machine.all_home(medium)) [[unlikely]]
        run_what_comes_late(self, medium);
    self.pauses.forget();
    if (self.watched.lends_a_hand.get() != hand::no) [[unlikely]]  // what it was for is over, or not begun
        self.watched.lends_a_hand.set(self.is_to_go() ? lent_before : hand::no);
    self.now_does(doing::useful);
    self.turn_away_from_others();  // back in a task that may be of another group, or long
    current = before;
    --self.depth;
}

}  // namespace parley::inline v0::threading
