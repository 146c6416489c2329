// The protocol under thousands of seeded schedules: every step and every end is checked against the
// invariants (parley/sim/invariants.hpp).
#include "tests/sim/runs.hpp"

#include <parley/sim/trees.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>

namespace {

namespace sim = parley::sim;
namespace trees = parley::sim::trees;
using namespace sim_tests;

// Per case; 190 cases. Soak: PARLEY_SIM_SEEDS=100000.
constexpr std::uint64_t usual_seeds = 30;

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
    {"jobs_beside", fixed<trees::jobs_beside>},
    {"cancelled", fixed<trees::cancelled>},
    {"any", trees::any},
};

enum class strategy { one, half, adaptive };
const char* name_of(strategy s) {
    return s == strategy::one ? "one" : s == strategy::half ? "half" : "adaptive";
}
void PrintTo(strategy s, std::ostream* out) { *out << name_of(s); }

result run_with(strategy s, const sim::program& p, std::uint32_t workers, std::uint64_t seed,
                std::size_t log = 0) {
    namespace protocol = parley::protocol;
    switch (s) {
        case strategy::one: return run<machine<protocol::steal_one>>(p, workers, seed, log);
        case strategy::half: return run<machine<protocol::steal_half>>(p, workers, seed, log);
        default: return run<machine<protocol::steal_adaptive>>(p, workers, seed, log);
    }
}

using parameters = std::tuple<std::uint32_t, strategy, shape>;
class Schedules : public testing::TestWithParam<parameters> {};

std::string name_of_case(const testing::TestParamInfo<parameters>& info) {
    const auto& [workers, how, what] = info.param;
    return std::to_string(workers) + "_" + name_of(how) + "_" + what.name;
}

TEST_P(Schedules, KeepEveryInvariant) {
    const auto& [workers, how, what] = GetParam();
    const seeds range = seeds_to_run(usual_seeds);
    std::uint64_t steps = 0;
    for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
        const sim::program p = what.make(seed);
        const result r = run_with(how, p, workers, seed);
        steps += r.steps;
        if (r.invariant.empty()) continue;
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        FAIL() << run_with(how, p, workers, seed, steps_to_print()).log << r.what << "\nAgain: PARLEY_SIM_SEED=" << seed
               << " tests/test_sim --gtest_filter=" << test->test_suite_name() << '.'
               << test->name();
    }
    RecordProperty("steps", std::to_string(steps));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Schedules,
                         testing::Combine(testing::Values(1u, 2u, 3u, 4u, 5u),
                                          testing::Values(strategy::one, strategy::half,
                                                          strategy::adaptive),
                                          testing::ValuesIn(shapes)),
                         name_of_case);

}  // namespace
