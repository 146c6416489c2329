// The protocol under thousands of seeded schedules: every step and every end is checked against the
// invariants (lab/sim/invariants.hpp).
#include "tests/lab/sim/runs.hpp"

#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace sim = parley::sim;
namespace trees = parley::sim::trees;
using namespace sim_tests;

// Per case. Soak: PARLEY_SIM_SEEDS=100000.
constexpr std::uint64_t usual_seeds = 30;  // 210 cases
constexpr std::uint64_t aimed_seeds = 2;   // 117 cases of 28

struct shape {
    const char* name;
    sim::program (*make)(std::uint64_t seed);
};
void PrintTo(const shape& s, std::ostream* out) { *out << s.name; }

template <sim::program (*Make)()>
sim::program fixed(std::uint64_t) {
    return Make();
}

const shape shapes[] = {
    {"empty", fixed<trees::empty>},
    {"chain", [](std::uint64_t) { return trees::chain(); }},
    {"wide", [](std::uint64_t) { return trees::wide(); }},
    {"binary", [](std::uint64_t) { return trees::binary(); }},
    {"producer_consumer", [](std::uint64_t) { return trees::producer_consumer(); }},
    {"nested_joins", fixed<trees::nested_joins>},
    {"barrier_twice", fixed<trees::barrier_twice>},
    {"barrier_with_nothing_to_do", fixed<trees::barrier_with_nothing_to_do>},
    {"left_behind", fixed<trees::left_behind>},
    {"jobs_alone", fixed<trees::jobs_alone>},
    {"jobs_in_barrier", [](std::uint64_t seed) { return trees::jobs_in_barrier(20 * (seed % 8)); }},
    {"jobs_beside", fixed<trees::jobs_beside>},
    {"cancelled", fixed<trees::cancelled>},
    {"any", trees::any},
    {"resized", trees::resized},
};

enum class strategy { one, half, adaptive };
const char* name_of(strategy s) { return s == strategy::one ? "one" : s == strategy::half ? "half" : "adaptive"; }
void PrintTo(strategy s, std::ostream* out) { *out << name_of(s); }

result run_with(strategy s, const sim::program& p, std::uint32_t workers, std::uint64_t seed, std::size_t log = 0,
                std::optional<aim> aimed = {}) {
    namespace protocol = parley::protocol;
    switch (s) {
        case strategy::one: return run<machine<protocol::steal_one>>(p, workers, seed, log, aimed);
        case strategy::half: return run<machine<protocol::steal_half>>(p, workers, seed, log, aimed);
        default: return run<machine<protocol::steal_adaptive>>(p, workers, seed, log, aimed);
    }
}

// Runs the seeds of one case; the first that fails is run again with its last steps in words.
void expect_no_failure(strategy how, sim::program (*make)(std::uint64_t), std::uint32_t workers, std::uint64_t usual,
                       std::optional<aim> aimed = {}) {
    std::uint64_t steps = 0;
    for (const std::uint64_t seed : seeds(usual)) {
        const sim::program p = make(seed);
        const result r = run_with(how, p, workers, seed, 0, aimed);
        steps += r.steps;
        if (r.invariant.empty()) continue;
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        FAIL() << run_with(how, p, workers, seed, steps_to_print(), aimed).log << r.what
               << "\nAgain: PARLEY_SIM_SEED=" << seed << " tests/test_sim --gtest_filter=" << test->test_suite_name() << '.'
               << test->name();
    }
    testing::Test::RecordProperty("steps", std::to_string(steps));
}

using parameters = std::tuple<std::uint32_t, strategy, shape>;
class Schedules : public testing::TestWithParam<parameters> {};

std::string name_of_case(const testing::TestParamInfo<parameters>& info) {
    const auto& [workers, how, what] = info.param;
    return std::to_string(workers) + "_" + name_of(how) + "_" + what.name;
}

TEST_P(Schedules, KeepEveryInvariant) {
    const auto& [workers, how, what] = GetParam();
    expect_no_failure(how, what.make, workers, usual_seeds);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Schedules,
                         testing::Combine(testing::Values(1u, 2u, 3u, 4u, 5u),
                                          testing::Values(strategy::one, strategy::half, strategy::adaptive),
                                          testing::ValuesIn(shapes)),
                         name_of_case);

// The same with agents stalled where it may hurt: after one kind of step.
using aimed_parameters = std::tuple<sim::operation, std::uint32_t>;
class AimedStalls : public testing::TestWithParam<aimed_parameters> {};

TEST_P(AimedStalls, KeepEveryInvariant) {
    const auto& [after, workers] = GetParam();
    for (const std::uint32_t longest_wait : {30u, 400u})
        for (const shape& s : shapes)
            expect_no_failure(strategy::half, s.make, workers, aimed_seeds, aim{after, longest_wait});
}

std::vector<sim::operation> operations_of_media() {
    std::vector<sim::operation> all;
    for (std::uint32_t o = 0; o <= static_cast<std::uint32_t>(sim::operation::barrier_open); ++o)
        all.push_back(static_cast<sim::operation>(o));
    return all;
}

std::string name_of_aim(const testing::TestParamInfo<aimed_parameters>& info) {
    const auto& [after, workers] = info.param;
    return std::string(sim::name_of(after)) + "_" + std::to_string(workers);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AimedStalls,
                         testing::Combine(testing::ValuesIn(operations_of_media()), testing::Values(2u, 3u, 4u)),
                         name_of_aim);

}  // namespace
