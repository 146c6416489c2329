/// @file
/// Makes a call whose result is fetched later: async and future.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/deadline.hpp>
#include <parley/detail/runtime/future_state.hpp>
#include <parley/detail/runtime/kept_call.hpp>
#include <parley/detail/runtime/made_task.hpp>
#include <parley/detail/runtime/then_task.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/sync/future_word.hpp>
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

template <class R, class Task, class... Parts>
future<R> async_on(threading::worker& self, priority p, Parts... parts);

// What makes futures beside async(), or awaits them without a stack.
struct future_access {
    template <class R>
    static future<R> make(future_state<R>* state, threading::pool& home) noexcept {
        return {state, home};
    }
    template <class R>
    static future<R> make(promise_state<R>* state) noexcept {
        return future<R>(state);
    }
    template <class R>
    [[nodiscard]] static sync::future_word& word_of(const future<R>& f) noexcept {
        return f.state_->done;
    }
    // May others than tasks of that runtime complete it?
    template <class R>
    [[nodiscard]] static bool is_from_elsewhere(const future<R>& f, const threading::pool& home) noexcept {
        return f.home_ != &home;
    }
    // Throws usage_error.
    template <class F>
    static void require(const F& f) {
        f.require();
    }
    template <class R>
    static void await(const future<R>& f) noexcept {
        f.await();
    }
    template <class R>
    static const future<R>& valid_one(const shared_future<R>& f) {
        return f.valid_one();
    }
    // Works on the result if the calling worker would begin with it. True: it is there.
    template <class R>
    [[nodiscard]] static bool is_there_or_next(const future<R>& f) {
        return f.state_->done.is_complete() || threading::run_if_newest(*threading::current, f.state_);
    }
};

template <class F, class R>
auto then_on(future<R> source, F f);

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
    /// Waits for the task, and drops what it has returned or thrown. The future of a promise does not wait.
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

    /// Returns the future of f(result), for which a task is made when the result is there. If there is an exception instead,
    /// f is not called, and the exception goes on to the future that is returned. This future is empty afterwards.
    ///
    /// No stack and no worker waits meanwhile. The task is one of the caller's runtime, or else of the default one. Throws
    /// std::bad_alloc and what copying f throws, and drops the result then; usage_error if there is none to come.
    template <class F>
        requires detail::can_be_copied_or_moved_into_a_task<F>
    [[nodiscard]] auto then(F&& f) {
        require();
        return detail::then_on<std::decay_t<F>>(std::move(*this), std::forward<F>(f));
    }

    /// Waits, then moves the result out (void, references and move-only types, too). Or throws the task's exception, or
    /// `cancelled` if the task was dropped. It may be called once: the future is empty afterwards.
    R get() {
        require();
        await();
        const struct emptied {
            detail::future_state<R>* state;
            ~emptied() { state->free(); }
        } after{std::exchange(state_, nullptr)};
        if constexpr (std::is_void_v<R>) (void)after.state->slot.take(after.state->how());
        else return after.state->slot.take(after.state->how());
    }

private:
    template <class Result, class Task, class... Parts>
    friend future<Result> detail::async_on(threading::worker& self, priority p, Parts... parts);
    friend class shared_future<R>;
    friend struct detail::future_access;

    future(detail::future_state<R>* state, threading::pool& home) noexcept : state_(state), home_(&home) {}
    explicit future(detail::promise_state<R>* state) noexcept : state_(state) {}

    [[nodiscard]] threading::pool& home() const noexcept {
        return home_ != nullptr ? *home_ : static_cast<detail::promise_state<R>*>(state_)->home;
    }

    void require() const {
        if (state_ == nullptr)
            throw usage_error(
                "parley: the future has no result to come (get() was called before, "
                "or it was moved from)");
    }

    void await() const noexcept {
        sync::future_word& done = state_->done;
        if (done.is_complete()) return;
        if (threading::worker* const self = threading::current; self != nullptr && &self->home() == home_)
            return await_as(*self);
        await_outside();
    }
    [[gnu::noinline, gnu::cold]] void await_outside() const noexcept {
        const threading::seated here(home());
        await_as(here.self());
    }
    void await_as(threading::worker& self) const noexcept {
        sync::future_word& done = state_->done;
        if (threading::run_if_newest(self, state_)) return;
        if (done.announce(threading::waiter_number(self.id())))
            threading::wait_until(self, [&done] { return done.is_complete(); }, threading::awaited::future, &done);
    }

    std::future_status status_at(threading::deadline last) const {
        return is_there_at(last) ? std::future_status::ready : std::future_status::timeout;
    }
    bool is_there_at(threading::deadline last) const {
        if (state_->done.is_complete()) return true;
        if (threading::worker* const self = threading::current; self != nullptr && &self->home() == &home())
            return is_there_at(last, *self);
        const bool others_work = home().active() > 1;
        if (threading::has_passed(last) && others_work) return false;
        const bool only_sleeps = threading::current == nullptr && others_work;
        const threading::seated here(home());
        return is_there_at(last, here.self(), only_sleeps);
    }
    bool is_there_at(threading::deadline last, threading::worker& self, bool only_sleeps = false) const {
        sync::future_word& done = state_->done;
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
        if (!state_->done.is_complete()) {
            if (threading::worker* const self = threading::current; self != nullptr && &self->home() == home_)
                await_as(*self);
            else if (leaves_or_awaits()) return;
        }
        state_->drop();
        state_ = nullptr;
    }

    // A promise refers to nothing that goes with its future. So nobody waits for it.
    [[gnu::noinline, gnu::cold]] bool leaves_or_awaits() noexcept {
        if (home_ == nullptr) {
            threading::continuation* const c = static_cast<detail::promise_state<R>*>(state_)->frees_it;
            if (c != nullptr) {
                const bool leaves = state_->done.attach(*c);  // false: the result has come, and the runtime may be gone
                if (leaves) state_ = nullptr;
                return leaves;
            }
        }
        await_outside();
        return false;
    }

    static constexpr unsigned most_turns = 8;

    detail::future_state<R>* state_ = nullptr;
    threading::pool* home_ = nullptr;  // null: a task of no runtime makes the result, and the state is a promise_state
};

namespace detail {

template <class R, class Task, class... Parts>
[[gnu::always_inline]] inline future<R> async_on(threading::worker& self, priority p, Parts... parts) {
    self.poll();  // before the task exists, because it may throw
    Task* const made = threading::make_task<Task>(self, std::forward<Parts>(parts)...);
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

template <class F, class R>
auto then_on(future<R> source, F f) {
    using task = then_task<future<R>, F>;
    const auto begin = [&](threading::worker& self) {
        const bool is_from_elsewhere = future_access::is_from_elsewhere(source, self.home());
        sync::future_word& word = future_access::word_of(source);
        auto made = std::make_unique<task>(std::move(source), std::move(f));
        made->begin(self, word, is_from_elsewhere);
        return future_access::make(static_cast<future_state<typename task::result>*>(made.release()), self.home());
    };
    if (threading::worker* const self = threading::current; self != nullptr) return begin(*self);
    const threading::seated here(default_pool);
    return begin(here.self());
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
