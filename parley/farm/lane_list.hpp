/// @file
/// Lanes of one type, as many as a container has. So the program may choose their number when it runs.
#pragma once

#include <parley/errors.hpp>
#include <parley/farm/batch_size.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/lane_farm.hpp>
#include <parley/farm/parts.hpp>
#include <parley/farm/schedule.hpp>

#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace streaming {

template <class F>
struct lane_list_part {
    using body = typename lane_body<F>::type;
    template <class In>
    static constexpr bool takes = body_for<body, In>;
    template <class In>
    using output = output_of<body, In>;

    template <class In>
    class node {
    public:
        node(flow& f, lane_list_part& part, arrival order, inlet& next)
            : size_(f.limits().longest_batch, part.options.batch == automatic ? 0 : part.options.batch),
              lanes_(f, order, next) {
            f.add_measure(size_);
            for (F& each : part.bodies) add_lane(lanes_, each, size_);
            lanes_.schedule_by(part.schedule);
        }
        inlet& entry() noexcept { return lanes_; }

    private:
        batch_size size_;
        lane_farm<In, output<In>> lanes_;
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
