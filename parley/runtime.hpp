/// @file
/// The runtime object: a number of workers that run what run() gives them.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/counters.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/errors.hpp>
#include <parley/options.hpp>

#include <cstdio>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// Calls parley::dump_state(stderr), by a name that gdb can call: `call parley_dump_state()`.
extern "C" void parley_dump_state();

namespace parley::inline v0 {

class runtime;

namespace detail {

threading::pool& pool_of(runtime& r) noexcept;

// Returns the default runtime, which starts on first use, with options from configure() and the environment. It lives
// until the process ends: its sleeping threads cost nothing, and no destructor runs after main in a random order.
// Before that the process waits for tasks that nobody awaits (runtime/end_of_process.cpp).
threading::pool& default_pool();

// Returns the pool of the calling worker, or else the default one.
inline threading::pool& this_pool() { return threading::current != nullptr ? threading::current->home() : default_pool(); }

// While this object lives, the calling thread acts as `now`, one of the workers that it is.
class as_worker {
public:
    explicit as_worker(threading::worker* now) noexcept : before_(std::exchange(threading::current, now)) {}
    ~as_worker() { threading::current = before_; }
    as_worker(const as_worker&) = delete;
    as_worker& operator=(const as_worker&) = delete;

private:
    threading::worker* const before_;
};

struct counted_root {
    threading::pool& home;
    explicit counted_root(threading::pool& p) : home(p) { home.roots().begins(); }
    ~counted_root() { home.roots().ends(); }
    counted_root(const counted_root&) = delete;
    counted_root& operator=(const counted_root&) = delete;
};

// Runs f(worker) on the calling thread. If the thread is no worker of `home`, it becomes one meanwhile, and f is a root
// task.
template <class F>
[[gnu::noinline]] auto enter_and_run(threading::pool& home, F&& f) -> std::invoke_result_t<F&, threading::worker&> {
    if (threading::worker_in(home) != nullptr) {
        const threading::seated here(home);
        return f(here.self());
    }
    if (home.kept().are_allowed()) {  // the default runtime: nobody can cancel it, because it has no name
        const threading::seated here(home);
        return f(here.self());
    }
    home.require_this_process();
    const counted_root root(home);
    const threading::seated here(home);
    return f(here.self());
}

// Runs the job here, as a child of what the calling thread does (options::serial). `self` is the calling worker, or
// null.
[[gnu::noinline, gnu::cold]] inline void call_at_once(threading::worker* self, threading::job* made) {
    if (self != nullptr) return self->run(made);
    const threading::seated here(default_pool());
    here.self().run(made);
}

}  // namespace detail

/// Workers and their threads. Threads start with the first task for them. Without work they sleep and cost nothing.
/// There may be several runtimes.
///
/// In a child of fork() a runtime of the parent throws usage_error. The child may make its own, and has a default
/// runtime of its own. A child that was forked inside a task must end there and not return from the task.
class runtime {
public:
    /// Sets it up as the environment says, like the default runtime. Throws environment_error.
    explicit runtime() : pool_(options::from_environment(), threading::tuning_from_environment()) {}
    /// Sets it up as `chosen` says. Variables of the environment that only show something hold, too, if `chosen` does
    /// not say it (docs/guide/environment.md). Throws usage_error for more than max_workers, and environment_error.
    explicit runtime(const options& chosen) : pool_(chosen) {}
    /// \cond
    // For research: `how` says how workers ask each other. Throws usage_error also for choices that exclude each other.
    runtime(const options& chosen, const threading::tuning& how) : pool_(chosen, how) {}
    /// \endcond

    /// Waits until every task is done, and then for the threads to end. Says on standard error what a task of spawn()
    /// threw if no barrier() has thrown it.
    ~runtime() = default;

    /// Calls f on the calling thread as a root task, and returns its result or throws its exception. Throws
    /// `cancelled`, and usage_error in a child of fork(). Entering and leaving takes about 100 ns when nobody asks for
    /// work.
    ///
    /// The thread is worker 0 until f returns. If worker 0's place is taken, it is a visitor, and f may not call
    /// barrier(). So several threads may be in a runtime, and so may tasks of other runtimes. None waits for another.
    template <class F>
    auto run(F&& f) -> std::invoke_result_t<F&> {
        return detail::enter_and_run(pool_, [&](threading::worker&) -> std::invoke_result_t<F&> { return f(); });
    }

