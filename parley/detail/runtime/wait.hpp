// The functions by which a worker waits: for a join, a future, a scope, the barrier or the end of the runtime. All of
// them end in the one wait loop (driver/wait_loop.hpp). The worker that waits calls them.
#pragma once

#include <parley/detail/driver/states.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>

#include <cstdint>

namespace parley::inline v0::protocol {
enum class standing : std::uint8_t;
}  // namespace parley::inline v0::protocol

namespace parley::inline v0::threading {

class thread_medium;
struct suspended_wait;

// Runs tasks, steals, serves others and sleeps until done(context). A thread that makes the condition true does so
// before it raises bits::news (or another waking bit) for this worker. `cause`: see driver/suspended_wait.hpp.
void wait(worker& self, protocol::standing where, awaited what, bool (*done)(const void*), const void* context,
          const void* cause = nullptr);
// Does that in a task.
void wait_in_task(worker& self, awaited what, bool (*done)(const void*), const void* context, const void* cause = nullptr);

template <class Condition>
void wait_until(worker& self, const Condition& condition, awaited what = awaited::something, const void* cause = nullptr) {
    wait_in_task(self, what, [](const void* c) { return (*static_cast<const Condition*>(c))(); }, &condition, cause);
}

// Waits until `last` at most. After that time the wait ends as soon as its worker looks. If it runs a task then, it
// looks when that task has ended, with all that the task has waited for. The caller asks whether the condition holds. A
// thread that has come in for this wait alone may only sleep. Then others get what it has queued, and it begins
// nothing, so that it is in time.
void wait_up_to(worker& self, deadline last, awaited what, bool only_sleeps, bool (*done)(const void*), const void* context);

template <class Condition>
void wait_up_to(worker& self, deadline last, const Condition& condition, awaited what, bool only_sleeps = false) {
    wait_up_to(
        self, last, what, only_sleeps, [](const void* c) { return (*static_cast<const Condition*>(c))(); }, &condition);
}

// A wait that was too short to sleep calls this, to do what sleepers do. It collects what threads leave in seats that
// they keep. In a runtime whose workers are elsewhere it makes sure that there is a worker that takes jobs.
void offer_before_giving_up(worker& self) noexcept;

// Tells the waiters that `self` has ended `cause`. It tells them by news. If `self` is the only one, it needs no news.
void tell_of_end(worker& self, sync::completion::woken waiters, const void* cause) noexcept;

// Does what a wait would do that ends with the first task that it runs, without all that a longer one prepares. Runs
// `t` if a wait would begin with it. False: `t` has not run.
[[nodiscard]] bool run_if_newest(worker& self, const task* t);

// Runs the tasks of the message in hand that was made inside an isolation, and what they make, within an isolation.
// False: there is no such message.
bool run_isolated_message(worker& self);

// Called by a wait that is over. A request that somebody has taken is answered in a moment. If its tasks were made
// inside an isolation, they must not lie in the channel while the task that has waited goes on. So they are run
// (isolation.hpp). Other tasks stay there.
void run_what_comes_late(worker& self, thread_medium& medium);

// The work of a helper: tasks from elsewhere, until some suspended wait can go on. Returns that wait.
suspended_wait* help(void* worker_that_helps);

}  // namespace parley::inline v0::threading
