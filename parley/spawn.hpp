/// @file
/// A task that only the barrier waits for: spawn.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/kept_call.hpp>
#include <parley/detail/runtime/made_task.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/spawned_call.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/runtime.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Only the task itself is counted. The protocol knows from the workers whether all tasks are done (TH §4.1).
template <class F, bool FromOutside>
struct loose_task : std::conditional_t<FromOutside, threading::job, threading::task> {
    template <class... Gs>
    explicit loose_task(Gs&&... parts) : function(std::forward<Gs>(parts)...) {
        this->run = &run_here;
    }

    static void run_here(threading::task* t, threading::worker& self) {
        auto* const me = static_cast<loose_task*>(t);
        self.turn_away();
        self.count_task();
        if (!self.cancelling()) [[likely]]
            call(me->function, self);
        threading::dispose(self, me);
    }

    static void call(F& function, threading::worker& self) noexcept {
        if (!succeeds(function, self)) [[unlikely]]
            self.tell_what_was_thrown();
    }

    // False: self.failure has the exception. It leaves the catch block before others may have it, because its
    // bookkeeping belongs to this thread until then.
    [[gnu::always_inline]] static bool succeeds(F& function, threading::worker& self) noexcept {
        try {
            std::invoke(function);
            return true;
        } catch (const cancelled&) {
            return true;  // it has obeyed a cancellation
        } catch (...) {
            self.keep_current_exception();
            return false;
        }
    }

    F function;
};

template <class Task>
[[gnu::noinline]] void spawn_when_full(threading::worker& self, Task* t) {
    if (self.run_when_full(t)) self.turn_away();  // the running task may be of another group, or last long
    else threading::push_task<false>(self, t);
}

template <class Call, class... Parts>
[[gnu::always_inline]] inline void spawn_on(threading::worker& self, Parts... parts) {
    self.check_before_spawn();
    self.spawns_loose();
    auto* const t = threading::make_task<loose_task<Call, false>>(self, std::forward<Parts>(parts)...);
    if (self.is_full()) [[unlikely]]
        spawn_when_full(self, t);
    else threading::push_task<false>(self, t);
    self.serve_after_spawn();
}

// Calls at once, with options::serial.
template <class Call, class... Parts>
[[gnu::noinline, gnu::cold]] void spawn_at_once(threading::worker& self, Parts... parts) {
    self.poll();
    auto made = std::make_unique<loose_task<Call, true>>(std::forward<Parts>(parts)...);
    call_at_once(&self, made.release());
}

template <class Call, class... Parts>
[[gnu::noinline, gnu::cold]] void come_in_and_spawn(Parts... parts) {
    const threading::seated here(default_pool);
    if (here.self().home().serial()) [[unlikely]]
        return spawn_at_once<Call, Parts...>(here.self(), std::forward<Parts>(parts)...);
    spawn_on<Call, Parts...>(here.self(), std::forward<Parts>(parts)...);
}

// Spawns by the worker whose seat the thread keeps or takes. The parts go by value, as to spawn_now(): if the fast path
// had to know their addresses, they would be in memory (see by_value).
template <class Call, class... Parts>
[[gnu::noinline]] void spawn_from_outside(Parts... parts) {
    threading::worker* const self = threading::sit_in_kept_seat();
    if (self == nullptr) [[unlikely]]
        return come_in_and_spawn<Call, Parts...>(std::forward<Parts>(parts)...);
    const threading::in_kept_seat here(*self);
    spawn_on<Call, Parts...>(*self, std::forward<Parts>(parts)...);
}

template <class Call, class... Parts>
[[gnu::always_inline]] inline void spawn_now(Parts... parts) {
    threading::worker* const self = threading::current;
    if (self == nullptr) [[unlikely]]
        return spawn_from_outside<Call, Parts...>(std::forward<Parts>(parts)...);
    if (self->home().serial()) [[unlikely]]
        return spawn_at_once<Call, Parts...>(*self, std::forward<Parts>(parts)...);
    spawn_on<Call, Parts...>(*self, std::forward<Parts>(parts)...);
}

}  // namespace detail

/// Makes a task that calls f(args...). Nobody waits for it except barrier() and the end of the runtime. f and the
/// arguments are moved or copied into the task (std::ref for references). Objects that they refer to must live until
/// then.
///
/// O(1); up to 56 bytes of them need no heap. From a worker the task goes into its deque; from outside, into that of a
/// worker of the default runtime whose seat the thread takes. If the worker has options::queue_bound tasks queued, the
/// task runs at once (always with options::serial). Throws `cancelled` if the work is cancelled, std::bad_alloc, and
/// what copying f throws.
///
/// The first exception of such a task is kept, and the next barrier() throws it. If none follows, the end of the
/// runtime says so on standard error. When a run() is cancelled, tasks that are taken up before it returns are dropped.
///
/// The default runtime ends with the process. Once anything was spawned there, a return from main() waits until no task
/// is left, those of run() on other threads included. So does exit() on main()'s thread, outside tasks. If main()'s
/// thread has used the runtime, the wait comes before static objects are destroyed. Otherwise static objects that were
/// made after the runtime are already gone. Any other end of the process drops the tasks: _exit(), quick_exit(), a
/// signal, and exit() in a task or on another thread. Such an exit() says so on standard error. Tasks that destructors
/// of static objects spawn are dropped, too.
template <class F, class... Args>
    requires detail::can_be_called_by_a_task<F, Args...>
[[gnu::always_inline]] inline void spawn(F&& f, Args&&... args) {
    detail::spawn_now<detail::spawned_call<std::decay_t<F>, std::decay_t<Args>...>, threading::by_value<F>,
                      threading::by_value<Args>...>(std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace parley::inline v0
