// The one wait loop: every wait for a join, a future, a scope or the barrier is here. An idle worker waits here for the
// end of the runtime. The loop knows no thread and no clock; its host does (host.hpp). It is a template over its
// condition, because a scope's condition is looked at after each task and must be inlined.
//
// Comments name the invariant (docs/internals/protocol.md) that a transition keeps.
#pragma once

#include <parley/detail/driver/asking.hpp>
#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/foreign_tasks.hpp>
#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/idle.hpp>
#include <parley/detail/driver/own_tasks.hpp>
#include <parley/detail/driver/resizing.hpp>
#include <parley/detail/driver/sleeping.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/taking_back.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/driver/watching.hpp>
#include <parley/detail/protocol/requesting.hpp>

namespace parley::inline v0::threading {

// Nobody has a task for this worker now. `stays_awake`: it looks first whether those have begun what it has given them.
template <host Host, condition Condition>
void do_nothing(Host h, typename Host::medium& m, protocol::asking asks, waiting<Host, Condition>& wait, bool stays_awake) {
    const bool is_asking = asks != protocol::asking::nothing;
    const idle_advice advice = h.heeds(wait.idleness.found_nothing(h, is_asking));
    switch (advice) {
        case idle_advice::spin:
        case idle_advice::give_way: break;
        case idle_advice::rest:  // I9: workers with tasks see a resting request, wherever its letter is
            if (!is_asking || (h.backs_off() && !h.policy().backoff.gives_up())) break;
            h.machine().rest(m);
            h.policy().patience.was_in_vain();
            if (wait.idleness.interrupts_now(h) && !interrupt_those_who_do_not_look(h)) wait.idleness.interrupts_later();
            break;
        case idle_advice::sleep:  // I8
            if (stays_awake) break;
            if (!h.takes_work() && h.size() > 1) h.give_everything(m);
            if (is_asking) h.policy().patience.was_in_vain();
            sleep(h, m, asks, wait);
            return wait.idleness.found_work();
    }
    const auto until = wait.idleness.same_until(h, is_asking);
    if (advice == idle_advice::spin) (void)h.pass_time(advice, until);
    else wait.idleness.gives_way(h, advice, h.machine().is_being_answered(m), until);
}

// Takes note of tasks that have arrived. The worker has not offered them to anybody yet.
template <host Host>
void has_received(Host h) {
    h.has_not_looked();
    h.now_does(doing::useful);
    h.policy().stealing_pays.received(h.queued(), h.has_got_work_at());  // the time after that call
    h.policy().patience.was_answered();
    h.policy().backoff.forget();
    h.policy().ahead_of_time.received();
}

// One turn without own tasks: does something for others, asks for tasks, or does nothing. It is not inlined, because
// most waits end without it.
template <host Host, condition Condition>
[[gnu::noinline]] void look_elsewhere(Host h, waiting<Host, Condition>& wait) {
    [[maybe_unused]] const auto here = h.uninterrupted();
    h.begins_turn();
    if (h.run_isolated_message() || go_on_with_another(h, wait) || run_high_and_serve(h) || do_foreign_tasks(h, wait)) {
        h.has_got_work();
        return wait.idleness.found_work();
    }
    if (take_from_own_loop(h)) return;
    wait.idleness.searches(h);
    auto m = h.look_at_others();
    auto& machine = h.machine();
    const protocol::asking asks = what_to_ask_for(h, m);
    if (h.is_to_go()) machine.withdraw(m);
    // I4: a suspended task is unfinished work, so its worker is not idle.
    const protocol::standing shown = h.suspended().any() ? protocol::standing::in_task : wait.where;
    const bool has_given = may_take_back(h, shown);
    if (has_given && wait.idleness.has_waited(begins_within) && take_back(h, m, wait.where))
        return wait.idleness.found_work();
    if (h.only_serves(shown)) {
        h.weighed().waits = true;
        (void)machine.serve(m);
        h.weighed().waits = false;
    } else if (machine.seek(m, shown, asks)) {  // I1: no second request is sent while one is out
        has_received(h);
        if (wait.where == protocol::standing::between_tasks) h.let_go();
        hand_is_lent(h);
        // I9: the first task begins before others are offered, and may never look. Other workers may sleep already, and
        // this one may have been in charge of the watch. So it asks to be watched.
        if (h.is_wanted()) ask_to_be_watched(h);
        // A job has come beside an answer. That one begins first if it is isolated.
        if (!machine.all_home(m)) [[unlikely]]
            h.run_what_comes_late(m);
        (void)h.run_isolated_message();  // before anything else may go on
        return wait.idleness.found_work();
    }
    hand_is_lent(h);
    h.show_whether_it_has_looked(m.spare() > 0);  // true in effect: it looks at every turn, so nobody need interrupt it
    h.now_does(machine.is_being_answered(m) ? doing::mugging : doing::stealing);
    do_nothing(h, m, asks, wait, has_given);
}

// Returns as soon as done() holds and the worker looks (I7). Until then it serves others.
template <host Host, condition Condition>
void wait_loop(Host h, protocol::standing where, Condition& done) {
    const typename Host::seat here(h);
    waiting<Host, Condition> wait(where, done);
    // If too many waits lie on this stack, queued tasks are held and begin on another one.
    if (is_deep(h) && may_let_go_of_stack(h)) h.hold_all();
    h.serve_those_put_off();
    if (h.suspended().any() && h.suspended().has_to_look(h.news_seen())) [[unlikely]]
        (void)go_on_with_another(h, wait);
    while (!done()) {
        if (h.is_to_go() && leave_or_stay(h, wait)) [[unlikely]] {
            wait.idleness.found_work();
        } else if (run_own_tasks(h, done)) {
            wait.idleness.found_work();
            if (h.suspended().any()) [[unlikely]]
                (void)go_on_with_another(h, wait);
        } else {
            look_elsewhere(h, wait);
        }
    }
    auto m = h.look_at_others();
    h.machine().withdraw(m);  // I2: the request is home or is being answered
    if (!h.machine().all_home(m)) [[unlikely]]
        h.run_what_comes_late(m);
    h.policy().backoff.forget();
    h.now_does(doing::useful);
    h.turn_away_from_others();  // the running task may be of another group, or last long
}

}  // namespace parley::inline v0::threading
