// Every combination of strategies: seeded schedules of each, and small programs explored.
#include "tests/sim/runs.hpp"

#include <parley/sim/chosen_victims.hpp>
#include <parley/sim/explorer.hpp>
#include <parley/sim/explorer_scenes.hpp>
#include <parley/sim/replay.hpp>
#include <parley/sim/strategies.hpp>
#include <parley/sim/trees.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sim_tests;
namespace protocol = parley::protocol;
namespace trees = parley::sim::trees;
namespace small = parley::sim::small;

using scheduled = sim::any_worker<protocol::random_victims>;
using explored = sim::any_worker<sim::chosen_victims>;

std::string test_name(const testing::TestParamInfo<sim::strategies>& how) {
    std::string name = sim::name_of(how.param);
    std::replace_if(name.begin(), name.end(), [](char c) { return c == ',' || c == '-'; }, '_');
    return name;
}

// --- seeded schedules ----------------------------------------------------------------------------
class Strategies : public testing::TestWithParam<sim::strategies> {};

constexpr std::uint64_t usual_seeds = 3;

void expect_no_failure(const sim::strategies& how, const sim::program& p, std::uint32_t workers,
                       std::uint64_t seed, std::optional<aim> aimed = {}) {
    const result r = run<scheduled>(p, workers, seed, 0, aimed, how);
    if (r.invariant.empty()) return;
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    FAIL() << run<scheduled>(p, workers, seed, steps_to_print(), aimed, how).log << r.what << " (" << workers
           << " workers)\nAgain: PARLEY_SIM_SEED=" << seed << " tests/test_sim --gtest_filter="
           << test->test_suite_name() << '.' << test->name();
}

TEST_P(Strategies, KeepEveryInvariant) {
    const seeds range = seeds_to_run(usual_seeds);
    for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed)
        for (const sim::program& p :
             {trees::any(seed), trees::binary(), trees::producer_consumer(), trees::barrier_twice(),
              trees::left_behind(), trees::jobs_beside(), trees::cancelled()})
            for (std::uint32_t workers = 2; workers <= 5 && !HasFatalFailure(); ++workers)
                expect_no_failure(GetParam(), p, workers, seed);
}
TEST_P(Strategies, KeepEveryInvariantWithAimedStalls) {
    using sim::operation;
    const seeds range = seeds_to_run(1);
    for (const operation after :
         {operation::claim, operation::take_off, operation::land, operation::send_request,
          operation::receive_request, operation::deposit, operation::send_tasks, operation::close_mailbox})
        for (std::uint64_t seed = range.first; seed < range.first + range.count && !HasFatalFailure(); ++seed)
            expect_no_failure(GetParam(), trees::any(seed), 3, seed, aim{after, 200});
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::ValuesIn(sim::all_strategies()), test_name);

TEST(StrategyNames, TellThemApart) {
    std::set<std::string> names;
    for (const sim::strategies& s : sim::all_strategies()) names.insert(sim::name_of(s));
    EXPECT_EQ(names.size(), 240u);
}

// --- explored ------------------------------------------------------------------------------------
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool is_slow = true;  // ten times and more
#else
constexpr bool is_slow = false;
#endif

// The first start, one steal or none, a join and the end: two workers, whose choice of victims is none.
class ExploredStrategies : public testing::TestWithParam<sim::strategies> {};

TEST_P(ExploredStrategies, FindNoStateWrong) {
    const sim::program p = small::end();
    const sim::settings s{.workers = 2, .how = GetParam()};
    const sim::exploration r =
        sim::explorer<explored>(p, s, {.states = is_slow ? 5'000u : 1'000'000u}).run();
    EXPECT_FALSE(r.found.has_value()) << r.found->what << "\nAgain: explore end2 --strategies "
                                      << sim::name_of(GetParam()) << " --replay "
                                      << sim::text_of_moves(r.found->moves);
    EXPECT_TRUE(r.is_complete || is_slow) << r.states;
    RecordProperty("states", std::to_string(r.states));
}

// The others are explored by `explore end2 --strategies all`: two requests with backoff take longest.
std::vector<sim::strategies> quick_ones() {
    std::vector<sim::strategies> some;
    for (const sim::strategies& s : sim::all_strategies())
        if (s.victims == sim::strategies::victim::any &&
            (s.requesting.how_many == 1 || s.requesting.then == protocol::after_failure::rests))
            some.push_back(s);
    return some;
}
INSTANTIATE_TEST_SUITE_P(Small, ExploredStrategies, testing::ValuesIn(quick_ones()),
                         test_name);

}  // namespace
