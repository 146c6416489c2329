// The one wait loop: whoever waits in a worker, for a join, a future, a scope, the barrier or the end
// of the runtime, waits here.
#pragma once

#include <parley/detail/protocol/standing.hpp>
#include <parley/detail/runtime/awaited.hpp>
#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// Runs tasks, steals, serves others and sleeps until done(context). What makes the condition true
// must do so before it raises bits::news (or another waking bit) for this worker. `cause`: see suspended_wait.hpp.
void wait(worker& self, protocol::standing where, awaited what, bool (*done)(const void*), const void* context,
          const void* cause = nullptr);

template <class Condition>
void wait_until(worker& self, const Condition& condition, awaited what = awaited::something, const void* cause = nullptr) {
    wait(
        self, protocol::standing::in_task, what, [](const void* c) { return (*static_cast<const Condition*>(c))(); },
        &condition, cause);
}

// Until `last` at most: it ends as soon as its worker looks after that, which is when what it runs by then has ended, with
// all that it has waited for. Whether the condition holds then, the caller asks. A thread that has come in for this wait
// alone may only sleep: others get what it has queued, and it begins nothing, so that it is in time.
void wait_up_to(worker& self, deadline last, awaited what, bool only_sleeps, bool (*done)(const void*), const void* context);

template <class Condition>
void wait_up_to(worker& self, deadline last, const Condition& condition, awaited what, bool only_sleeps = false) {
    wait_up_to(
        self, last, what, only_sleeps, [](const void* c) { return (*static_cast<const Condition*>(c))(); }, &condition);
}

// A wait that was too short to sleep has not done what sleepers do: have what threads leave in seats that they keep, and
// whoever is to take the jobs of a runtime whose workers are elsewhere.
void offer_before_giving_up(worker& self) noexcept;

// Tells the waiters that `self` has ended `cause`: by news, but itself, if it is the only one, without.
void tell_of_end(worker& self, sync::completion::woken waiters, const void* cause) noexcept;

// A wait that ends with the first task that it runs, without all that a longer one prepares: runs `t` if a wait would begin
// with it. False: it has not run.
[[nodiscard]] bool run_if_newest(worker& self, const task* t);

// Runs the message in hand that was made inside an isolation, and what it makes, within an isolation. False: there is none.
bool run_isolated_message(worker& self);

}  // namespace parley::inline v0::threading
