/// @file
/// Makes a call whose result is fetched later: async and future.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/depot.hpp>
#include <parley/detail/runtime/kept_call.hpp>
#include <parley/detail/runtime/made_task.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/errors.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/shared_future.hpp>

#include <bit>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

template <class R>
class future;

namespace detail {

// A future and its task share this: a one-shot channel for the result (TH §4.3, futures as channels). It belongs to the
// future, which is not destroyed before it has seen `done`.
//
// A worker makes it in a cell of task memory if it fits there, or else on the heap. Any thread may destroy the future,
// even after its runtime. What that needs is written into `run` when the task has run.
template <class R>
class future_state : public threading::task {
public:
    sync::completion done;
    sync::outcome how = sync::outcome::pending;  // ordered by `done`

private:
    const bool in_cell_;

public:
    threading::result_slot<R> slot;

    // Called when the task is done and the slot is empty.
    void free() noexcept {
        if (in_cell_) threading::free_cell(*std::bit_cast<threading::depot*>(run), this);
        else std::bit_cast<freeing>(run)(this);
    }

protected:
    using freeing = void (*)(future_state*) noexcept;

    future_state(function f, bool in_cell) noexcept : threading::task{f}, in_cell_(in_cell) {}

    // The task's last access: a thread that sees `done` may free this, by `on_heap` if it lies on the heap.
    void complete(sync::outcome result, freeing on_heap, threading::worker& self) noexcept {
        how = result;
        run = in_cell_ ? std::bit_cast<function>(&self.cells()) : std::bit_cast<function>(on_heap);
        const void* const what = &done;
        const sync::completion::woken whom = done.complete();
        if (!whom.nobody()) threading::tell_of_end(self, whom, what);
    }
};

template <class R, class F, class... Args>
class async_task : public future_state<R> {
public:
    template <class G, class... As>
    explicit async_task(bool in_cell, G&& g, As&&... as)
        : future_state<R>(&run_here, in_cell), wanted_(std::forward<G>(g), std::forward<As>(as)...) {}
    async_task(const async_task&) = delete;
    async_task& operator=(const async_task&) = delete;
    ~async_task() {
        if (this->how == sync::outcome::pending) std::destroy_at(&wanted_);  // the task could not be queued
    }

protected:
    void call(threading::worker& self, typename future_state<R>::freeing on_heap) noexcept {
        self.turn_away();
        self.count_task();
        auto bound = [this]() -> R { return std::apply(std::move(wanted_.function), std::move(wanted_.arguments)); };
        const sync::outcome ended = self.cancelling() ? this->slot.drop() : this->slot.fill(bound);
        std::destroy_at(&wanted_);  // before completion, because objects that it refers to may be destroyed after that
        this->complete(ended, on_heap, self);
    }

private:
    static void run_here(threading::task* t, threading::worker& self) {
        static_cast<async_task*>(t)->call(self, [](future_state<R>* s) noexcept { delete static_cast<async_task*>(s); });
    }

    struct wanted {
        // Not an aggregate: as one in a union, with empty members, clang 16 crashes on it or compiles it wrongly.
        template <class G, class... As>
        explicit wanted(G&& g, As&&... as) : function(std::forward<G>(g)), arguments(std::forward<As>(as)...) {}
        [[no_unique_address]] F function;
        [[no_unique_address]] std::tuple<Args...> arguments;
    };
    union {
        wanted wanted_;  // until it has run
    };
};

template <class R, class Task, class... Parts>
future<R> async_on(threading::worker& self, priority p, Parts... parts);

}  // namespace detail

