/// @file
/// A pipeline: parts in a row, and the network of nodes that a run makes of them.
#pragma once

#include <parley/errors.hpp>
#include <parley/farm/actor.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parts.hpp>
#include <parley/runtime.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// The options of a run.
struct run_options {
    /// How many items may be under way, from the source to the end of the sink; 2^24 at most. `automatic` means 16
    /// batches per worker.
    std::size_t tokens = automatic;
    /// Stops the source. Items that are under way still come to the sink.
    std::stop_token stop = {};
};

/// What a run has done.
struct run_report {
    std::uint64_t items = 0;  ///< the number of items that the source has made
    bool stopped = false;     ///< has it stopped before its end: by the token, or because its pull end was closed?
};

namespace streaming {

template <class Part>
inline constexpr bool is_source = false;
template <class Source>
inline constexpr bool is_source<source_part<Source>> = true;
template <class Part>
inline constexpr bool is_sink = false;
template <class H>
inline constexpr bool is_sink<sink_part<H>> = true;

// The type that comes out of these parts if In goes in. `mismatch`: one of them does not take what the one before
// makes.
struct mismatch {};
template <class In, class... Parts>
struct through {
    using type = In;
};
template <class In, class Part, class... Rest>
struct through<In, Part, Rest...> {
    static auto result() {
        if constexpr (std::same_as<In, mismatch> || std::same_as<In, nothing>) return std::type_identity<mismatch>{};
        else if constexpr (Part::template takes<In>)
            return std::type_identity<typename through<typename Part::template output<In>, Rest...>::type>{};
        else return std::type_identity<mismatch>{};
    }
    using type = typename decltype(result())::type;
};

// The nodes of the parts. The last one is made first, because each one knows the next.
template <class In, class... Parts>
class network {
public:
    network(flow&, arrival, inlet* last) noexcept : last_(last) {}
    inlet& entry() noexcept { return *last_; }

private:
    inlet* last_;
};

template <class In, class Part, class... Rest>
class network<In, Part, Rest...> {
public:
    network(flow& f, arrival order, inlet* last, Part& part, Rest&... rest)
        : rest_(f, part.next(order), last, rest...), node_(f, part, order, rest_.entry()) {}
    inlet& entry() noexcept { return node_.entry(); }
    void begin() { rest_.begin(); }

private:
    network<typename Part::template output<In>, Rest...> rest_;
    typename Part::template node<In> node_;
};

template <class In, class Part>
    requires is_sink<Part>
class network<In, Part> {
public:
    network(flow& f, arrival order, inlet*, Part& part) : node_(f, part, order) {}
    inlet& entry() noexcept { return node_.entry(); }
    // Called when all nodes and the source are there. What begins here may be used by other threads at once.
    void begin() {
        if constexpr (requires { node_.begin(); }) node_.begin();
    }

private:
    typename Part::template node<In> node_;
};

// Nobody needs more tokens. The rings have a place of 8 bytes for each.
inline constexpr std::size_t most_tokens = std::size_t{1} << 24;
static_assert(most_tokens <= sync::credits::limit);

// The default number of batches. While the first item in order is not done, workers go on with those behind it. One
// worker may be six times as fast as another, or be away for a while. With 16 batches nothing was lost then, with 4 a
// third.
inline constexpr std::size_t batches_per_worker = 16;

inline void require_at_most(std::size_t tokens, std::size_t most, const std::string& who) {
    if (tokens > most) throw usage_error("parley: " + who + ": at most " + std::to_string(most) + " are possible");
}

inline bounds bounds_for(std::size_t tokens, const needs& asked, std::size_t workers) {
    const std::size_t width = std::max(workers, asked.width);
    bounds b;
    b.fixed_batch = asked.batch == automatic ? 0 : asked.batch;
    require_at_most(b.fixed_batch, most_tokens, "a batch of " + std::to_string(b.fixed_batch) + " items");
    require_at_most(width, most_tokens / batches_per_worker, "a farm with " + std::to_string(width) + " lanes");
    if (tokens == 0) throw usage_error("parley: run({.tokens = 0}): nothing could be under way");
    if (tokens != automatic && tokens < asked.tokens)
        throw usage_error("parley: run({.tokens = " + std::to_string(tokens) + "}): a scheduler needs " +
                          std::to_string(asked.tokens) +
                          "; adaptive_round_robin never sees unequal lanes with fewer tokens than 2 x chunk");
    if (tokens == automatic && asked.tokens == 1) {
        b.per_batch = true;
        b.tokens = batches_per_worker * width;
        b.longest_batch = longest_batch;
        if (b.fixed_batch != 0) b.longest_batch = std::max(b.longest_batch, b.fixed_batch);
    } else {
        b.tokens = tokens == automatic ? asked.tokens : tokens;
        require_at_most(b.tokens, most_tokens, "a stream with " + std::to_string(b.tokens) + " tokens");
        // Four batches for each worker. Eight in all are enough if items are so short that eight of them take no longer
        // than a batch should.
        const std::size_t most = std::max<std::size_t>(b.tokens / 4 / width, std::min<std::size_t>(b.tokens / 8, 8));
        b.longest_batch = std::clamp<std::size_t>(most, 1, longest_batch);
        if (b.fixed_batch != 0) b.longest_batch = std::max(b.longest_batch, std::min<std::size_t>(b.fixed_batch, b.tokens));
    }
    return b;
}

}  // namespace streaming

