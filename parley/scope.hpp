/// @file
/// Waits for any number of tasks together: scope.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/kept_call.hpp>
#include <parley/detail/runtime/made_task.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/scope_core.hpp>
#include <parley/detail/runtime/spawned_call.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/errors.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

template <class T>
class task;

namespace detail {

// A task that spawn() has made.
template <class F, bool FromOutside>
struct spawned : std::conditional_t<FromOutside, threading::job, threading::task> {
    template <class... Gs>
    explicit spawned(threading::scope_core& s, Gs&&... parts) : scope(&s), function(std::forward<Gs>(parts)...) {
        this->run = &run_here;
    }

    static void run_here(threading::task* t, threading::worker& self) {
        auto* const me = static_cast<spawned*>(t);
        threading::scope_core& scope = *me->scope;
        scope.before_task(self);
        self.count_task();
        if (scope.stopped() || self.cancelling()) [[unlikely]]
            scope.fail_cancelled();
        else call(me->function, scope);
        threading::dispose(self, me);
        scope.count_done(self);  // the last access to the scope
    }

    static void call(F& function, threading::scope_core& scope) noexcept {
        // The exception leaves the catch block before the task is counted as done, because its bookkeeping belongs to
        // this thread until then.
        try {
            std::invoke(function);
        } catch (...) {
            scope.fail_with_current_exception();
        }
    }

    threading::scope_core* scope;
    F function;
};

}  // namespace detail

/// Tasks that end together, at wait() or at the end of the block. It is not copied and not moved.
///
/// One task, or one thread outside, makes it, waits for it and destroys it. Such a thread may wait inside run(), if no
/// other thread runs in that runtime. spawn() may be called by the scope's maker and by its own tasks. Any other thread
/// may call it for as long as one of those keeps the scope from completing.
class scope {
public:
    /// Its tasks run in the calling worker's runtime, or else in the default one.
    scope() : scope(detail::this_pool(), maker_in(detail::this_pool())) {}
    /// A stop request drops the tasks that have not begun. Then wait() throws `cancelled`.
    explicit scope(std::stop_token token) : scope() { on_stop_.emplace(std::move(token), stopper{&core_}); }
    /// Its tasks run in `home`.
    explicit scope(runtime& home) : scope(detail::pool_of(home), threading::worker_in(detail::pool_of(home))) {}

