// What a coroutine may ask of its surroundings: to go on in another runtime, and whether it is to stop.
#pragma once

#include <parley/coroutine/task.hpp>
#include <parley/detail/runtime/coroutine.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/runtime.hpp>

#include <concepts>
#include <coroutine>
#include <stop_token>
#include <utility>

namespace parley::inline v0 {

/// What spawn_on() returns: await it.
class [[nodiscard]] spawn_on_awaitable {
    friend struct detail::awaiter<spawn_on_awaitable>;
    friend spawn_on_awaitable spawn_on(runtime& home) noexcept;
    explicit spawn_on_awaitable(threading::pool& home) noexcept : home_(&home) {}
    threading::pool* home_;
};

/// `co_await spawn_on(r);` lets the coroutine go on as a task of that runtime. The coroutine that awaits it directly goes on
/// there, too. The future of both becomes ready in the runtime in which it was made. The runtime must not end before.
/// Throws `cancelled`, and what starting the threads throws.
inline spawn_on_awaitable spawn_on(runtime& home) noexcept { return spawn_on_awaitable(detail::pool_of(home)); }

/// What this_stop_token() returns: await it.
struct [[nodiscard]] stop_token_awaitable {};

/// `co_await this_stop_token()` is the std::stop_token that was given to async() or sync_wait() with the coroutine, or with
/// the one that awaits it. It does not suspend.
inline stop_token_awaitable this_stop_token() noexcept { return {}; }

namespace detail {

template <>
struct awaiter<spawn_on_awaitable> {
    explicit awaiter(const spawn_on_awaitable& s) noexcept : there(s.home_) {}
    static bool await_ready() noexcept { return false; }
    template <std::derived_from<threading::coroutine> P>
    bool await_suspend(std::coroutine_handle<P> h) {
        return h.promise().suspend_and_go_to(*there);
    }
    static void await_resume() noexcept {}

    threading::pool* there;
};

template <>
struct awaiter<stop_token_awaitable> {
    explicit awaiter(const stop_token_awaitable&) noexcept {}
    static bool await_ready() noexcept { return false; }
    template <std::derived_from<threading::coroutine> P>
    bool await_suspend(std::coroutine_handle<P> h) noexcept {
        of = h.promise().stop();
        return false;
    }
    std::stop_token await_resume() noexcept { return std::move(of); }

    std::stop_token of;
};

}  // namespace detail

}  // namespace parley::inline v0
