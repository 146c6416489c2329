/// @file
/// The first of several futures: when_any.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/continuation.hpp>
#include <parley/detail/runtime/future_state.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/seated.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/detail/sync/remaining.hpp>
#include <parley/errors.hpp>
#include <parley/future.hpp>
#include <parley/runtime.hpp>

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

/// The result of the future that when_any() returns.
template <class Futures>
struct when_any_result {
    std::size_t index;  ///< Which of them is ready. Others may be, too.
    Futures futures;    ///< All of them, in the order in which they were given.
};

namespace detail {

template <class Futures, class Visit>
void visit_each(const Futures& all, Visit visit) {
    if constexpr (requires { all.size(); })
        for (const auto& f : all) visit(f);
    else std::apply([&](const auto&... f) { (visit(f), ...); }, all);
}

// The futures and the place of the result. The continuations of all futures lie there. So it is freed when the result was
// taken and no continuation is left in any future.
template <class Futures>
class any_of : public promise_state<when_any_result<Futures>> {
    using state = promise_state<when_any_result<Futures>>;

public:
    any_of(threading::pool& of, Futures&& futures, std::size_t n)
        : state(of, &leave, nullptr), futures_(std::move(futures)), users_(n + 1) {
        waits_.reserve(n);
        for (std::size_t i = 0; i < n; ++i) waits_.emplace_back(*this, i);
    }

    // Called once, by a worker of `home`.
    void begin(threading::worker& self) noexcept {
        std::size_t next = 0;
        bool is_over = false;
        visit_each(futures_, [&](const auto& f) {
            wait& w = waits_[next++];
            if (!is_over && future_access::word_of(f).attach(w)) return;
            if (!std::exchange(is_over, true)) is_ready(w.index, &self);
            (void)users_.done();  // this call is a user itself
        });
        if (halves_.done()) deliver(&self);
    }

private:
    struct wait : threading::continuation {
        wait(any_of& a, std::size_t i) noexcept : threading::continuation(&come), all(&a), index(i) {}
        static void come(threading::continuation* c, threading::worker* self) noexcept {
            const wait me = *static_cast<wait*>(c);
            me.all->is_ready(me.index, self);
            if (me.all->users_.done()) delete me.all;
        }
        any_of* all;
        std::size_t index;
    };

    // The first one that is ready gives its index. The result is delivered when begin() has ended, too.
    void is_ready(std::size_t index, threading::worker* self) noexcept {
        if (!found_.put_up()) return;
        index_ = index;
        if (halves_.done()) deliver(self);
    }

    void deliver(threading::worker* self) noexcept {
        this->slot.put(when_any_result<Futures>{index_, std::move(futures_)});
        this->complete_by(self, sync::outcome::value);
    }

    static void leave(future_state<when_any_result<Futures>>* s) noexcept {
        auto* const me = static_cast<any_of*>(s);
        if (me->users_.done()) delete me;
    }

    Futures futures_;
    std::vector<wait> waits_;
    std::size_t index_ = 0;
    sync::flag found_;
    sync::remaining halves_{2};
    sync::remaining users_;
};

template <class Futures>
future<when_any_result<Futures>> first_of(Futures futures) {
    std::size_t n = 0;
    visit_each(futures, [&n](const auto& f) {
        future_access::require(f);
        ++n;
    });
    if (n == 0) throw usage_error("parley: when_any() was given no future");
    const threading::seated here(this_pool());
    auto* const made = new any_of<Futures>(here.self().home(), std::move(futures), n);
    auto result = future_access::make(static_cast<promise_state<when_any_result<Futures>>*>(made));
    made->begin(here.self());
    return result;
}

}  // namespace detail

/// Returns a future that is ready as soon as one of these is, whatever it has: when_any(f, g).get().index says which one.
/// All futures come back in the result. Its get() of the one that is ready does not wait. It allocates one block, and makes
/// no task. O(number of futures).
///
/// The runtime of the task that calls it, or the default one, must exist until one of them is ready. If the result is
/// dropped, the futures in it wait for their tasks. Throws usage_error for a future that has no result to
/// come, and for none at all; std::bad_alloc.
template <class... Rs>
[[nodiscard]] auto when_any(future<Rs>... futures) -> future<when_any_result<std::tuple<future<Rs>...>>> {
    return detail::first_of(std::tuple<future<Rs>...>(std::move(futures)...));
}

/// Does so with the futures of a vector.
template <class R>
[[nodiscard]] auto when_any(std::vector<future<R>> futures) -> future<when_any_result<std::vector<future<R>>>> {
    return detail::first_of(std::move(futures));
}

}  // namespace parley::inline v0