/// A part of a pipeline takes items of this type.
template <class Part, class In>
concept takes_items_of = Part::template takes<In>;

/// A pipeline: parts in a row. It can run if it has a source in front and a sink at the end. Otherwise it can become a
/// part of others. Functions and containers are moved or copied into the chain (std::ref for others'). Nothing happens
/// before run().
template <class... Parts>
class [[nodiscard("nothing happens before run()")]] chain {
public:
    /// source(), stage(), farm(), sink() and the operator | call this.
    explicit chain(std::tuple<Parts...> parts) : parts_(std::move(parts)) {}

    /// Does it begin with a source?
    static constexpr bool has_source = streaming::is_source<std::tuple_element_t<0, std::tuple<Parts...>>>;
    /// Does it end with a sink?
    static constexpr bool has_sink = streaming::is_sink<std::tuple_element_t<sizeof...(Parts) - 1, std::tuple<Parts...>>>;

    /// Returns its parts, for the operator |.
    [[nodiscard]] std::tuple<Parts...>& parts() noexcept { return parts_; }

    /// Works until the source has ended and all its items have come through the sink. The caller works, too: as a task
    /// if it is in one, or else as worker 0 of the default runtime.
    ///
    /// Throws the first exception of any part, after all items under way have been destroyed. Throws `cancelled` if the
    /// runtime was cancelled, and usage_error for bounds that cannot work. It may be called again, and functions go on
    /// with their state, but not twice at a time.
    run_report run(const run_options& how = {})
        requires has_source && has_sink
    {
        return run_in(detail::this_pool(), how);
    }
    /// Runs in `home`.
    run_report run(runtime& home, const run_options& how = {})
        requires has_source && has_sink
    {
        return run_in(detail::pool_of(home), how);
    }

private:
    run_report run_in(threading::pool& home, const run_options& how) {
        // Called in any case, because the run may be refused or cancelled before there is any node.
        const struct at_end {
            chain& mine;
            ~at_end() {
                std::apply([](auto& source, auto&... rest) { tell_not_running(source, rest...); }, mine.parts_);
            }
        } until_end{*this};
        return detail::enter_and_run(home, [&](threading::worker& self) {
            return std::apply([&](auto& source, auto&... rest) { return run_parts(self, how, source, rest...); }, parts_);
        });
    }

    // Tells those who wait for this run that nothing more comes of it.
    template <class Source, class... Rest>
    static void tell_not_running(streaming::source_part<Source>& source, Rest&... rest) noexcept {
        const auto tell = [](auto& part) {
            if constexpr (requires { part.not_running(); }) part.not_running();
        };
        (tell(rest), ...);
        tell(source.from);
    }

    template <class Source, class... Rest>
    static run_report run_parts(threading::worker& self, const run_options& how, streaming::source_part<Source>& source,
                                Rest&... rest) {
        using namespace streaming;
        needs asked;
        (asked.also(rest.asks()), ...);
        self.poll();  // a cancelled runtime begins nothing
        self.home().start_threads();
        flow f(self, bounds_for(how.tokens, asked, self.home().size()));
        // It outlives the other nodes: until a sink has let go of those who pull, they may wake it.
        std::optional<source_node<Source>> first;
        network<typename Source::item, Rest...> nodes(f, arrival::numbered, nullptr, rest...);
        first.emplace(f, source.from, nodes.entry(), how.stop);
        nodes.begin();
        const std::stop_callback on_stop(how.stop, [&first] { first->wake(); });
        first->wake();
        f.wait();
        return {first->items(), first->was_stopped()};
    }

    std::tuple<Parts...> parts_;
};

namespace streaming {

template <class Left, class Right>
struct joined;
template <class... A, class... B>
struct joined<chain<A...>, chain<B...>> {
    using type = chain<A..., B...>;
    static constexpr bool in_place = !chain<A...>::has_sink && !chain<B...>::has_source;

    template <class First, class... Rest>
    static constexpr bool fits(std::type_identity<std::tuple<First, Rest...>>) {
        if constexpr (is_source<First>)
            return !std::same_as<typename through<typename First::item, Rest...>::type, mismatch>;
        else return true;  // seen when the source is there
    }
    static constexpr bool fit = fits(std::type_identity<std::tuple<A..., B...>>{});
};

}  // namespace streaming

/// Can the parts of the right chain take what comes out of the left one?
template <class Left, class Right>
concept can_continue = streaming::joined<Left, Right>::in_place && streaming::joined<Left, Right>::fit;

/// Joins the parts of `left` and those of `right`. Compiles if each takes what the one before gives out.
template <class... A, class... B>
    requires can_continue<chain<A...>, chain<B...>>
auto operator|(chain<A...> left, chain<B...> right) {
    return chain<A..., B...>(std::tuple_cat(std::move(left.parts()), std::move(right.parts())));
}

}  // namespace parley::inline v0
