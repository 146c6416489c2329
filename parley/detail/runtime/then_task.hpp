// The task of future::then(), which begins when the result that it takes has come.
#pragma once

#include <parley/detail/driver/task.hpp>
#include <parley/detail/runtime/continuation.hpp>
#include <parley/detail/runtime/future_state.hpp>
#include <parley/detail/runtime/isolation.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/future_word.hpp>

#include <functional>
#include <new>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail {

template <class F, class Taken>
struct result_of_then : std::invoke_result<F, Taken> {};
template <class F>
struct result_of_then<F, void> : std::invoke_result<F> {};

// Takes the result, which is there. An exception comes out, and f is not called.
template <class Source, class F>
struct then_call {
    using taken = decltype(std::declval<Source&>().get());
    using result = typename result_of_then<F, taken>::type;

    result operator()() && {
        if constexpr (std::is_void_v<taken>) {
            source.get();
            return std::invoke(std::move(f));
        } else {
            return std::invoke(std::move(f), source.get());
        }
    }

    Source source;
    F f;
};

template <class Source, class F>
class then_task : public async_call<then_task<Source, F>, typename then_call<Source, F>::result, then_call<Source, F>> {
    using call = then_call<Source, F>;
    using base = async_call<then_task, typename call::result, call>;

public:
    using result = typename call::result;

    then_task(Source&& source, F&& f) : base(call{std::move(source), std::move(f)}), node_(*this) {}

    // Called by a worker of the runtime in which it is to run. `word` is that of the source.
    void begin(threading::worker& self, sync::future_word& word, bool is_from_elsewhere) {
        node_.begin_to_await(self, is_from_elsewhere);
        if (!word.attach(node_)) node_.send(&self);
    }

private:
    struct node : threading::awaiting_job {
        explicit node(then_task& t) noexcept : threading::awaiting_job(&run_whole, &what_it_awaits_has_come), whole(t) {}
        static void run_whole(threading::task* t, threading::worker& self) {
            auto* const me = static_cast<node*>(t);
            threading::task& all = me->whole;
            if (me->isolated_in_ == 0 || self.is_isolated()) return all.run(&all, self);
            const threading::isolation here(self);
            all.run(&all, self);
        }
        static void what_it_awaits_has_come(threading::continuation* c, threading::worker* self) noexcept {
            static_cast<node*>(c)->send(self);
        }
        then_task& whole;
    };

    node node_;
};

}  // namespace parley::inline v0::detail
