#include <parley/detail/runtime/wait.hpp>

#include <parley/detail/driver/wait_loop.hpp>
#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/runtime/crew.hpp>
#include <parley/detail/runtime/handing_on.hpp>
#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/whole_worker.hpp>
#include <parley/detail/trace/recorder.hpp>

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

// A wait with this condition has no cause, because time alone may make it true.
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
    wait_loop(thread_host(self), where, condition);
}

void wait_in_task(worker& self, awaited what, bool (*done)(const void*), const void* context, const void* cause) {
    wait(self, protocol::standing::in_task, what, done, context, cause);
}

void wait_up_to(worker& self, deadline last, awaited what, bool only_sleeps, bool (*done)(const void*),
                const void* context) {
    condition_or_deadline condition{done, context, what, last};
    if (!only_sleeps) return wait_loop(thread_host(self), protocol::standing::in_task, condition);
    const bool before = self.watched_part().takes_no_jobs.get();
    self.own_part().limits.draining = true;
    self.watched_part().takes_no_jobs.set(true);
    hand_on_tasks(self);
    wait_loop(thread_host(self), protocol::standing::in_task, condition);
    self.own_part().limits.draining = false;
    self.watched_part().takes_no_jobs.set(before);
}

void offer_before_giving_up(worker& self) noexcept {
    if (self.home().kept().are_allowed()) (void)self.home().kept().collect(self);
    if (self.is_visiting() && !self.home().exchange().jobs.empty()) self.home().crew().require_takers();
}

// If the worker itself waits, and that wait is not suspended, the wait asks after each task anyway.
void tell_of_end(worker& self, sync::completion::woken waiters, const void* cause) noexcept {
    if (waiters.has(waiter_number(self.id()))) self.has_ended(cause);
    if (waiters.several() || waiters.the_one() != waiter_number(self.id())) self.home().notify(waiters);
}

// Does what wait_loop() would do. False in all cases in which the loop would do more:
//   1. Another runtime is on top.
//   2. The worker is to go.
//   3. Its stack is deep.
//   4. Something comes between two tasks.
// A task that is held may not run here even if it is the newest (isolation.hpp, suspended_waits.hpp). pop() does not
// return such a task.
bool run_if_newest(worker& self, const task* t) {
    if (current != &self || self.needs_care_between_tasks() || self.is_to_go() ||
        self.own_part().stack.depth + 1 >= deepest_on_one_stack)
        return false;
    self.serve_those_put_off();
    task* const newest = self.pop();
    if (newest != t) {
        if (newest != nullptr) self.push(newest);  // its slot is still there; the wait begins with this task
        return false;
    }
    self.run(newest);
    if (self.is_wanted()) [[unlikely]]
        self.serve_others();
    self.turn_away_from_others();
    return true;
}

bool run_isolated_message(worker& self) {
    if (self.own_part().in_hand.isolated_message == nullptr) return false;
    const isolation here(self, self.own_part().in_hand.isolated_in);
    task* const message = std::exchange(self.own_part().in_hand.isolated_message, nullptr);
    const bool high = self.own_part().in_hand.isolated_message_is_high;
    deque& into = high ? self.own_part().high : self.own_part().tasks;
    if (high) self.own_part().looks.now = true;
    if (into.empty()) {
        into.receive(message);
        // The first task begins before any other is given away, and may not poll. Other workers may sleep already.
        if (into.size() > 1 && self.is_wanted()) ask_to_be_watched(self);
    } else {
        const interruptible meanwhile(self.own_part().signals);
        into.unpack(message, [&](task* t) { self.run(t); });
    }
    wait(
        self, protocol::standing::in_task, awaited::something,
        [](const void* w) {
            const worker& of = *static_cast<const worker*>(w);
            return of.own_part().tasks.size() == of.own_part().tasks.held() &&
                   of.own_part().high.size() == of.own_part().high.held();
        },
        &self);
    return true;
}

void run_what_comes_late(worker& self, thread_medium& medium) {
    if (!self.takes_work()) return;
    protocol_worker& machine = machine_of(self);
    // Of two answers the first one is received, which may be a common one. That needs an empty deque.
    if (machine.requests() > 1 && self.queued() != 0) return;
    if (!self.home().circulates())
        while (machine.is_being_answered(medium) && !medium.tasks_arrived(protocol::request_of(self.id()))) give_way();
    for (std::uint32_t slot = 0; slot < machine.requests(); ++slot) {
        if (!medium.isolated_tasks_arrived(protocol::request_of(self.id(), slot))) continue;
        // A job out of another isolation lies in hand. Either may block on what the other's region keeps, so they do not
        // lie on one stack. The job can go to anybody.
        if (self.own_part().in_hand.isolated_message != nullptr) hand_on_message(self);
        if (machine.receive(medium)) (void)run_isolated_message(self);
        return;
    }
}

suspended_wait* help(void* worker_that_helps) {
    worker& self = *static_cast<worker*>(worker_that_helps);
    innermost = &self;
    runs_on_this_stack(self);
    self.own_part().stack.depth = 1;  // so this is not taken for the root task
    self.own_part().stack.spawned_inline = 0;
    self.own_part().stack.kept_by_task = nullptr;
    self.own_part().stack.coroutines = nullptr;
    if (self.own_part().record != nullptr) self.own_part().record->stack = self.own_part().suspended.number_of_stack();
    another_can_go_on<thread_host> condition{thread_host(self)};
    wait_loop(thread_host(self), protocol::standing::between_tasks, condition);
    return condition.found;
}

}  // namespace parley::inline v0::threading