    /// The number of workers, whether they work at the moment or not.
    [[nodiscard]] unsigned workers() const noexcept { return pool_.size(); }

    /// Lets the first `n` workers work, from 1 to workers(). Any thread may call it, also while tasks run. The other
    /// workers stop at the end of what they have begun, or where it waits. They give away what they have not begun, and
    /// sleep until there are to be more again. No task is lost or run twice. With one worker left tasks progress while
    /// some thread is in run() or waits. Throws usage_error for other numbers.
    void resize(unsigned n) { pool_.resizing().resize(n); }
    /// The number of workers that work, as resize() or a broker has said last.
    [[nodiscard]] unsigned active_workers() const noexcept { return pool_.active(); }

    /// Makes the tasks of the run() calls in progress throw `cancelled` at their next fork, spawn, loop block or poll;
    /// run() throws it, too. Any thread may call it. Without a run() in progress it does nothing. A run() that begins
    /// before those have ended throws `cancelled` at once.
    void cancel() noexcept { pool_.roots().cancel(); }

    /// What each worker has counted so far. May be read while they run. Threads that visit count for worker 0.
    [[nodiscard]] std::vector<worker_counters> counters() const {
        std::vector<worker_counters> all;
        for (unsigned id = 0; id < pool_.size(); ++id) all.push_back(pool_.at(id).counted());
        for (unsigned id = pool_.size(); id < pool_.seats().count(); ++id) all[0] += pool_.at(id).counted();
        return all;
    }

    /// What each worker's time went to so far; empty without options::profile. May be read while they run.
    [[nodiscard]] std::vector<worker_times> times() const { return pool_.times(); }

    /// Writes for people what each worker does, what waits for what since when, on which stacks, and where the requests
    /// are. For programs that seem to hang.
    void dump_state(std::FILE* out) const { pool_.dump_state(out); }

private:
    friend threading::pool& detail::pool_of(runtime& r) noexcept;
    threading::pool pool_;
};

/// Writes what all runtimes of the process do, for a program's own handler. In a debugger: call parley_dump_state().
inline void dump_state(std::FILE* out) { threading::pool::dump_all(out); }

inline threading::pool& detail::pool_of(runtime& r) noexcept { return r.pool_; }

/// Serves steal requests, and throws `cancelled` if the work is cancelled. It is for long work without fork, spawn or
/// loop. One load when nobody asks.
inline void poll() {
    if (threading::worker* const self = threading::current; self != nullptr) self->poll();
}

/// Waits until no task is left in the runtime, those of spawn() and of forgotten futures included (the task barrier, TH
/// §4.2). Throws the first exception of a task of spawn() since the last barrier. Throws usage_error outside the root
/// task of run().
void barrier();

/// Calls f as a root task of the default runtime, on the calling thread, and returns its result or throws its
/// exception. Then f may call barrier(), as in runtime::run(). In a task it just calls f.
template <class F>
auto run(F&& f) -> std::invoke_result_t<F&> {
    if (threading::current != nullptr) return f();
    return detail::enter_and_run(detail::default_pool(),
                                 [&](threading::worker&) -> std::invoke_result_t<F&> { return f(); });
}

/// The number of workers in the calling worker's runtime, or else in the default one. If that has not started, this
/// does not start it, and returns how many there would be. Throws environment_error. Throws usage_error for options
/// that exclude each other, as the start would.
[[nodiscard]] unsigned workers();

/// The number of the calling worker, or nothing on a thread that is no worker. The runtime's own workers have numbers
/// below workers(), and the thread in run() has 0. Visitors, and threads that stand in for blocked workers, have
/// numbers from workers() on. So use worker_local instead of an array of workers() elements. No two threads have one
/// number at a time.
[[nodiscard]] inline std::optional<unsigned> worker_index() noexcept {
    if (threading::current == nullptr) return std::nullopt;
    return threading::current->id();
}

/// Sets the options of the default runtime, before the first call that starts it. Members of `chosen` that do not have
/// their default win over the environment, which decides the rest (options::from_environment(chosen)). The last call
/// counts. Throws usage_error after the start, and for options that exclude each other; environment_error. A child of
/// fork() begins with its parent's options, and may set its own.
void configure(const options& chosen);

}  // namespace parley::inline v0
