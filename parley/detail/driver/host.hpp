// A host is the world that the wait loop runs in. It is a handle on one worker, and is copied freely. Threads are one
// host (runtime/thread_host.hpp), virtual time is another. A host has no state of its own, so a loop may go on wherever
// the worker's stacks can be.
#pragma once

#include <parley/detail/driver/idle.hpp>
#include <parley/detail/driver/policies.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/policy/weighing.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/requesting.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::threading {

class fiber;
struct suspended_wait;
class suspended_waits;

// The parts of a worker that the driver and the policies define.
template <class H>
concept has_parts = requires(H h) {
    { h.machine() };         // the worker's state in the protocol
    { h.look_at_others() };  // its view of the others, an H::medium
    { h.suspended() } -> std::same_as<suspended_waits&>;
    { h.policy() } -> std::same_as<policies&>;
    { h.weighed() } -> std::same_as<weighed&>;
};

// The state of the worker.
template <class H>
concept has_standing = requires(H h, protocol::standing where, hand lends) {
    { h.id() } -> std::same_as<protocol::worker_id>;
    { h.size() } -> std::same_as<std::uint32_t>;  // the number of workers
    { h.is_wanted() } -> std::same_as<bool>;      // is any bit of its attention word up? One plain load
    { h.looks_up_after_task() } -> std::same_as<bool>;
    { h.attention() } -> std::same_as<protocol::bits::word>;
    { h.news_seen() } -> std::same_as<std::uint32_t>;  // how often bits::news was lowered
    { h.takes_work() } -> std::same_as<bool>;          // may it have others' tasks?
    { h.is_to_go() } -> std::same_as<bool>;            // is it one of the workers that are to stop working?
    { h.lends() } -> std::same_as<hand>;               // does such a worker take a job all the same?
    h.set_hand(lends);
    { h.only_serves(where) } -> std::same_as<bool>;  // does it only answer others, and ask for nothing?
    { h.circulates() } -> std::same_as<bool>;        // do requests go round, and never rest?
    { h.backs_off() } -> std::same_as<bool>;         // do failed requests come home?
    { h.watches() } -> std::same_as<bool>;           // are workers interrupted that do not look?
    { h.paces_answers() } -> std::same_as<bool>;
    { h.puts_off() } -> std::same_as<bool&>;      // does it put off requests that rest?
    { h.sent() } -> std::same_as<std::uint64_t>;  // answers that it has sent
};

// Time, and doing nothing. Until `last` the worker does nothing else if nothing happens.
template <class H>
concept has_time = requires(H h, typename H::medium m, std::chrono::nanoseconds d, deadline last, bool is_away) {
    { h.now() } -> std::same_as<std::chrono::steady_clock::time_point>;
    h.says_that_it_searches(h.now());                        // tells others that it runs (policy/weighing.hpp)
    { H::turns_per_look } -> std::convertible_to<unsigned>;  // so many turns cost as much as now()
    // Did others have its core for a while?
    { h.pass_time(idle_advice::spin, last) } -> std::same_as<bool>;
    { h.heeds(idle_advice::sleep) } -> std::same_as<idle_advice>;  // returns the advice, or another one
    m.sleep();                                                     // until somebody wakes it
    m.sleep_for(d);                                                // until somebody wakes it, for at most d
    { m.sleep_up_to(d) } -> std::same_as<bool>;                    // false: d has passed, and it is still marked asleep
    m.sleep_no_longer_than(last);                                  // holds for the three above
    { h.sleeps_otherwise(m, last) } -> std::same_as<bool>;         // true: it has slept in a way of this host
    // For a worker that is to go, or is away. True: a job waits that nobody else takes.
    { h.sleep_until_needed(m, is_away) } -> std::same_as<bool>;
    h.count_wake();
};

