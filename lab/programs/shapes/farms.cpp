#include "lab/programs/shapes/farms.hpp"

#include <algorithm>
#include <vector>

#include "lab/peers/streams/schedule.hpp"
#include "lab/programs/farm.hpp"
#include "lab/programs/molecules.hpp"

namespace parley_programs::shapes {
namespace {

using parley::sim::timed::duration;
using parley::sim::timed::microsecond;

// Times that the paper gives for its machine, a Nehalem of two sockets.
constexpr std::uint64_t paper_upto = 7'500;
constexpr duration paper_primes = 280 * microsecond;       // section III-B: 0.28 ms
constexpr duration paper_pairs = 2 * 8'000 * microsecond;  // section III-E1: 8 ms on 2 workers, for so many pairs:
constexpr duration paper_pair = paper_pairs / 68'000;
constexpr duration paper_trials = 2'000;                                // stands for the slow strategy: our default
constexpr duration paper_solution = 70'917 * 1000 * microsecond / 500;  // section III-E2: RRS, half of 1000 tasks

// What count_primes(upto) divides. A number is divided by 2, 3 and so on up to its smallest factor, or to its root.
std::uint64_t divisions(std::uint64_t upto) {
    std::vector<std::uint32_t> smallest(upto + 1, 0);
    for (std::uint64_t p = 2; p * p <= upto; ++p) {
        if (smallest[p] != 0) continue;
        for (std::uint64_t multiple = p * p; multiple <= upto; multiple += p) {
            if (smallest[multiple] == 0) smallest[multiple] = static_cast<std::uint32_t>(p);
        }
    }
    std::uint64_t sum = 0, root = 1;
    for (std::uint64_t candidate = 2; candidate <= upto; ++candidate) {
        while ((root + 1) * (root + 1) <= candidate) ++root;
        sum += (smallest[candidate] != 0 ? smallest[candidate] : root) - 1;
    }
    return sum;
}

duration time_of(const lane_work& work) {
    const auto times = static_cast<duration>(work.times);
    const auto sleeps = static_cast<duration>(work.sleeps) * microsecond;
    if (work.upto == 0) return sleeps;
    static const auto in_paper = static_cast<duration>(divisions(paper_upto));
    // No time at all would make a speed infinite.
    return std::max<duration>(1, paper_primes * static_cast<duration>(divisions(work.upto)) / in_paper) * times + sleeps;
}

duration time_of(std::uint64_t trials) { return paper_solution / paper_trials * static_cast<duration>(trials); }

farm_shape molecules_of(const json& parameters) {
    farm_shape shape;
    shape.items = molecules(parameters.at("side").get<unsigned>()).pairs().size();
    shape.streams = parameters.at("steps").get<std::uint64_t>();
    shape.lanes = parameters.at("lanes").get<std::size_t>();
    shape.item = shape.last = paper_pair;
    return shape;
}

farm_shape pool_of(const json& parameters) {
    farm_shape shape;
    shape.items = parameters.at("n").get<std::uint64_t>();
    shape.pool = std::min(parameters.at("pool").get<std::uint64_t>(), shape.items);
    shape.ordered = false;
    shape.lanes = parameters.at("lanes").get<std::size_t>();
    shape.item = time_of(parameters.at("trials").get<std::uint64_t>());
    shape.last = time_of(parameters.at("fast").get<std::uint64_t>());
    return shape;
}

}  // namespace

const std::vector<std::string>& farm_names() {
    static const std::vector<std::string> all{"farm-uniform", "farm-fast", "farm-slow",
                                              "farm-sleep",   "farm-md",   "farm-pool"};
    return all;
}

farm_shape farm_of(std::string_view program, const json& parameters) {
    if (program == "farm-md") return molecules_of(parameters);
    if (program == "farm-pool") return pool_of(parameters);
    const farm_plan plan = farm_plan::of(parameters);
    farm_shape shape;
    shape.items = plan.stream.items;
    shape.ordered = plan.stream.ordered;
    shape.lanes = plan.stream.lanes;
    shape.item = time_of(plan.others);
    shape.last = time_of(plan.of_lane(plan.stream.lanes - 1));
    shape.sleeps = plan.stream.blocks;
    return shape;
}

parley::any_schedule schedule_of(const json& parameters) {
    return parley_peers::schedule_of(parameters.at("schedule").get<std::string>(), parameters.at("depth").get<std::size_t>(),
                                     parameters.at("chunk").get<std::size_t>());
}

}  // namespace parley_programs::shapes
