// Lanes of one type, as many as a container has: where their number is known when the program runs.
#pragma once

#include <parley/base/errors.hpp>
#include <parley/farm/batch_size.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/lane.hpp>
#include <parley/farm/lane_farm.hpp>
#include <parley/farm/parts.hpp>
#include <parley/farm/schedule.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace streaming {

template <class F>
struct lane_list_part {
    using kind = lane_body<F>;
    using call = typename kind::type;
    template <class In>
    static constexpr bool takes = maps<call, In> || expands<call, In>;
    template <class In>
    using output = output_of<call, In>;

    template <class In>
    class node {
    public:
        using out = output<In>;

        node(flow& f, lane_list_part& part, arrival order, inlet& next)
            : size_(f.limits().longest_batch, part.options.batch == automatic ? 0 : part.options.batch),
              lanes_(f, order, next) {
            f.add_measure(size_);
            for (F& body : part.bodies) add(body);
            lanes_.schedule_by(part.schedule);
        }
        inlet& entry() noexcept { return lanes_; }

    private:
        void add(F& body) {
            lanes_.add_lane([&](flow& in, lane_owner<In, out>& owner) -> std::unique_ptr<lane<In, out>> {
                // Where everything is to happen on one thread, so do these.
                if (kind::has_thread && !in.home().serial())
                    return std::make_unique<thread_lane<In, out, call>>(in, owner, kind::of(body));
                return std::make_unique<pool_lane<In, out, call>>(in, owner, kind::of(body), size_);
            });
        }

        batch_size size_;
        lane_farm<In, out> lanes_;
    };

    [[nodiscard]] needs asks() const {
        require_some(bodies.size(), "lanes");
        require_some(options.batch, "items per batch");
        return {schedule.least_tokens(), bodies.size(), options.batch};
    }
    [[nodiscard]] arrival next(arrival before) const noexcept { return after(before, options.order); }

    std::vector<F> bodies;
    any_schedule schedule;
    lanes_options options;
};

}  // namespace streaming

}  // namespace parley::inline v0
