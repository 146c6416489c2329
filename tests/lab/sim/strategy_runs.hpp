// Runs and explorations of workers whose strategies are values. They are compiled once, for the tests of both protocols.
#pragma once

#include "tests/build_kind.hpp"
#include "tests/lab/sim/runs.hpp"

#include <lab/sim/chosen_victims.hpp>
#include <lab/sim/explorer.hpp>
#include <lab/sim/strategies.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sim_tests {

using scheduled = sim::any_worker<parley::protocol::random_victims>;
using explored = sim::any_worker<sim::chosen_victims>;

using parley_tests::is_slow;

std::string test_name(const testing::TestParamInfo<sim::strategies>& how);

// A failure says how to run it again.
void expect_no_failure(const sim::strategies& how, const sim::program& p, std::uint32_t workers, std::uint64_t seed,
                       std::optional<aim> aimed = {});

// `limits`: what the scene leaves open.
sim::exploration explored_in(const std::string& scene, const sim::strategies& how, sim::exploration_limits limits);
void expect_right(const std::string& scene, const sim::strategies& how, sim::state_id states);

}  // namespace sim_tests
