// The callable that spawn(f, arguments...) makes a task of.
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail {

// A call with its arguments. It is built in place from what it is given. An argument that goes through a copy on the
// stack may be written in smaller pieces than it is copied in. That costs a failed store forwarding.
template <class F, class... Args>
struct bound_call {
    template <class G, class... As>
    explicit bound_call(G&& g, As&&... as) : function(std::forward<G>(g)), arguments(std::forward<As>(as)...) {}
    void operator()() {
        std::apply([this](Args&... a) { std::invoke(function, std::move(a)...); }, arguments);
    }
    [[no_unique_address]] F function;
    std::tuple<Args...> arguments;
};

template <class F, class... Args>
using spawned_call = std::conditional_t<sizeof...(Args) == 0, F, bound_call<F, Args...>>;

}  // namespace parley::inline v0::detail
