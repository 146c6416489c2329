// The farms of Moniruzzaman and Idrees (2015), section III: items that take equally long, on lanes that are equally
// fast or not.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/peers/streams/plan.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// How many primes there are up to `limit`: the paper's task. By trial division, as far as the root.
[[nodiscard]] std::uint64_t count_primes(std::uint64_t limit);

// What a lane does with an item.
struct lane_work {
    std::uint64_t upto = 0;    // counts the primes up to there,
    std::uint64_t times = 1;   // so often,
    std::uint64_t sleeps = 0;  // and sleeps so many microseconds

    // What one item has come to.
    [[nodiscard]] std::uint64_t operator()() const;
};

// A farm whose last lane is another one than the others.
struct farm_plan {
    parley_peers::stream_plan stream;
    lane_work others, last;

    [[nodiscard]] static farm_plan of(const json& parameters);
    [[nodiscard]] const lane_work& of_lane(unsigned lane) const noexcept {
        return lane + 1 == stream.lanes && lane > 0 ? last : others;
    }
};

// What a stream has come to, item by item.
struct collected {
    std::uint64_t items = 0;
    bool in_order = true;
};

template <class S>
class farm {
public:
    farm(const farm_plan& plan, typename S::pool& pool) : plan_(plan), pool_(pool) {}

    collected operator()() {
        struct result {
            std::uint64_t item = 0;
            std::uint64_t value = 0;
        };
        collected all;
        S::template stream<result>(
            pool_, plan_.stream, [this](unsigned lane, std::uint64_t item) { return result{item, plan_.of_lane(lane)()}; },
            [&all](const result& r) {
                all.in_order = all.in_order && r.item == all.items;
                all.items += r.value != 0 ? 1 : 0;
            });
        return all;
    }

private:
    farm_plan plan_;
    typename S::pool& pool_;
};

}  // namespace parley_programs::inline v0
