// What goes on when a result has come, and holds no stack until then. The worker that completes the result calls it
// (sync/future_word.hpp). Where more than a few instructions follow, they are a job of their own.
#pragma once

#include <parley/detail/runtime/exchange.hpp>
#include <parley/detail/sync/future_word.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

class pool;
class worker;

struct continuation : sync::continuation {
    // `self` has completed what was awaited, or a thread outside of the runtime, if it is null. The callee may free the
    // object.
    using function = void (*)(continuation* c, worker* self) noexcept;
    explicit continuation(function f) noexcept : call(f) {}
    function call;
};

// Wakes and calls all that have waited for what `self` has completed.
[[gnu::noinline]] void tell_of_end(worker& self, sync::future_word::woken whom, const void* cause) noexcept;
// Does so for a thread outside, which stays in that runtime meanwhile (staying_inside).
void tell_of_end_outside(pool& home, sync::future_word::woken whom) noexcept;

// While such an object lives, its runtime does not end. The runtime must exist when the object is made. The thread takes no
// seat. There it would have to hand on what it gets. It might also have worker 0's place when another thread wants that.
class staying_inside {
public:
    explicit staying_inside(pool& home) noexcept;
    ~staying_inside();
    staying_inside(const staying_inside&) = delete;
    staying_inside& operator=(const staying_inside&) = delete;

private:
    pool& home_;
};

// A job that is sent when what it waits for has come. It lies in the object that waits.
//
// It is no child of the worker that sends it, and may wait for any task that is below on that worker's stack. So it comes
// from elsewhere (driver/suspended_waits.hpp), and begins on a stack of its own. The worker keeps it in hand until it looks
// for such work. Others may take it from there.
//
// If a task of the same runtime completes what it waits for, that task is unfinished work, and the sender counts the
// job. If somebody else may do so, the job counts as sent from the time on at which it begins to wait. So a barrier and
// the end of the runtime wait for it (I4).
class awaiting_job : public job, public continuation {
public:
    // Called before it is attached to anything, by a worker of the runtime in which it is to run. Throws what starting
    // the threads throws.
    void begin_to_await(worker& self, bool is_from_elsewhere);
    // Called instead of send(), if there is nothing to wait for.
    void awaits_nothing(worker& self) const noexcept;
    // Sends it. It may have run before this returns. `self` may be a worker of another runtime, or null.
    void send(worker* self) noexcept;

protected:
    awaiting_job(task::function when_run, continuation::function when_complete) noexcept : continuation(when_complete) {
        run = when_run;
    }
    ~awaiting_job() = default;
    awaiting_job(const awaiting_job&) = delete;
    awaiting_job& operator=(const awaiting_job&) = delete;

    std::uint64_t isolated_in_ = 0;  // the number of the isolation in which it began to wait, or 0

private:
    pool* home_ = nullptr;
    bool is_counted_ = false;
};

// Sends a job that is counted already to that runtime. It may have run before this returns.
void send_counted_job(pool& home, job& j) noexcept;

}  // namespace parley::inline v0::threading
