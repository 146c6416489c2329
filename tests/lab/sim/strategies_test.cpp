// Every combination of strategies: seeded schedules of each, and small programs explored.
#include "tests/lab/sim/strategy_runs.hpp"

#include <lab/sim/explorer_scenes.hpp>
#include <lab/sim/normal_form.hpp>
#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sim_tests;
namespace protocol = parley::protocol;
namespace trees = parley::sim::trees;
namespace small = parley::sim::small;

// --- seeded schedules ----------------------------------------------------------------------------
class Strategies : public testing::TestWithParam<sim::strategies> {};

constexpr std::uint64_t usual_seeds = 3;

TEST_P(Strategies, KeepEveryInvariant) {
    for (const std::uint64_t seed : seeds(usual_seeds))
        for (const sim::program& p : {trees::any(seed), trees::binary(), trees::producer_consumer(), trees::barrier_twice(),
                                      trees::left_behind(), trees::jobs_beside(), trees::cancelled()})
            for (std::uint32_t workers = 2; workers <= 5 && !HasFatalFailure(); ++workers)
                expect_no_failure(GetParam(), p, workers, seed);
}
TEST_P(Strategies, KeepEveryInvariantWithAimedStalls) {
    using sim::operation;
    for (const operation after :
         {operation::claim, operation::take_off, operation::land, operation::send_request, operation::receive_request,
          operation::deposit, operation::send_tasks, operation::close_mailbox})
        for (const std::uint64_t seed : seeds(1)) {
            expect_no_failure(GetParam(), trees::any(seed), 3, seed, aim{after, 200});
            if (HasFatalFailure()) return;
        }
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::ValuesIn(sim::all_strategies()), test_name);

// Workers that answer one at a time.
std::vector<sim::strategies> brief_ones() {
    std::vector<sim::strategies> some;
    for (const sim::strategies& s : sim::all_brief())
        if (s.victims == sim::strategies::victim::any) some.push_back(s);
    return some;
}
INSTANTIATE_TEST_SUITE_P(Brief, Strategies, testing::ValuesIn(brief_ones()), test_name);

TEST(StrategyNames, TellThemApart) {
    std::set<std::string> names;
    for (const sim::strategies& s : sim::all_strategies()) names.insert(sim::name_of(s));
    EXPECT_EQ(names.size(), 240u);
}

// --- explored ------------------------------------------------------------------------------------
std::vector<sim::strategies> some_strategies(bool (*wanted)(const sim::strategies&)) {
    std::vector<sim::strategies> some;
    for (const sim::strategies& s : sim::all_strategies())
        if (wanted(s)) some.push_back(s);
    return some;
}

// A task, stolen or not, and awaited; and one that only a thief can begin. `explore --all` goes further.
class ExploredStrategies : public testing::TestWithParam<sim::strategies> {};

TEST_P(ExploredStrategies, FindNoStateWrong) {
    expect_right("fork2", GetParam(), 15'000);
    expect_right("wants_a_thief2", GetParam(), 15'000);
}
INSTANTIATE_TEST_SUITE_P(Small, ExploredStrategies, testing::ValuesIn(some_strategies([](const auto& s) {
                             return s.victims == sim::strategies::victim::any;
                         })),
                         test_name);

// Three workers, one of which looks at nothing for long (I9), and one that others wake with a job.
class ExploredVictims : public testing::TestWithParam<sim::strategies> {};

TEST_P(ExploredVictims, FindNoStateWrong) {
    expect_right("feeds_around3_calm", GetParam(), 30'000);
    expect_right("job3_asleep", GetParam(), 10'000);
}
INSTANTIATE_TEST_SUITE_P(Small, ExploredVictims, testing::ValuesIn(some_strategies([](const auto& s) {
                             return s.stealing == sim::strategies::steal::half &&
                                    (s.requesting.how_many == 2) == (s.early_below > 0);
                         })),
                         test_name);

class ExploredBrief : public testing::TestWithParam<sim::strategies> {};

TEST_P(ExploredBrief, FindNoStateWrong) {
    expect_right("wide2", GetParam(), 10'000);
    expect_right("feeds_around3_calm", GetParam(), 30'000);
}
INSTANTIATE_TEST_SUITE_P(Small, ExploredBrief, testing::ValuesIn(brief_ones()), test_name);

// What a strategy has learned, and a mailbox that is closed, are part of a state: see live_log.hpp.
TEST(ExploredStrategies, StatesThatAreTakenForOneGoOnAlike) {
    for (const sim::strategies& how : sim::all_strategies()) {
        if (how.stealing != sim::strategies::steal::adaptive || how.victims != sim::strategies::victim::last) continue;
        for (const char* const scene : {"comes_again2", "job2"}) {
            const auto r = explored_in(scene, how, {.states = is_slow ? 2'000u : 12'000u, .live_logs_only = false});
            EXPECT_FALSE(r.not_alike.has_value()) << sim::name_of(how) << ": " << sim::text_of_moves(r.not_alike->first)
                                                  << " and " << sim::text_of_moves(r.not_alike->second);
        }
    }
}

// A state in normal form is an ordinary state: its letters still visit everybody.
TEST(ExploredStrategies, NormalFormsKeepTheOrderOfVictims) {
    for (const sim::strategies& how : sim::all_strategies()) {
        const sim::program p = small::end();
        for (std::uint32_t order = 0; order < sim::chosen_victims::orders(4); ++order) {
            sim::scene<explored> s(p, {.workers = 4, .how = how});
            sim::chosen_victims::order = order;
            parley::base::rng unused(1);
            const sim::chosen_victims any;
            const sim::pairs places;
            const protocol::nearest_first<sim::pairs, sim::chosen_victims> nearest(places);
            const bool is_nearest = how.victims == sim::strategies::victim::nearest;
            protocol::letter t = sim::chosen_victims::begin(protocol::request_of(0), 4, unused);
            const auto next = [&](protocol::letter& l) { return is_nearest ? nearest.next(l, 4) : any.next(l, 4); };
            for (std::uint32_t hop = 0; hop < 4; ++hop) {
                s.shared.workers[1].letters.letters = {t};
                sim::normal_form<explored>{s};
                protocol::letter tidy = s.shared.workers[1].letters.letters[0], as_it_was = t;
                for (auto v = next(as_it_was); v; v = next(as_it_was)) ASSERT_EQ(next(tidy), v);
                ASSERT_FALSE(next(tidy));
                (void)next(t);
            }
        }
    }
}

}  // namespace