    /// Waits as wait() does and throws what it would throw, so that no task is lost in silence. After request_stop() it
    /// throws `cancelled` as wait() does, if anything was dropped. A class with a scope as a member has a destructor
    /// that may throw, too. Where destructors may not throw, wait for the scope before (e.g. in a std::unique_ptr).
    ///
    /// If an exception leaves the scope's block, the tasks that have not begun are dropped instead, and so are
    /// exceptions of tasks. Two waits at a time end the program here, and so does a wait in a worker that did not make
    /// the scope.
    ~scope() noexcept(false) {
        if (!core_.complete() || core_.stopped()) [[unlikely]]
            end();
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

    /// Makes a task that calls f(args...); all are moved or copied into it (std::ref for references, as with
    /// std::async). If this worker has options::queue_bound tasks queued, the task runs at once (always with
    /// options::serial).
    ///
    /// O(1); up to 48 bytes of them need no heap. Throws `cancelled` if the work is cancelled, std::bad_alloc, and what
    /// copying f throws.
    template <class F, class... Args>
        requires detail::can_be_called_by_a_task<F, Args...>
    [[gnu::always_inline]] void spawn(F&& f, Args&&... args) {
        spawn_now<detail::spawned_call<std::decay_t<F>, std::decay_t<Args>...>, threading::by_value<F>,
                  threading::by_value<Args>...>(std::forward<F>(f), std::forward<Args>(args)...);
    }
    /// Makes a task with a priority among those that the calling worker has queued. From outside the runtime a priority
    /// has no meaning. If options::queue_bound tasks are queued, a high task runs at once, too.
    template <class F, class... Args>
        requires detail::can_be_called_by_a_task<F, Args...>
    void spawn(priority p, F&& f, Args&&... args) {
        using call = detail::spawned_call<std::decay_t<F>, std::decay_t<Args>...>;
        threading::worker* const self = threading::worker_in(core_.home());
        if (p == priority::normal || self == nullptr || core_.home().serial())
            spawn(std::forward<F>(f), std::forward<Args>(args)...);
        else queue<call, priority::high>(*self, std::forward<F>(f), std::forward<Args>(args)...);
    }

    /// Makes a task of the coroutine, which counts as one until it ends, also while it is suspended (parley/coroutine.hpp).
    /// Throws usage_error if it has none, and what the first spawn() throws.
    void spawn(task<void> t);

    /// Returns when all tasks are done; works meanwhile. The scope can be used again, unless its stop was requested:
    /// then it drops all new tasks.
    ///
    /// Throws the first exception of a task, after dropping the tasks that had not begun, or `cancelled`. Throws
    /// usage_error if the scope is not over and a worker waits that did not make it, or while another one waits.
    void wait() {
        if (const auto why = core_.wait_unless_refused(); why != threading::scope_core::refused::no) [[unlikely]]
            threading::scope_core::throw_refusal(why);
        if (std::exception_ptr failure = core_.take_failure()) std::rethrow_exception(std::move(failure));
    }

    /// Drops the tasks that have not begun. wait() throws `cancelled` if there were any.
    void request_stop() noexcept { core_.request_stop(); }

private:
    [[gnu::noinline, gnu::cold]] void end() {
        const bool is_left_by_exception = exceptions_in_flight() > in_flight_;
        if (is_left_by_exception) core_.request_stop();
        core_.wait();
        if (is_left_by_exception) return;
        if (std::exception_ptr failure = core_.take_failure()) std::rethrow_exception(std::move(failure));
    }

    [[nodiscard]] unsigned exceptions_in_flight() const noexcept {
        const threading::worker* const maker = core_.owner();
        return maker != nullptr ? maker->exceptions_in_flight() : static_cast<unsigned>(std::uncaught_exceptions());
    }

    struct stopper {
        threading::scope_core* core;
        void operator()() const noexcept { core->request_stop(); }
    };

    static threading::worker* maker_in(threading::pool& home) {
        threading::worker* const self = threading::current;
        return self != nullptr || !home.kept().are_allowed() ? self : threading::seated::keeper_in(home);
    }

    // A scope whose tasks run at once has no owner, so that every spawn takes the slow way.
    scope(threading::pool& home, threading::worker* maker) : core_(home, home.serial() ? nullptr : maker) {}

    template <class Call, class... Parts>
    [[gnu::always_inline]] void spawn_now(Parts... parts) {
        threading::worker* self = threading::current;
        if (self == nullptr) [[unlikely]]
            return spawn_outside<Call, Parts...>(std::forward<Parts>(parts)...);
        if (self != core_.owner()) [[unlikely]] {
            self = threading::worker_in(core_.home());
            if (self == nullptr || core_.home().serial()) [[unlikely]]
                return spawn_elsewhere<Call, Parts...>(self, std::forward<Parts>(parts)...);
        }
        queue<Call, priority::normal>(*self, std::forward<Parts>(parts)...);
    }

    template <class Call, priority P, class... Parts>
    [[gnu::always_inline]] void queue(threading::worker& self, Parts&&... parts) {
        using task = detail::spawned<Call, false>;
        const std::uint64_t number = core_.number();  // read now, because the task may be the scope's last
        core_.count_spawned(self);
        try {
            task* const t = threading::make_task<task>(self, core_, std::forward<Parts>(parts)...);
            if (self.is_full<P == priority::high>()) [[unlikely]]
                spawn_when_full<P>(self, t);
            else threading::push_task<P == priority::high>(self, t);
        } catch (...) {
            core_.count_done(self);
            self.turn_away();
            throw;
        }
        self.look_after_spawn(number);
    }

    // A task that is counted as spawned must not throw here.
    template <priority P, class Task>
    [[gnu::noinline]] void spawn_when_full(threading::worker& self, Task* t) {
        const bool is_owner = &self == core_.owner();  // read now, because the task may be the scope's last
        if (!self.run_when_full(t)) threading::push_task<P == priority::high>(self, t);
        // The running task may be of another group, or last long.
        else if (!is_owner) self.turn_away();
    }

    // The parts go by value, as to spawn_now(): if the fast path had to know their addresses, they would be in memory.
    // A thread that keeps a seat queues the task there.
    template <class Call, class... Parts>
    [[gnu::noinline]] void spawn_outside(Parts... parts) {
        threading::worker* const self = threading::sit_in_kept_seat(&core_.home());
        if (self == nullptr) [[unlikely]]
            return spawn_elsewhere<Call, Parts...>(nullptr, std::forward<Parts>(parts)...);
        const threading::in_kept_seat here(*self);
        queue<Call, priority::normal>(*self, std::forward<Parts>(parts)...);
    }

    template <class Call, class... Parts>
    [[gnu::noinline, gnu::cold]] void spawn_elsewhere(threading::worker* self, Parts... parts) {
        if (core_.home().serial()) return spawn_at_once<Call>(self, std::forward<Parts>(parts)...);
        if (!core_.home().kept().are_allowed() || threading::current != nullptr)
            return spawn_from_outside<Call>(std::forward<Parts>(parts)...);
        core_.home().require_this_process();
        const threading::seated here(core_.home());
        queue<Call, priority::normal>(here.self(), std::forward<Parts>(parts)...);
    }

    // Calls at once and counts nothing, because the call ends here (options::serial).
    template <class Call, class... Parts>
    void spawn_at_once(threading::worker* self, Parts&&... parts) {
        if (self != nullptr) {
            run_at_once<Call>(*self, std::forward<Parts>(parts)...);
            self->poll();
            return;
        }
        core_.home().require_this_process();
        const threading::seated here(core_.home());
        run_at_once<Call>(here.self(), std::forward<Parts>(parts)...);
    }

    template <class Call, class... Parts>
    void run_at_once(threading::worker& self, Parts&&... parts) {
        const detail::as_worker now(&self);
        Call call(std::forward<Parts>(parts)...);
        if (core_.stopped() || self.cancelling()) return core_.fail_cancelled();
        self.count_task();
        const threading::worker::one_deeper not_the_root(self);
        detail::spawned<Call, false>::call(call, core_);
    }

    template <class Call, class... Parts>
    void spawn_from_outside(Parts&&... parts) {
        auto t = std::make_unique<detail::spawned<Call, true>>(core_, std::forward<Parts>(parts)...);
        core_.home().start_threads();  // may throw, so nothing is counted yet
        core_.count_spawned_outside();
        core_.home().submit(t.release());
    }

    threading::scope_core core_;
    const unsigned in_flight_ = exceptions_in_flight();  // a destructor may make a scope while an exception passes
    std::optional<std::stop_callback<stopper>> on_stop_;
};

}  // namespace parley::inline v0