/// The result of async(). It is moved, not copied. Its destructor waits for the task and drops what it returned or
/// threw, so objects that the task refers to outlive it.
template <class R>
class [[nodiscard]] future {
public:
    /// Makes an empty one, which has no result to come.
    future() noexcept = default;
    /// Moves the result out of `other`, which is empty afterwards.
    future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)), home_(other.home_) {}
    /// Waits for its own task, drops the result, and takes that of `other`.
    future& operator=(future&& other) noexcept {
        if (this != &other) {
            finish();
            state_ = std::exchange(other.state_, nullptr);
            home_ = other.home_;
        }
        return *this;
    }
    /// Waits for the task, and drops what it has returned or thrown.
    ~future() { finish(); }

    /// Has it a result to come? Not after get(), nor if it is default-constructed or moved from.
    [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }
    /// Is the result there? Then get() does not wait. This runs no tasks and costs one load.
    [[nodiscard]] bool is_ready() const noexcept { return state_ != nullptr && state_->done.is_complete(); }

    /// Works until the result is there. Throws usage_error if there is none to come.
    void wait() const {
        require();
        await();
    }

    /// Works until the result is there, for `longest` at most, and says whether it is there (never `deferred`). Throws
    /// usage_error if there is none to come.
    ///
    /// In a task its worker works meanwhile, and looks at the clock between two tasks. So it comes back late by a task
    /// that it has begun. A thread outside begins no task, nor does a task whose time is over. If only one worker is
    /// active, both do, so that a program that asks again and again gets the result. docs/guide/futures.md says more.
    template <class Rep, class Period>
    std::future_status wait_for(const std::chrono::duration<Rep, Period>& longest) const {
        require();
        return status_at(threading::deadline_after(longest));
    }
    /// Works until the result is there, or until `last` by any clock, even one that is set meanwhile.
    template <class Clock, class Duration>
    std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& last) const {
        require();
        // Clocks other than the steady one may be set meanwhile.
        for (;;) {
            const std::future_status status = status_at(threading::deadline_at(last));
            if (status == std::future_status::ready || threading::is_over(last)) return status;
        }
    }

    /// Returns a shared_future of this result, for any number of readers. This future is empty afterwards. Throws
    /// std::bad_alloc, and leaves it unchanged then.
    [[nodiscard]] shared_future<R> share() { return shared_future<R>(std::move(*this)); }

    /// Waits, then moves the result out (void, references and move-only types, too). Or throws the task's exception, or
    /// `cancelled` if the task was dropped. It may be called once: the future is empty afterwards.
    R get() {
        require();
        await();
        const struct emptied {
            detail::future_state<R>* state;
            ~emptied() { state->free(); }
        } after{std::exchange(state_, nullptr)};
        if constexpr (std::is_void_v<R>) (void)after.state->slot.take(after.state->how);
        else return after.state->slot.take(after.state->how);
    }

private:
    template <class Result, class Task, class... Parts>
    friend future<Result> detail::async_on(threading::worker& self, priority p, Parts... parts);
    friend class shared_future<R>;

    future(detail::future_state<R>* state, threading::pool& home) noexcept : state_(state), home_(&home) {}

    void require() const {
        if (state_ == nullptr)
            throw usage_error(
                "parley: the future has no result to come (get() was called before, "
                "or it was moved from)");
    }

    void await() const noexcept {
        sync::completion& done = state_->done;
        if (done.is_complete()) return;
        if (threading::worker* const self = threading::current; self != nullptr && &self->home() == home_)
            return await_as(*self);
        const threading::seated here(*home_);
        await_as(here.self());
    }
    void await_as(threading::worker& self) const noexcept {
        sync::completion& done = state_->done;
        if (threading::run_if_newest(self, state_)) return;
        if (done.announce(threading::waiter_number(self.id())))
            threading::wait_until(self, [&done] { return done.is_complete(); }, threading::awaited::future, &done);
    }

    std::future_status status_at(threading::deadline last) const {
        return is_there_at(last) ? std::future_status::ready : std::future_status::timeout;
    }
    bool is_there_at(threading::deadline last) const {
        if (state_->done.is_complete()) return true;
        if (threading::worker* const self = threading::current; self != nullptr && &self->home() == home_)
            return is_there_at(last, *self);
        const bool others_work = home_->active() > 1;
        if (threading::has_passed(last) && others_work) return false;
        const bool only_sleeps = threading::current == nullptr && others_work;
        const threading::seated here(*home_);
        return is_there_at(last, here.self(), only_sleeps);
    }
    bool is_there_at(threading::deadline last, threading::worker& self, bool only_sleeps = false) const {
        sync::completion& done = state_->done;
        if (last == threading::no_deadline) {
            await_as(self);
        } else if (!threading::has_passed(last)) {
            if (done.announce(threading::waiter_number(self.id())))
                threading::wait_up_to(
                    self, last, [&done] { return done.is_complete(); }, threading::awaited::future, only_sleeps);
        } else if (self.home().active() > 1) {
            self.serve();
        } else {
            // A task from elsewhere is taken in one turn and begins in another.
            const auto before = self.tasks_run();
            unsigned turns = 0;
            threading::wait_until(
                self, [&] { return done.is_complete() || self.tasks_run() != before || turns++ >= most_turns; },
                threading::awaited::future);
        }
        if (done.is_complete()) return true;
        threading::offer_before_giving_up(self);
        return done.is_complete();
    }

    void finish() noexcept {
        if (state_ == nullptr) return;
        await();
        state_->slot.discard(state_->how);
        state_->free();
        state_ = nullptr;
    }

    static constexpr unsigned most_turns = 8;

    detail::future_state<R>* state_ = nullptr;
    threading::pool* home_ = nullptr;
};

