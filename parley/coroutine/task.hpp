// A coroutine that another one awaits, or that begins a chain: task and its promise.
#pragma once

#include <parley/detail/runtime/coroutine.hpp>
#include <parley/detail/runtime/future_state.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/errors.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

template <class T>
class task;

namespace detail {

template <class T>
class task_promise;

// What a coroutine may await. Each specialisation is made of the object after `co_await`.
template <class T>
struct awaiter {
    static_assert(!std::is_same_v<T, T>,
                  "a parley::task may co_await a parley::task, a future, a shared_future, when_all() of futures, "
                  "spawn_on() and this_stop_token(); what others complete becomes a future by parley::promise");
};

template <class T>
class task_promise_base : public threading::coroutine, public future_state<T> {
public:
    explicit task_promise_base(std::coroutine_handle<> frame) noexcept
        : threading::coroutine(frame), future_state<T>(nullptr) {}
    task_promise_base(const task_promise_base&) = delete;
    task_promise_base& operator=(const task_promise_base&) = delete;
    ~task_promise_base() { this->slot.discard(how_); }

    static std::suspend_always initial_suspend() noexcept { return {}; }
    static auto final_suspend() noexcept {
        struct at_end {
            static bool await_ready() noexcept { return false; }
            static void await_suspend(std::coroutine_handle<task_promise<T>> h) noexcept { h.promise().has_ended(); }
            static void await_resume() noexcept {}
        };
        return at_end{};
    }
    // A local variable's destructor may throw after the co_return has put the value there.
    void unhandled_exception() noexcept {
        this->slot.discard(how_);
        how_ = this->slot.fail(std::current_exception());
    }

    template <class A>
    static auto await_transform(A&& what) noexcept(noexcept(awaiter<std::remove_cvref_t<A>>(what))) {
        return awaiter<std::remove_cvref_t<A>>(what);
    }

    // For the coroutine that has awaited this one directly, when this one has ended. The slot is empty afterwards.
    T take() {
        if constexpr (std::is_void_v<T>) (void)this->slot.take(end());
        else return this->slot.take(end());
    }

    // What it has thrown, if nobody awaits it. One that has not ended was dropped.
    [[nodiscard]] std::exception_ptr take_failure() noexcept {
        try {
            (void)take();
            return nullptr;
        } catch (...) {
            return std::current_exception();
        }
    }

    // The end of a chain that completes a future. A coroutine that never began was dropped.
    static void complete_future(threading::coroutine& c, threading::worker& self) noexcept {
        auto& me = static_cast<task_promise_base&>(c);
        me.template complete<false>(
            me.end(), [](future_state<T>* s) noexcept { static_cast<task_promise_base*>(s)->frame().destroy(); }, self);
    }

protected:
    // How it has ended. From now on the caller knows what is in the slot.
    [[nodiscard]] sync::outcome end() noexcept {
        const sync::outcome how = std::exchange(how_, sync::outcome::pending);
        return how == sync::outcome::pending ? sync::outcome::dropped : how;
    }

    sync::outcome how_ = sync::outcome::pending;
};

template <class T>
class task_promise : public task_promise_base<T> {
public:
    task_promise() noexcept : task_promise_base<T>(std::coroutine_handle<task_promise>::from_promise(*this)) {}
    v0::task<T> get_return_object() noexcept;

    // Conversions happen at the `co_return`, where the compiler knows constants.
    void return_value(std::conditional_t<std::is_reference_v<T>, T, std::remove_cv_t<T>&&> value) {
        this->slot.put(std::forward<decltype(value)>(value));
        this->how_ = sync::outcome::value;
    }
    void return_value(const std::remove_cv_t<T>& value)
        requires(!std::is_reference_v<T> && std::copy_constructible<std::remove_cv_t<T>>)
    {
        this->slot.put(value);
        this->how_ = sync::outcome::value;
    }
};

template <>
class task_promise<void> : public task_promise_base<void> {
public:
    task_promise() noexcept : task_promise_base<void>(std::coroutine_handle<task_promise>::from_promise(*this)) {}
    v0::task<void> get_return_object() noexcept;

    void return_void() noexcept {
        slot.put(threading::kept<void>{});
        how_ = sync::outcome::value;
    }
};

struct task_access;

}  // namespace detail

/// A coroutine that returns a T, which may be void or a reference. It begins when it is awaited, or given to async(),
/// sync_wait() or spawn(). It is moved, not copied. If it has not begun, its destructor destroys the coroutine.
///
/// `T value = co_await some_task();` runs the other one at once, and goes on when that has ended. What it has thrown is
/// thrown there. Awaits need no stack, however many of them are chained or in a loop. A coroutine allocates its frame
/// and nothing else. Both may go on in another worker after each `co_await`.
template <class T = void>
class [[nodiscard]] task {
public:
    /// Says how the coroutine behaves, for the compiler.
    using promise_type = detail::task_promise<T>;

    /// Makes an empty one.
    task() noexcept = default;
    /// Takes the coroutine out of `other`, which is empty afterwards.
    task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    /// Destroys its own coroutine, and takes that of `other`.
    task& operator=(task&& other) noexcept {
        task(std::move(other)).swap(*this);
        return *this;
    }
    /// Destroys the coroutine if it has not begun.
    ~task() {
        if (frame_ != nullptr) frame_.destroy();
    }

    /// Has it a coroutine? Not after it was awaited or given away, nor if it is default-constructed or moved from.
    [[nodiscard]] bool valid() const noexcept { return frame_ != nullptr; }
    /// Exchanges the coroutines of two tasks.
    void swap(task& other) noexcept { std::swap(frame_, other.frame_); }

private:
    friend promise_type;
    friend struct detail::task_access;

    explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template <class T>
v0::task<T> task_promise<T>::get_return_object() noexcept {
    return v0::task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}
inline v0::task<void> task_promise<void>::get_return_object() noexcept {
    return v0::task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

struct task_access {
    // Throws usage_error if there is none.
    template <class T>
    static std::coroutine_handle<task_promise<T>> frame_of(const task<T>& t) {
        if (!t.valid())
            throw usage_error("parley: the task has no coroutine (it was awaited or given away before, or moved from)");
        return t.frame_;
    }
    template <class T>
    static void release(task<T>& t) noexcept {
        t.frame_ = nullptr;
    }
};

template <class T>
struct awaiter<task<T>> {
    explicit awaiter(task<T>& t) noexcept : whole(std::move(t)) {}
    static bool await_ready() noexcept { return false; }
    template <std::derived_from<threading::coroutine> P>
    void await_suspend(std::coroutine_handle<P> h) {
        task_access::frame_of(whole).promise().begin_for(h.promise());
    }
    T await_resume() { return task_access::frame_of(whole).promise().take(); }

    task<T> whole;
};

}  // namespace detail

}  // namespace parley::inline v0