// The worker's own tasks, and a job that it holds.
template <class H>
concept has_tasks = requires(H h, typename H::task* t, typename H::medium m) {
    { h.pop() } -> std::same_as<typename H::task*>;  // the newest one that is not held, or null
    h.run(t);
    h.run_shown(t);
    { h.looks_between_tasks() } -> std::same_as<bool>;  // must more be looked at between two tasks than the attention word?
    { h.queued() } -> std::same_as<std::size_t>;
    { h.has_something() } -> std::same_as<bool>;     // is a task queued or a job held?
    h.hold_all();                                    // all queued tasks (suspended_waits.hpp)
    { h.run_high() } -> std::same_as<bool>;          // runs the newest high task; false: there is none
    { h.run_high_before(t) } -> std::same_as<bool>;  // true: ran a high task, and `t` went back into the deque
    h.begin_foreign_tasks();                         // runs one at once, or lets go of held ones
    { h.split_own_loop() } -> std::same_as<bool>;    // queues half of what is left of a loop that it is in
    { h.run_isolated_message() } -> std::same_as<bool>;
    h.run_what_comes_late(m);
    h.give_up_tasks();                               // makes jobs of the tasks that have not begun
    h.give_everything(m);                            // makes jobs of them, for a sleeper that takes no tasks
    { H::takes_back } -> std::convertible_to<bool>;  // may it take back what its thieves do not begin?
    { h.has_given() } -> std::same_as<bool>;         // is there something that it has given and not looked after since?
    h.leave_all();     // makes jobs of them, for a worker that goes, and is nobody's victim then
    h.has_got_work();  // says that it got tasks from elsewhere or went on with another wait
    { h.has_got_work_at() } -> std::same_as<std::chrono::steady_clock::time_point>;  // says so and returns the time
};

// Stacks.
template <class H>
concept has_stacks = requires(H h, suspended_wait& w, fiber& f) {
    { h.may_switch() } -> std::same_as<bool>;      // may a wait of this worker go on while another stack runs?
    { h.is_isolated() } -> std::same_as<bool>;     // do its waits run only tasks of their own isolation, on their own stack?
    { h.depth() } -> std::same_as<std::uint32_t>;  // the number of waits on this stack
    { h.helper() } -> std::same_as<fiber*>;        // a stack for tasks from elsewhere; null without memory for it
    h.suspend(w, w);                               // suspends the first wait, goes on with the second
    h.suspend(w, f);
};

// Other workers, and what they are told.
template <class H>
concept has_others = requires(H h, bool looked) {
    h.watch();   // the role of the worker that looks after the others
    h.deputy();  // the role of one that looks once, since it has spared some
    h.wake_one_that_rests();
    { h.says_that_it_has_looked() } -> std::same_as<bool>;
    h.show_whether_it_has_looked(looked);  // argument: does it have something to give?
    h.has_not_looked();
    h.keeps_nothing();  // what it has is worth giving (driver/weighing.hpp)
    h.serve_others();
    h.serve_those_put_off();
    h.begins_to_serve();
    h.acts_on_signals_later();  // returns an object: signals that come while it lives act when it ends
    h.turn_away();              // it begins a task of another group, or of none
    h.turn_away_from_others();
    h.now_does(doing::useful);
    h.begins_turn();                               // called when a turn of the loop begins without own tasks
    { h.group() } -> std::same_as<std::uint64_t>;  // the number of the group whose task it ran last; 0: none
};

// Objects of these types do what comes before and after:
//   seat           while a wait lasts: the thread waits as this worker
//   left_stack     while the wait's stack does not run
//   noted          for people; becomes(noted, wait_state) changes it
//   wanting        while the worker sleeps
//   sitting_out    while the worker is away
//   uninterrupted  while no signal handler may act for the worker
template <class H>
concept host = has_parts<H> && has_standing<H> && has_time<H> && has_tasks<H> && has_stacks<H> && has_others<H> &&
               std::copyable<H> && requires(H h, typename H::noted& n) {
                   typename H::seat;
                   typename H::left_stack;
                   typename H::wanting;
                   typename H::sitting_out;
                   h.uninterrupted();
                   h.becomes(n, wait_state::awake);
               };

}  // namespace parley::inline v0::threading
