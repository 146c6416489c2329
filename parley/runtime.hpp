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

// The runtime that starts itself on first use, with options from configure() and the environment. It lives until the
// process ends: its sleeping threads cost nothing, and no destructor runs after main in an order that
// nobody chose. The tasks that nobody awaits are waited for before (runtime/end_of_process.cpp).
threading::pool& default_pool();

// The pool of the calling worker, else the default one.
inline threading::pool& this_pool() { return threading::current != nullptr ? threading::current->home : default_pool(); }

// For the life of this object the calling thread acts as this one of the workers that it is.
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
    explicit counted_root(threading::pool& p) : home(p) { home.root_begins(); }
    ~counted_root() { home.root_ends(); }
    counted_root(const counted_root&) = delete;
    counted_root& operator=(const counted_root&) = delete;
};

// Runs f(worker) on the calling thread, which is a worker of `home` or becomes one for that time; then f is a root task.
template <class F>
[[gnu::noinline]] auto enter_and_run(threading::pool& home, F&& f) -> std::invoke_result_t<F&, threading::worker&> {
    if (threading::worker_in(home) != nullptr) {
        const threading::seated here(home);
        return f(here.self());
    }
    if (home.lets_keep()) {  // the default runtime: nobody has a name for it to cancel it by
        const threading::seated here(home);
        return f(here.self());
    }
    home.require_this_process();
    const counted_root root(home);
    const threading::seated here(home);
    return f(here.self());
}

// With options::serial: runs it here, as a child of what the calling thread does. `self`: the calling thread, or null.
[[gnu::noinline, gnu::cold]] inline void call_at_once(threading::worker* self, threading::job* made) {
    if (self != nullptr) return self->run(made);
    const threading::seated here(default_pool());
    here.self().run(made);
}

}  // namespace detail

/// Workers and their threads. Threads start with the first task for them; without work they sleep and
/// cost nothing. Several runtimes may exist side by side. In a child of fork() a runtime of the parent
/// refuses to work, with usage_error; the child may make its own, and has a default runtime of its own. A
/// child that was forked inside a task must end there and not return from the task.
class runtime {
public:
    /// As the environment says, like the default runtime. Throws environment_error.
    explicit runtime() : pool_(options::from_environment(), threading::tuning_from_environment()) {}
    /// As `chosen` says. Of the environment's variables those that only show something hold here, too, where `chosen`
    /// does not say it (docs/guide/environment.md). Throws usage_error for more than max_workers, and
    /// environment_error.
    explicit runtime(const options& chosen) : pool_(chosen) {}
    /// \cond
    // For research, as that also says how workers ask each other. Throws usage_error also for what it cannot have together.
    runtime(const options& chosen, const threading::tuning& how) : pool_(chosen, how) {}
    /// \endcond

    /// Waits until every task is done, then for the threads to end. Says on standard error what a task of spawn() threw
    /// and no barrier() has thrown.
    ~runtime() = default;

    /// Calls f on the calling thread as a root task and returns its result or throws its exception. Throws `cancelled`,
    /// and usage_error in a child of fork(). Entering and leaving costs about 100 ns when nobody asks for work.
    ///
    /// The thread is worker 0 until f returns, or a visitor where worker 0's place is taken; barrier() is refused in f
    /// then. So several threads may be in a runtime, and tasks of other runtimes, and none waits for another.
    template <class F>
    auto run(F&& f) -> std::invoke_result_t<F&> {
        return detail::enter_and_run(pool_, [&](threading::worker&) -> std::invoke_result_t<F&> { return f(); });
    }

    /// How many workers it has, whether they work at the moment or not.
    [[nodiscard]] unsigned workers() const noexcept { return pool_.size(); }

