// Exploring what is broken.
#pragma once

#include "tests/lab/sim/runs.hpp"

#include <lab/sim/explorer.hpp>
#include <lab/sim/replay.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sim_tests {

struct outcome {
    std::string invariant;
    bool is_without_end = false;
};

// Explores and follows the way to what was found once more, which must lead to the same.
template <class Machine, class Medium, class Simulation = sim::simulation<Machine, Medium>>
outcome found_in(const typename Simulation::program_type& p, const sim::exploration_limits& limits,
                 const sim::settings& set) {
    const sim::exploration r = sim::explorer<Machine, Medium, Simulation>(p, set, limits).run();
    if (!r.found) return {};
    sim::replay<Machine, Medium, Simulation> again(p, set, limits.open);
    std::string seen;
    try {
        again.make(r.found->moves);
        again.check_end();
        if (!r.found->for_ever.empty()) seen = sim::what_never_happens(again.now()).invariant;
        const auto turn = again.steps();
        again.make(r.found->for_ever);
        EXPECT_TRUE(r.found->for_ever.empty() || again.steps() > turn);
    } catch (const sim::violation& v) {
        seen = v.invariant;
    }
    EXPECT_EQ(seen, r.found->invariant);
    EXPECT_FALSE(again.text().empty());
    return {r.found->invariant, !r.found->for_ever.empty()};
}

}  // namespace sim_tests
