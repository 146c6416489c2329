// co_await of futures: of one, of a shared one, and of several that were joined.
#pragma once

#include <parley/coroutine/task.hpp>
#include <parley/detail/runtime/continuation.hpp>
#include <parley/detail/runtime/coroutine.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/future_word.hpp>
#include <parley/future.hpp>
#include <parley/shared_future.hpp>
#include <parley/when_all.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace detail {

// False: it is ready.
template <class R>
bool suspend_until_ready(threading::coroutine& c, const future<R>& f) {
    const bool is_from_elsewhere = future_access::is_from_elsewhere(f, threading::current->home());
    if (!c.must_stay(is_from_elsewhere)) return c.suspend_until(future_access::word_of(f), is_from_elsewhere);
    future_access::await(f);
    return false;
}

template <class R>
struct awaiter<future<R>> {
    explicit awaiter(future<R>& f) noexcept : of(&f) {}
    [[nodiscard]] bool await_ready() const {
        future_access::require(*of);
        return future_access::is_there_or_next(*of);
    }
    template <std::derived_from<threading::coroutine> P>
    bool await_suspend(std::coroutine_handle<P> h) {
        return suspend_until_ready(h.promise(), *of);
    }
    R await_resume() { return of->get(); }

    future<R>* of;
};

template <class R>
struct awaiter<shared_future<R>> {
    explicit awaiter(const shared_future<R>& f) : of(f) {}
    [[nodiscard]] bool await_ready() const { return future_access::is_there_or_next(future_access::valid_one(of)); }
    template <std::derived_from<threading::coroutine> P>
    bool await_suspend(std::coroutine_handle<P> h) {
        return suspend_until_ready(h.promise(), future_access::valid_one(of));
    }
    std::add_lvalue_reference_t<const R> await_resume() const { return of.get(); }

    shared_future<R> of;  // the result stays as long as this copy is there
};

// Goes through joined futures. next() returns the word of the first one that is not ready, or null, and does not look again
// at those before it.
template <class F>
struct pending_of;

template <class R>
struct pending_of<future<R>> {
    static sync::future_word* next(const future<R>& f) noexcept {
        sync::future_word& word = future_access::word_of(f);
        return word.is_complete() ? nullptr : &word;
    }
    static bool any_from_elsewhere(const future<R>& f, const threading::pool& here) noexcept {
        return future_access::is_from_elsewhere(f, here);
    }
};

template <class F>
struct pending_of<joint_future<std::vector<F>>> {
    sync::future_word* next(const joint_future<std::vector<F>>& all) noexcept {
        for (; at < all.futures_.size(); ++at, inner = {})
            if (sync::future_word* const word = inner.next(all.futures_[at])) return word;
        return nullptr;
    }
    static bool any_from_elsewhere(const joint_future<std::vector<F>>& all, const threading::pool& here) noexcept {
        for (const F& f : all.futures_)
            if (pending_of<F>::any_from_elsewhere(f, here)) return true;
        return false;
    }
    std::size_t at = 0;
    [[no_unique_address]] pending_of<F> inner;
};

template <class... Fs>
struct pending_of<joint_future<std::tuple<Fs...>>> {
    using joint = joint_future<std::tuple<Fs...>>;
    sync::future_word* next(const joint& all) noexcept { return next_of(all, std::index_sequence_for<Fs...>{}); }
    static bool any_from_elsewhere(const joint& all, const threading::pool& here) noexcept {
        return std::apply([&](const Fs&... f) { return (pending_of<Fs>::any_from_elsewhere(f, here) || ...); },
                          all.futures_);
    }

private:
    template <std::size_t... I>
    sync::future_word* next_of([[maybe_unused]] const joint& all, std::index_sequence<I...>) noexcept {
        sync::future_word* word = nullptr;
        (void)((word = std::get<I>(inner_).next(std::get<I>(all.futures_))) || ...);
        return word;
    }
    [[no_unique_address]] std::tuple<pending_of<Fs>...> inner_;
};

// The worker that completes one of the futures attaches this to the next. The coroutine goes on once, when all are ready.
template <class Futures>
struct awaiter<joint_future<Futures>> : threading::continuation {
    explicit awaiter(joint_future<Futures>& f) noexcept : threading::continuation(&one_is_ready), of(&f) {}
    [[nodiscard]] bool await_ready() {
        future_access::require(*of);
        return pending.next(*of) == nullptr;
    }
    template <std::derived_from<threading::coroutine> P>
    bool await_suspend(std::coroutine_handle<P> h) {
        using all = pending_of<joint_future<Futures>>;
        who = &h.promise();
        const bool is_from_elsewhere = all::any_from_elsewhere(*of, threading::current->home());
        if (who->must_stay(is_from_elsewhere)) {
            of->wait();
            return false;
        }
        who->begin_to_suspend(is_from_elsewhere);
        if (is_attached()) return true;
        who->never_mind();
        return false;
    }
    auto await_resume() { return of->get(); }

    [[nodiscard]] bool is_attached() noexcept {
        while (sync::future_word* const word = pending.next(*of))
            if (word->attach(*this)) return true;
        return false;
    }
    static void one_is_ready(threading::continuation* c, threading::worker* self) noexcept {
        auto& me = *static_cast<awaiter*>(c);
        threading::coroutine& who = *me.who;
        if (!me.is_attached()) who.go_on(self);
    }

    joint_future<Futures>* of;
    pending_of<joint_future<Futures>> pending;
    threading::coroutine* who = nullptr;
};

}  // namespace detail

}  // namespace parley::inline v0