namespace detail {

template <class R, class Task, class... Parts>
[[gnu::always_inline]] inline future<R> async_on(threading::worker& self, priority p, Parts... parts) {
    self.poll();  // before the task exists, because it may throw
    Task* const made = threading::make_task<Task>(self, threading::in_task_memory<Task>, std::forward<Parts>(parts)...);
    if (self.home().serial()) [[unlikely]] {
        self.run(made);
        return {made, self.home()};
    }
    if (p == priority::high) threading::push_task<true>(self, made);
    else threading::push_task<false>(self, made);
    self.serve();
    return {made, self.home()};
}

template <class R, class Task, class... Parts>
[[gnu::noinline, gnu::cold]] future<R> come_in_and_async(priority p, Parts... parts) {
    const threading::seated here(default_pool);
    return async_on<R, Task, Parts...>(here.self(), p, std::forward<Parts>(parts)...);
}

// Makes the task by the worker whose seat the thread keeps or takes. The parts go by value as to async_now(), so that
// the fast path has no addresses to know (see by_value).
template <class R, class Task, class... Parts>
[[gnu::noinline]] future<R> async_from_outside(priority p, Parts... parts) {
    threading::worker* const self = threading::sit_in_kept_seat();
    if (self == nullptr) [[unlikely]]
        return come_in_and_async<R, Task, Parts...>(p, std::forward<Parts>(parts)...);
    const threading::in_kept_seat here(*self);
    return async_on<R, Task, Parts...>(*self, p, std::forward<Parts>(parts)...);
}

template <class R, class Task, class... Parts>
[[gnu::always_inline]] inline future<R> async_now(priority p, Parts... parts) {
    threading::worker* const self = threading::current;
    if (self == nullptr) [[unlikely]]
        return async_from_outside<R, Task, Parts...>(p, std::forward<Parts>(parts)...);
    return async_on<R, Task, Parts...>(*self, p, std::forward<Parts>(parts)...);
}

}  // namespace detail

/// Makes a task that calls f(args...), and returns the future of its result. f and the arguments are moved or copied
/// into the task (std::ref for references, as with std::async). With options::serial it is called before async()
/// returns.
///
/// O(1); up to 40 bytes of them need no heap. For that the result has at most 8 bytes, and no type is aligned more
/// strictly than a pointer. Throws std::bad_alloc, `cancelled`, and what the copying throws.
///
/// From a worker the task goes into its deque, or into that of high tasks (parley::priority). From outside it goes into
/// that of a worker of the default runtime whose seat the thread takes.
template <class F, class... Args>
    requires detail::can_be_called_once_by_a_task<F, Args...>
[[gnu::always_inline]] inline auto async(priority p, F&& f, Args&&... args)
    -> future<std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>> {
    using result = std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>;
    return detail::async_now<result, detail::async_task<result, std::decay_t<F>, std::decay_t<Args>...>,
                             threading::by_value<F>, threading::by_value<Args>...>(p, std::forward<F>(f),
                                                                                   std::forward<Args>(args)...);
}
/// Makes a task of normal priority.
template <class F, class... Args>
    requires detail::can_be_called_once_by_a_task<F, Args...>
auto async(F&& f, Args&&... args) -> future<std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>> {
    return parley::async(priority::normal, std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace parley::inline v0
