// From ordinary code into a coroutine, and back: async(), sync_wait() and spawn() of a task.
#pragma once

#include <parley/coroutine/task.hpp>
#include <parley/detail/runtime/coroutine.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/scope_core.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/errors.hpp>
#include <parley/future.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <cstdint>
#include <exception>
#include <stop_token>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// With options::serial the coroutine begins at once. Throws std::bad_alloc.
template <class T>
void queue_or_run(threading::worker& self, task<T>& t) {
    threading::coroutine* const c = &task_access::frame_of(t).promise();
    const bool at_once = self.home().serial();
    if (!at_once) self.push(c);
    task_access::release(t);
    if (at_once) self.run(c);
}

// Makes the coroutine the first of a chain, which ends by completing a future.
template <class T>
future<T> begin_chain_on(threading::worker& self, task<T>& t, std::stop_token stop) {
    task_promise<T>& first = task_access::frame_of(t).promise();
    self.poll();  // before it is a task, because it may throw
    first.begin_chain({&task_promise<T>::complete_future, &self.home(), &first.done, std::move(stop)});
    queue_or_run(self, t);
    auto result = future_access::make<T>(&first, self.home());
    self.serve();
    return result;
}

// The end of a chain that nobody awaits by name. Destroys the coroutine, and returns what it has thrown, or null. One that
// never began was dropped.
inline std::exception_ptr end_unawaited(threading::coroutine& c) noexcept {
    auto& first = static_cast<task_promise<void>&>(c);
    std::exception_ptr failure = first.take_failure();
    c.frame().destroy();
    return failure;
}

struct in_scope {
    static void begin(threading::task* t, threading::worker& self) {
        auto* const first = static_cast<threading::coroutine*>(t);
        if (!of(*first).stopped()) return threading::coroutine::begin(t, self);
        self.turn_away();
        end(*first, self);
    }
    static void end(threading::coroutine& c, threading::worker& self) noexcept {
        threading::scope_core& scope = of(c);
        if (std::exception_ptr failure = end_unawaited(c)) scope.fail(std::move(failure));
        scope.count_done(self);  // the last access to the scope
    }
    static threading::scope_core& of(const threading::coroutine& c) noexcept {
        return *static_cast<threading::scope_core*>(c.belongs_to());
    }
};

inline void end_loose(threading::coroutine& c, threading::worker& self) noexcept {
    std::exception_ptr failure = end_unawaited(c);
    if (failure == nullptr) return;
    try {
        std::rethrow_exception(failure);
    } catch (const cancelled&) {  // it has obeyed a cancellation
    } catch (...) {
        self.home().roots().keep_failure(std::move(failure));
    }
}

inline void spawn_on(threading::worker& self, task<void>& t) {
    threading::coroutine& c = task_access::frame_of(t).promise();
    self.check_before_spawn();
    self.spawns_loose();
    c.begin_chain({&end_loose, &self.home(), nullptr, {}});
    queue_or_run(self, t);
    self.serve_after_spawn();
}

}  // namespace detail

inline void scope::spawn(task<void> t) {
    threading::coroutine& c = detail::task_access::frame_of(t).promise();
    core_.home().require_this_process();
    const threading::seated here(core_.home());
    const std::uint64_t number = core_.number();  // read now, because the task may be the scope's last
    core_.count_spawned(here.self());
    c.begin_chain({&detail::in_scope::end, &core_.home(), &core_, {}});
    c.run = &detail::in_scope::begin;
    try {
        detail::queue_or_run(here.self(), t);
    } catch (...) {
        core_.count_done(here.self());
        here.self().turn_away();
        throw;
    }
    here.self().look_after_spawn(number);
}

/// Makes a task of the coroutine. Nobody waits for it except barrier() and the end of the runtime, also while it is
/// suspended. What it throws is thrown by the next barrier(). Throws usage_error if it has none, and what spawn() of a
/// function throws.
inline void spawn(task<void> t) {
    if (threading::worker* const self = threading::current; self != nullptr) return detail::spawn_on(*self, t);
    const threading::seated here(detail::default_pool);
    detail::spawn_on(here.self(), t);
}

/// Makes a task of the coroutine, which is queued, and returns the future of its result. The coroutine becomes the place of
/// that result: nothing else is allocated. After a stop request it throws `cancelled` at its next `co_await` that
/// suspends, and is dropped if it has not begun.
///
/// From a worker it goes into the worker's deque; from outside, into that of a worker of the default runtime. Throws
/// `cancelled`, std::bad_alloc, and usage_error if the task is empty.
template <class T>
future<T> async(task<T> t, std::stop_token stop = {}) {
    if (threading::worker* const self = threading::current; self != nullptr)
        return detail::begin_chain_on(*self, t, std::move(stop));
    const threading::seated here(detail::default_pool);
    return detail::begin_chain_on(here.self(), t, std::move(stop));
}

/// Runs the coroutine, and returns its result or throws what it has thrown. It works meanwhile, as future::get() does. In a
/// task it runs in that task's runtime, and elsewhere in the default one. Throws usage_error if the task is empty.
template <class T>
T sync_wait(task<T> t, std::stop_token stop = {}) {
    return parley::async(std::move(t), std::move(stop)).get();
}

/// Runs the coroutine in that runtime, as a root task.
template <class T>
T sync_wait(runtime& home, task<T> t, std::stop_token stop = {}) {
    return home.run([&]() -> T { return parley::sync_wait(std::move(t), std::move(stop)); });
}

}  // namespace parley::inline v0
