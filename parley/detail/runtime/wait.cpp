#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker_and_machine.hpp>

#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/wait_loop.hpp>

#include <cstdint>
#include <utility>

namespace parley::inline v0::threading {

namespace {
struct any_condition {
    bool (*done)(const void*);
    const void* context;
    awaited awaits;
    const void* what;
    bool operator()() const { return done(context); }
    bool may_hold() const { return done(context); }
    const void* cause() const { return what; }
};

// Its wait has no cause: what makes it true may be nothing but time.
struct condition_or_deadline {
    bool (*done)(const void*);
    const void* context;
    awaited awaits;
    deadline last;
    bool operator()() const { return done(context) || has_passed(last); }
    bool may_hold() const { return (*this)(); }
};
}  // namespace

void wait(worker& self, protocol::standing where, awaited what, bool (*done)(const void*), const void* context,
          const void* cause) {
    any_condition condition{done, context, what, cause};
    wait_loop(self, where, condition);
}

void wait_up_to(worker& self, deadline last, awaited what, bool only_sleeps, bool (*done)(const void*),
                const void* context) {
    condition_or_deadline condition{done, context, what, last};
    if (!only_sleeps) return wait_loop(self, protocol::standing::in_task, condition);
    const bool before = self.watched.takes_no_jobs.get();
    self.draining = true;
    self.watched.takes_no_jobs.set(true);
    self.home.hand_on_tasks(self);
    wait_loop(self, protocol::standing::in_task, condition);
    self.draining = false;
    self.watched.takes_no_jobs.set(before);
}

void offer_before_giving_up(worker& self) noexcept {
    if (self.home.lets_keep()) (void)self.home.collect(self);
    if (self.is_visiting() && !self.home.jobs.empty()) self.home.require_takers();
}

// A wait of its own that is not suspended is asked after each task anyway.
void tell_of_end(worker& self, sync::completion::woken waiters, const void* cause) noexcept {
    if (waiters.has(waiter_number(self.id))) self.has_ended(cause);
    if (waiters.several() || waiters.the_one() != waiter_number(self.id)) self.home.notify(waiters);
}

// As wait_loop() would. What makes that do more is looked at here: another runtime on top, the end of this worker's turn, a
// stack that is deep, and whatever comes between two tasks. A task that is held may not run here even if it is the newest
// (isolation.hpp, suspended.hpp): pop() does not give it.
bool run_if_newest(worker& self, const task* t) {
    if (current != &self || self.needs_care_between_tasks() || self.is_to_go() || self.depth + 1 >= deepest_on_one_stack)
        return false;
    self.serve_those_put_off();
    task* const newest = self.tasks.pop();
    if (newest != t) {
        if (newest != nullptr) self.tasks.push(newest);  // its place is still there; the wait begins with it
        return false;
    }
    self.run(newest);
    if (self.shown.attention.any()) [[unlikely]]
        self.serve_others();
    self.turn_away_from_others();
    return true;
}

bool run_isolated_message(worker& self) {
    if (self.isolated_message == nullptr) return false;
    const isolation here(self);
    task* const message = std::exchange(self.isolated_message, nullptr);
    const bool high = self.isolated_message_is_high;
    deque& into = high ? self.high : self.tasks;
    if (high) self.looks_between_tasks = true;
    if (into.empty()) {
        into.receive(message);
        // The first is begun before any is given away, and may not poll; others may sleep already.
        if (into.size() > 1 && self.shown.attention.any()) ask_to_be_watched(self);
    } else {
        const interruptible meanwhile(self.signals);
        into.unpack(message, [&](task* t) { self.run(t); });
    }
    wait(
        self, protocol::standing::in_task, awaited::something,
        [](const void* w) {
            const worker& of = *static_cast<const worker*>(w);
            return of.tasks.size() == of.tasks.held() && of.high.size() == of.high.held();
        },
        &self);
    return true;
}

void run_what_comes_late(worker& self, thread_medium& medium) {
    if (!self.takes_work() || self.queued() != 0 || self.isolated_message != nullptr) return;
    protocol_worker& machine = machine_of(self);
    if (!self.home.circulates())
        while (machine.is_being_answered(medium) && !medium.tasks_arrived(protocol::request_of(self.id))) give_way();
    for (std::uint32_t slot = 0; slot < machine.requests(); ++slot) {
        if (!medium.isolated_tasks_arrived(protocol::request_of(self.id, slot))) continue;
        if (machine.receive(medium)) (void)run_isolated_message(self);
        return;
    }
}

suspended_wait* help(worker& self) {
    innermost = &self;
    self.runs_on_this_stack();
    self.depth = 1;  // not the root
    self.spawned_inline = 0;
    self.kept_by_task = nullptr;
    if (self.record != nullptr) self.record->stack = self.suspended.number_of_stack();
    another_can_go_on condition{&self};
    wait_loop(self, protocol::standing::between_tasks, condition);
    return condition.found;
}

}  // namespace parley::inline v0::threading
