/// @file
/// The parts of a pipeline. Each word makes a part, which knows what it takes, what it gives out, and its node.
#pragma once

#include <parley/errors.hpp>
#include <parley/farm/actor.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/collector.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/lane_farm.hpp>
#include <parley/farm/on_demand.hpp>
#include <parley/farm/schedule.hpp>
#include <parley/farm/source.hpp>
#include <parley/farm/worker.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// Do the results of a stage go on in the order of their items?
enum class sequence : std::uint8_t { ordered, unordered };
using enum sequence;

/// A number that the runtime chooses.
inline constexpr std::size_t automatic = ~std::size_t{0};

/// The options of a farm with one body.
struct farm_options {
    std::size_t workers = automatic;          ///< at most so many at once; with a scheduler: the number of lanes
    any_schedule schedule = work_stealing{};  ///< chooses the lane of the next item; work_stealing has no lanes
    sequence order = ordered;                 ///< do results go on in the order of their items?
    std::size_t batch = automatic;            ///< items per task
};

/// The options of a farm of lanes.
struct lanes_options {
    sequence order = ordered;       ///< do results go on in the order of their items?
    std::size_t batch = automatic;  ///< items that a lane gets at a time
};

/// A lane with a thread of its own, for a body that blocks: see own_thread().
template <class F>
struct own_thread_lane {
    F body;  ///< what the lane does with an item
};

namespace streaming {

// The requirements of a pipeline's parts before it runs.
struct needs {
    std::size_t tokens = 1;
    std::size_t width = 1;  // in lanes
    std::size_t batch = automatic;

    void also(const needs& other) noexcept {
        tokens = std::max(tokens, other.tokens);
        width = std::max(width, other.width);
        batch = std::min(batch, other.batch);
    }
};

inline void require_some(std::size_t n, const char* what) {
    if (n == 0) throw usage_error(std::string("parley: a farm with 0 ") + what);
}

inline arrival after(arrival before, sequence order) noexcept {
    return before == arrival::numbered && order == unordered ? arrival::any : before;
}
inline arrival after_serial(arrival before) noexcept { return before == arrival::round_trip ? before : arrival::numbered; }

// --- source --------------------------------------------------------------------------------------
template <class Source>
struct source_part {
    using item = typename Source::item;
    Source from;
};

// --- stage ---------------------------------------------------------------------------------------
template <class F>
struct stage_part {
    template <class In>
    static constexpr bool takes = body_for<F, In>;
    template <class In>
    using output = output_of<F, In>;

    template <class In>
    class node {
    public:
        node(flow& f, stage_part& part, arrival order, inlet& next)
            : node_(f, part.body, part.order == unordered && order == arrival::numbered ? arrival::any : order, next) {}
        inlet& entry() noexcept { return node_; }

    private:
        stage_node<In, F> node_;
    };

    [[nodiscard]] needs asks() const noexcept { return {}; }
    [[nodiscard]] arrival next(arrival before) const noexcept { return after_serial(before); }

    F body;
    sequence order;
};

// --- farm ----------------------------------------------------------------------------------------
template <class F>
struct farm_part {
    template <class In>
    static constexpr bool takes = body_for<const F, In>;
    template <class In>
    using output = output_of<const F, In>;

    template <class In>
    class node {
    public:
        node(flow& f, farm_part& part, arrival order, inlet& next) {
            const farm_options& o = part.options;
            const std::size_t batch = o.batch == automatic ? 0 : o.batch;
            if (part.has_no_lanes()) {
                const bool is_bounded = o.workers != automatic;
                // Batches that wait then queue up. As tasks the newest would be done first, and the results of all
                // others would wait for it, with all tokens.
                const bool in_order = order == arrival::numbered && o.order == ordered;
                // A bound of as many as there are workers is a bound, too: while a body waits, its worker may begin
                // other tasks.
                stolen_.emplace(f, part.body,
                                is_bounded ? o.workers
                                : in_order ? f.home().size()
                                           : 0,
                                !is_bounded, batch, next);
                return;
            }
            using out = output<In>;
            size_.emplace(f.limits().longest_batch, batch);
            f.add_measure(*size_);
            lanes_.emplace(f, order, next);
            for (std::size_t i = 0; i < part.lanes(f.home().size()); ++i)
                lanes_->add_lane([&](flow& in, lane_owner<In, out>& owner) {
                    return std::make_unique<pool_lane<In, out, const F>>(in, owner, part.body, *size_);
                });
            lanes_->schedule_by(o.schedule);
        }
        inlet& entry() noexcept {
            if (stolen_) return *stolen_;
            return *lanes_;
        }