    /// How many of them work: the first `n`, from 1 to workers(). From any thread, also while tasks run. The others stop
    /// at the end of what they have begun or where it waits, give away what they have not begun, and sleep; they go on
    /// when there are to be more again. No task is lost or run twice. With one worker left tasks make progress while some
    /// thread is in run() or waits. Throws usage_error for other numbers.
    void resize(unsigned n) { pool_.resize(n); }
    /// How many of them work: what resize(), or a broker, has said last.
    [[nodiscard]] unsigned active_workers() const noexcept { return pool_.active(); }

    /// From any thread: tasks of the run() calls in progress leave by `cancelled` at their next fork,
    /// spawn, loop block or poll; run() throws it. Without a run() in progress it does nothing; one
    /// that begins before those have ended throws `cancelled` at once.
    void cancel() noexcept { pool_.cancel(); }

    /// What each worker has counted so far; may be read while they run. Threads that visit count for worker 0.
    [[nodiscard]] std::vector<worker_counters> counters() const {
        std::vector<worker_counters> all;
        for (unsigned id = 0; id < pool_.size(); ++id) all.push_back(pool_.at(id).count.read());
        for (unsigned id = pool_.size(); id < pool_.seats(); ++id) all[0] += pool_.at(id).count.read();
        return all;
    }

    /// What each worker's time went to so far, from options::profile; empty without that. May be read while they run.
    [[nodiscard]] std::vector<worker_times> times() const { return pool_.times(); }

    /// Who does what, who waits for what since when, on which stacks, and where the requests are: for people, when
    /// something seems to hang.
    void dump_state(std::FILE* out) const { pool_.dump_state(out); }

private:
    friend threading::pool& detail::pool_of(runtime& r) noexcept;
    threading::pool pool_;
};

/// What all runtimes of the process do, for a handler of one's own. In a debugger: call parley_dump_state().
inline void dump_state(std::FILE* out) { threading::pool::dump_all(out); }

inline threading::pool& detail::pool_of(runtime& r) noexcept { return r.pool_; }

/// Lets others have a look in: serves steal requests, notices cancellation (throws `cancelled`). One
/// load when nobody asks. For long stretches of work without fork, spawn or loop.
inline void poll() {
    if (threading::worker* const self = threading::current; self != nullptr) self->poll();
}

/// Waits until no task is left in the runtime, those of spawn() and forgotten futures included (the task barrier of the
/// papers, TH §4.2), and throws the first exception of a task of spawn() since the last barrier. Only in the root task of
/// run(); throws usage_error elsewhere.
void barrier();

/// Calls f as a root task, on the calling thread, and returns its result or throws its exception: in the default runtime,
/// where barrier() may be called in it then, as in runtime::run(). In a task it is a call of f, like any other.
template <class F>
auto run(F&& f) -> std::invoke_result_t<F&> {
    if (threading::current != nullptr) return f();
    return detail::enter_and_run(detail::default_pool(),
                                 [&](threading::worker&) -> std::invoke_result_t<F&> { return f(); });
}

/// How many workers there are in the calling worker's runtime, else in the default one. If that has not started this does
/// not start it: then it is how many there would be. Throws environment_error, and usage_error for options that cannot be
/// chosen together, as its start would.
[[nodiscard]] unsigned workers();

/// The number of the calling worker; nothing outside, where a thread is no worker. Below workers() for the runtime's own
/// workers, and 0 for the thread in run(); visitors, and threads that stand in for workers that block, have numbers from
/// workers() on: do not index an array of workers() by it, use worker_local. No two threads have the same at a time.
[[nodiscard]] inline std::optional<unsigned> worker_index() noexcept {
    if (threading::current == nullptr) return std::nullopt;
    return threading::current->id;
}

/// Sets the options of the default runtime, before it starts: before the first word that needs it. What is not as by
/// default in `chosen` wins over the environment, which says the rest (options::from_environment(chosen)). The last
/// call counts. Throws usage_error once it has started, and for options that cannot be chosen together;
/// environment_error. A child of fork() begins with its parent's, and may set its own.
void configure(const options& chosen);

}  // namespace parley::inline v0
