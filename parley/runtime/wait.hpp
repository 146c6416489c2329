// The one wait loop: whoever waits in a worker, for a join, a future, a scope, the barrier or the end
// of the runtime, waits here.
#pragma once

#include <parley/protocol/worker.hpp>
#include <parley/runtime/worker.hpp>

namespace parley::inline v0::threading {

// Runs tasks, steals, serves others and sleeps until done(context). What makes the condition true
// must do so before it raises bits::news (or another waking bit) for this worker.
void wait(worker& self, protocol::standing where, bool (*done)(const void*), const void* context);

template <class Condition>
void wait_until(worker& self, const Condition& condition) {
    wait(
        self, protocol::standing::in_task,
        [](const void* c) { return (*static_cast<const Condition*>(c))(); }, &condition);
}

// A wait that ends with the first task that it runs, without all that a longer one prepares: runs `t` if a wait would begin
// with it. False: it has not run.
[[nodiscard]] bool run_if_newest(worker& self, const task* t);

}  // namespace parley::inline v0::threading
