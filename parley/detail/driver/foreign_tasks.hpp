// Lets a wait do what is not for itself: on another stack if a task waits on this one (suspended_waits.hpp).
#pragma once

#include <parley/detail/driver/condition.hpp>
#include <parley/detail/driver/host.hpp>
#include <parley/detail/driver/states.hpp>
#include <parley/detail/driver/suspended_waits.hpp>
#include <parley/detail/driver/waiting.hpp>
#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/stacks/fiber.hpp>

namespace parley::inline v0::threading {

// Suspends this wait and calls `go_on`, which returns when somebody goes on with the wait.
template <host Host, condition Condition, class GoOn>
void let_go_of_stack(Host h, waiting<Host, Condition>& wait, GoOn go_on) {
    suspended_wait here{[](void* c) { return (*static_cast<Condition*>(c))(); }, &wait.done};
    // Between two tasks nothing on this stack needs another task. So any may run, and this wait can always go on.
    if (wait.where == protocol::standing::between_tasks) here.holds = [](void*) { return true; };
    else if constexpr (condition_with_cause<Condition>) here.cause = wait.done.cause();
    if constexpr (condition_with_deadline<Condition>) here.last = wait.done.last;
    h.turn_away();
    if constexpr (condition_that_is_suspended<Condition>) wait.done.is_suspended(true);
    {
        const typename Host::left_stack as_it_was(h, wait.noted, here);
        go_on(here);
    }
    if constexpr (condition_that_is_suspended<Condition>) wait.done.is_suspended(false);
    h.hold_all();  // tasks that came into the deque meanwhile may wait for this one
}

// Goes on with another suspended wait, if one can go on (I7). A helper's own condition does that already.
template <host Host, condition Condition>
bool go_on_with_another(Host h, waiting<Host, Condition>& wait) {
    if constexpr (is_of_a_helper<Condition>) {
        return false;
    } else {
        if (!may_let_go_of_stack(h)) return false;
        suspended_wait* const other = h.suspended().ready(h.news_seen());
        if (other == nullptr) return false;
        if (wait.done()) return true;
        h.now_does(doing::useful);
        [[maybe_unused]] const auto meanwhile = h.uninterrupted();
        let_go_of_stack(h, wait, [&](suspended_wait& here) { h.suspend(here, *other); });
        return true;
    }
}

// Begins a task that came from elsewhere, if there is one.
template <host Host, condition Condition>
bool do_foreign_tasks(Host h, waiting<Host, Condition>& wait) {
    if (h.is_isolated() || !h.has_something()) return false;
    h.now_does(doing::useful);
    if (wait.where == protocol::standing::in_task && may_let_go_of_stack(h)) {
        if (fiber* const helper = h.helper()) {
            if (h.suspended().many()) h.policy().stealing_pays.hold_off(h.now());
            let_go_of_stack(h, wait, [&](suspended_wait& here) { h.suspend(here, *helper); });
            return true;
        }
    }
    h.begin_foreign_tasks();
    return true;
}

// Queues iterations of a loop that this worker is in, further down on one of its stacks. They are older than the wait.
template <host Host>
bool take_from_own_loop(Host h) {
    if (h.is_isolated() || (is_deep(h) && !h.may_switch())) return false;
    if (!h.split_own_loop()) return false;
    if (is_deep(h) && may_let_go_of_stack(h)) h.hold_all();
    return true;
}

}  // namespace parley::inline v0::threading
