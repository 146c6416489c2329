// spawn: a task that nobody awaits by name. The barrier awaits them all.
#pragma once

#include <parley/runtime.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/spawned_call.hpp>
#include <parley/runtime/task.hpp>
#include <parley/runtime/worker.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Nothing is counted but the task itself: whether all are done is known from what the workers say (TH §4.1).
template <class F, bool FromOutside>
struct loose_task : std::conditional_t<FromOutside, threading::job, threading::task> {
    using base = std::conditional_t<FromOutside, threading::job, threading::task>;
    static constexpr bool in_task_memory =
        !FromOutside && sizeof(F) <= sizeof(threading::cell) - sizeof(base) && alignof(F) <= alignof(void*);

    template <class... Gs>
    explicit loose_task(Gs&&... parts) : function(std::forward<Gs>(parts)...) {
        this->run = &run_here;
    }

    static void run_here(threading::task* t, threading::worker& self) {
        auto* const me = static_cast<loose_task*>(t);
        self.turn_away();
        self.count.tasks.add();
        if (!self.cancelling()) [[likely]]
            call(me->function, self);
        me->dispose(self);
    }

    static void call(F& function, threading::worker& self) noexcept {
        std::exception_ptr failure;
        try {
            std::invoke(function);
            return;
        } catch (const cancelled&) {
            return;  // it has done what it was told
        } catch (...) {
            failure = std::current_exception();
        }
        self.home.keep_failure(std::move(failure));
    }

    void dispose(threading::worker& self) noexcept {
        if constexpr (in_task_memory) {
            std::destroy_at(this);
            self.memory.free(this);
        } else {
            delete this;
        }
    }

    F function;
};

template <class Call, class... Parts>
[[gnu::always_inline]] inline auto* make_loose_task(threading::worker& self, Parts&&... parts) {
    using task = loose_task<Call, false>;
    if constexpr (task::in_task_memory) {
        void* const memory = self.memory.allocate();
        try {
            return ::new (memory) task(std::forward<Parts>(parts)...);
        } catch (...) {
            self.memory.free(memory);
            throw;
        }
    } else {
        return new task(std::forward<Parts>(parts)...);
    }
}

template <class Task>
[[gnu::always_inline]] inline void push_loose(threading::worker& self, Task* t) {
    try {
        self.tasks.push(t);
    } catch (...) {
        t->dispose(self);
        throw;
    }
}

template <class Task>
[[gnu::noinline]] void spawn_when_full(threading::worker& self, Task* t) {
    if (self.run_when_full(t)) self.turn_away();  // back in a task of another group, perhaps for long
    else push_loose(self, t);
}

// From outside, in its turn; with options::serial here and now.
template <class Call, class... Parts>
[[gnu::noinline, gnu::cold]] void spawn_elsewhere(threading::worker* self, Parts&&... parts) {
    threading::pool& home = this_pool();
    if (self == nullptr) home.start_threads();
    else self->poll();
    auto made = std::make_unique<loose_task<Call, true>>(std::forward<Parts>(parts)...);
    if (home.serial()) call_at_once(self, made.release());
    else home.submit(made.release());
}

}  // namespace detail

// Makes a task that calls f(args...); all are moved or copied into it (std::ref for references). O(1); up to 56 bytes of
// them need no heap. Nobody waits for it but barrier() and the end of the runtime, so what it refers to has to live until
// then. The first exception that such a task throws is kept for the next barrier(), which throws it. When a run() is
// cancelled, those are dropped that are taken up before it returns. From a worker it goes into its deque; from outside into the default runtime.
// When the worker has options::queue_bound tasks queued, it runs at once instead (always with options::serial).
// Throws `cancelled` when the work is cancelled, std::bad_alloc, and what copying f throws.
template <class F, class... Args>
    requires std::invocable<std::decay_t<F>&, std::decay_t<Args>...>
void spawn(F&& f, Args&&... args) {
    using call = detail::spawned_call<std::decay_t<F>, std::decay_t<Args>...>;
    threading::worker* const self = threading::current;
    if (self == nullptr || self->home.serial()) [[unlikely]]
        return detail::spawn_elsewhere<call>(self, std::forward<F>(f), std::forward<Args>(args)...);
    self->check_before_spawn();
    auto* const t = detail::make_loose_task<call>(*self, std::forward<F>(f), std::forward<Args>(args)...);
    if (self->tasks.full(self->home.queue_blocks())) [[unlikely]]
        detail::spawn_when_full(*self, t);
    else
        detail::push_loose(*self, t);
    self->serve_after_spawn();
}

}  // namespace parley::inline v0
