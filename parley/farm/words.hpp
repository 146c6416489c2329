/// @file
/// The words of streams: source, stage, farm, sink.
#pragma once

#include <parley/farm/lane_list.hpp>
#include <parley/farm/nested.hpp>
#include <parley/farm/parts.hpp>
#include <parley/farm/pipeline.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace streaming {

template <class F>
concept generator = requires(F& f) {
    { f() };
    requires std::same_as<std::remove_cvref_t<decltype(f())>,
                          std::optional<typename std::remove_cvref_t<decltype(f())>::value_type>>;
};

template <class Part>
    requires std::is_object_v<Part>
chain<Part> chain_of(Part&& part) {
    return chain<Part>(std::tuple<Part>(std::move(part)));
}

// A body is used as it is. A pipeline of stages and farms becomes one body.
template <class F>
struct body_from {
    using type = F;
};
template <class... Parts>
struct body_from<chain<Parts...>> {
    using type = nested<decltype(Parts::body)...>;
};
template <class F>
using body_of = typename body_from<std::decay_t<F>>::type;

}  // namespace streaming

/// Makes a source of the elements of a range, each once, in order. They are copied from an lvalue, and moved out of a
/// container that is moved in. Coroutines that are ranges (std::generator and its like) count as ranges.
template <std::ranges::viewable_range Range>
    requires std::ranges::input_range<Range> && (!streaming::generator<std::remove_cvref_t<Range>>)
auto source(Range&& range) {
    using view = std::views::all_t<Range>;
    using from = streaming::range_source<view>;
    return streaming::chain_of(streaming::source_part<from>{from(std::views::all(std::forward<Range>(range)))});
}

/// Makes a source of what a callable returns, until it returns std::nullopt. One worker at a time calls it. An item
/// goes on when its batch is full or has taken some microseconds. If the callable waits for others (a read, a pull()),
/// put a farm with {.batch = 1} behind it. Otherwise its items wait for the next one.
template <class F>
    requires streaming::generator<std::remove_cvref_t<F>>
auto source(F&& next) {
    using from = streaming::generator_source<std::decay_t<F>>;
    return streaming::chain_of(streaming::source_part<from>{from(std::forward<F>(next))});
}

/// Makes a serial stage: body(item) for one item after the other, in order or as they come. The result goes on. A
/// std::optional goes on only if it has a value. emitter.hpp says how a stage makes many items of one.
template <class F>
auto stage(sequence order, F&& body) {
    return streaming::chain_of(streaming::stage_part<std::decay_t<F>>{std::forward<F>(body), order});
}
/// Makes a serial stage whose items come in order.
template <class F>
auto stage(F&& body) {
    return stage(ordered, std::forward<F>(body));
}

/// Makes a farm, which handles any number of items at a time: several workers call body(item) at once, as a const
/// object. Batches of items are tasks, which idle workers steal. With another schedule items go one by one to so many
/// lanes, which share the body.
///
/// The body may be a pipeline of stages and farms. Then each worker takes its item through all of it. Bodies of stages
/// are shared, too, and the options of the farms inside mean nothing.
template <class F>
auto farm(F&& body, farm_options options = {}) {
    using part = streaming::farm_part<streaming::body_of<F>>;
    return streaming::chain_of(part{streaming::body_of<F>(std::forward<F>(body)), std::move(options)});
}

/// Makes a lane with a thread of its own, for a body that blocks: no worker waits with it.
template <class F>
auto own_thread(F&& body) {
    return own_thread_lane<streaming::body_of<F>>{streaming::body_of<F>(std::forward<F>(body))};
}

/// Lanes are workers with a state of their own, or of different kinds. Each handles one item at a time, in the order in
/// which it gets them. A lane may be a pipeline of stages and farms, and then takes each item through all of it.
template <class... Fs>
    requires(sizeof...(Fs) > 0)
struct lanes {
    /// Makes one lane for each of these, in this order.
    explicit lanes(Fs... f) : bodies(streaming::body_of<Fs>(std::move(f))...) {}
    /// what the lanes do
    std::tuple<streaming::body_of<Fs>...> bodies;
};

/// Makes a farm of lanes. The schedule decides, item by item, which of them gets it (lane_schedule).
template <class... Fs>
auto farm(lanes<Fs...> workers, any_schedule schedule = work_stealing{}, lanes_options options = {}) {
    return streaming::chain_of(
        streaming::lanes_part<streaming::body_of<Fs>...>{std::move(workers.bodies), std::move(schedule), options});
}

/// Makes a farm of lanes of one type, as many as the vector has. Throws usage_error at run() if it has none.
template <class F>
auto farm(std::vector<F> workers, any_schedule schedule = work_stealing{}, lanes_options options = {}) {
    return streaming::chain_of(streaming::lane_list_part<F>{std::move(workers), std::move(schedule), options});
}

/// Makes a sink, the end of a stream: handler(item) for one item after the other, in order unless unordered. The
/// handler may be an output iterator.
template <class H>
auto sink(sequence order, H&& handler) {
    return streaming::chain_of(streaming::sink_part<std::decay_t<H>>{std::forward<H>(handler), order});
}
/// Makes a sink that gets items in order.
template <class H>
auto sink(H&& handler) {
    return sink(ordered, std::forward<H>(handler));
}

}  // namespace parley::inline v0
