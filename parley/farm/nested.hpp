// A pipeline as the body of a farm or a lane: each worker takes its item through all of it.
#pragma once

#include <parley/farm/body.hpp>
#include <parley/farm/row.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0::streaming {

// The type of what comes out of these bodies, one after the other. There is none if one of them does not fit.
template <class In, class... Fs>
struct composed {
    using type = In;
};
template <class In, class F, class... Rest>
    requires body_for<F, In>
struct composed<In, F, Rest...> : composed<output_of<F, In>, Rest...> {};
template <class In, class F, class... Rest>
    requires(!body_for<F, In>)
struct composed<In, F, Rest...> {};

template <class... Fs>
class nested {
public:
    // Takes the parts of a pipeline, each of which has a body.
    template <class Pipeline>
        requires requires(Pipeline& p) { p.parts(); }
    explicit nested(Pipeline inner)
        : bodies_(std::apply([](auto&... part) { return std::tuple<Fs...>(std::move(part.body)...); }, inner.parts())) {}

    template <class In, bool IsConst>
    using made_of = typename composed<In, std::conditional_t<IsConst, const Fs, Fs>...>::type;

    template <class In>
    void make(In&& item, row<made_of<In, false>>& out) {
        through<0>(bodies_, std::forward<In>(item), out);
    }
    template <class In>
    void make(In&& item, row<made_of<In, true>>& out) const {
        through<0>(bodies_, std::forward<In>(item), out);
    }

private:
    template <std::size_t I, class Bodies, class In, class Out>
    static void through(Bodies& bodies, In&& item, Out& out) {
        auto& body = std::get<I>(bodies);
        if constexpr (I + 1 == sizeof...(Fs)) {
            apply(body, std::forward<In>(item), out);
        } else {
            row<output_of<std::remove_reference_t<decltype(body)>, In>> between;
            apply(body, std::forward<In>(item), between);
            for (auto& each : between) through<I + 1>(bodies, std::move(each), out);
        }
    }

    std::tuple<Fs...> bodies_;
};

}  // namespace parley::inline v0::streaming
