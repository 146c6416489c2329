// Tasks for ranks in virtual time.
#pragma once

#include <lab/sim/virtual_ranks.hpp>
#include <parley/detail/base/rng.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace cluster_tests {

using namespace parley::cluster;
using namespace parley::sim;
using parley::base::rng;

inline double fraction(rng& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

// Rank r brings up to 20 tasks of up to 2 ms each, every third rank none.
inline virtual_work uneven(position ranks, std::uint64_t seed) {
    virtual_work w;
    w.ranks = ranks;
    w.seed = seed;
    w.tasks = [seed](position r) {
        rng random(seed * 1000 + r);
        std::vector<virtual_task> mine(r % 3 == 1 ? 0 : random.below(20));
        for (virtual_task& t : mine) {
            t.owner = r;
            t.seconds = 2e-3 * fraction(random);
        }
        return mine;
    };
    return w;
}

inline std::uint64_t brought(const virtual_work& w) {
    std::uint64_t n = 0;
    for (position r = 0; r < w.ranks; ++r) n += w.tasks(r).size();
    return n;
}

// As DLB_Bench spreads it: the ranks in the middle have most.
inline virtual_work gaussian(position ranks, int tasks, double mean_work) {
    virtual_work w;
    w.ranks = ranks;
    double all = 0.0;
    const auto height = [ranks](position r) {
        const double x = (r + 0.5) / ranks - 0.5;
        return std::exp(-x * x / (2 * 0.125 * 0.125));
    };
    for (position r = 0; r < ranks; ++r) all += height(r);
    w.tasks = [=](position r) {
        const double seconds = mean_work * ranks * height(r) / all / tasks;
        return std::vector<virtual_task>(static_cast<std::size_t>(tasks), virtual_task{.owner = r, .seconds = seconds});
    };
    return w;
}

}  // namespace cluster_tests