    private:
        std::optional<batch_size> size_;
        std::optional<farm_node<In, F>> stolen_;
        std::optional<lane_farm<In, output<In>>> lanes_;
    };

    [[nodiscard]] bool has_no_lanes() const noexcept { return options.schedule.template is<work_stealing>(); }
    [[nodiscard]] std::size_t lanes(std::size_t workers) const noexcept {
        return options.workers == automatic ? workers : options.workers;
    }
    [[nodiscard]] needs asks() const {
        require_some(options.workers, "workers");
        require_some(options.batch, "items per batch");
        return {options.schedule.least_tokens(), has_no_lanes() ? 1 : lanes(1), options.batch};
    }
    [[nodiscard]] arrival next(arrival before) const noexcept { return after(before, options.order); }

    F body;
    farm_options options;
};

// --- farm of lanes -------------------------------------------------------------------------------
template <class F>
struct lane_body {
    using type = F;
    static F& of(F& f) noexcept { return f; }
    static constexpr bool has_thread = false;
};
template <class F>
struct lane_body<own_thread_lane<F>> {
    using type = F;
    static F& of(own_thread_lane<F>& l) noexcept { return l.body; }
    static constexpr bool has_thread = true;
};

template <class In, class Out, class F>
void add_lane(lane_farm<In, Out>& lanes, F& f, batch_size& size) {
    using kind = lane_body<F>;
    using call = typename kind::type;
    lanes.add_lane([&](flow& in, lane_owner<In, Out>& owner) -> std::unique_ptr<lane<In, Out>> {
        // With options::serial everything happens on one thread, and so does this.
        if (kind::has_thread && !in.home().serial())
            return std::make_unique<thread_lane<In, Out, call>>(in, owner, kind::of(f));
        return std::make_unique<pool_lane<In, Out, call>>(in, owner, kind::of(f), size);
    });
}

template <class First, class... Rest>
struct lanes_part {
    template <class F>
    using body = typename lane_body<F>::type;
    template <class F, class In>
    static constexpr bool one_takes = body_for<body<F>, In>;
    template <class In>
    using output = output_of<body<First>, In>;
    template <class In>
    static constexpr bool same_output() {
        if constexpr (one_takes<First, In> && (one_takes<Rest, In> && ...))
            return (std::same_as<output_of<body<Rest>, In>, output<In>> && ...);
        else return false;
    }
    template <class In>
    static constexpr bool takes = same_output<In>();

    template <class In>
    class node {
    public:
        using out = output<In>;

        node(flow& f, lanes_part& part, arrival order, inlet& next)
            : size_(f.limits().longest_batch, part.options.batch == automatic ? 0 : part.options.batch),
              lanes_(f, order, next) {
            f.add_measure(size_);
            std::apply([&](auto&... each) { (add_lane(lanes_, each, size_), ...); }, part.bodies);
            lanes_.schedule_by(part.schedule);
        }
        inlet& entry() noexcept { return lanes_; }

    private:
        batch_size size_;
        lane_farm<In, out> lanes_;
    };

    [[nodiscard]] needs asks() const {
        require_some(options.batch, "items per batch");
        return {schedule.least_tokens(), 1 + sizeof...(Rest), options.batch};
    }
    [[nodiscard]] arrival next(arrival before) const noexcept { return after(before, options.order); }

    std::tuple<First, Rest...> bodies;
    any_schedule schedule;
    lanes_options options;
};

// --- sink ----------------------------------------------------------------------------------------
struct nothing {};  // the output of a sink

template <class H>
struct sink_part {
    template <class In>
    static constexpr bool takes = sink_call<H, In> || sink_iterator<H, In>;
    template <class In>
    using output = nothing;

    template <class In>
    class node {
    public:
        node(flow& f, sink_part& part, arrival order)
            : node_(f, part.handler, part.order == unordered && order == arrival::numbered ? arrival::any : order) {}
        inlet& entry() noexcept { return node_; }

    private:
        sink_node<In, H> node_;
    };

    [[nodiscard]] needs asks() const noexcept { return {}; }

    H handler;
    sequence order;
};

}  // namespace streaming

}  // namespace parley::inline v0
