// The papers' own protocol (lab/papers/circulating_worker.hpp): seeded schedules of every combination, and small programs
// explored.
#include "tests/lab/sim/strategy_runs.hpp"

#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sim_tests;
namespace trees = parley::sim::trees;
using parley::protocol::detection;
using parley::protocol::revocation;

class Circulating : public testing::TestWithParam<sim::strategies> {};

std::uint64_t fewest_workers(const sim::strategies& how) {
    return how.papers->detects == detection::by_dedicated_manager ? 3 : 2;
}

// Thieves that never rest take many steps. The more seeds, the more workers.
TEST_P(Circulating, KeepEveryInvariant) {
    for (const std::uint64_t seed : seeds(2))
        for (const sim::program& p :
             {trees::any(seed), trees::barrier_twice(), trees::left_behind(), trees::jobs_beside(), trees::cancelled()})
            expect_no_failure(GetParam(), p, static_cast<std::uint32_t>(std::max(fewest_workers(GetParam()), 2 + seed % 4)),
                              seed);
}
INSTANTIATE_TEST_SUITE_P(All, Circulating, testing::ValuesIn(sim::all_circulating()), test_name);
INSTANTIATE_TEST_SUITE_P(Loading, Circulating, testing::ValuesIn(sim::all_loading()), test_name);

std::vector<sim::strategies> with_any_victims() {
    std::vector<sim::strategies> some = sim::all_circulating();
    for (const sim::strategies& s : sim::all_loading()) some.push_back(s);
    std::erase_if(some, [](const auto& s) { return s.victims != sim::strategies::victim::any; });
    return some;
}

using pairs_of_options = std::set<std::set<std::string>>;

// What `s` has and what it leaves out of what any of `all` has, two by two.
pairs_of_options pairs_of(const sim::strategies& s, const std::vector<sim::strategies>& all) {
    const auto words = [](const sim::strategies& how) {
        std::set<std::string> some;
        std::istringstream name(sim::name_of(how));
        for (std::string word; std::getline(name, word, ',');) some.insert(word);
        return some;
    };
    std::set<std::string> options, choices;
    for (const sim::strategies& how : all) options.merge(words(how));
    const std::set<std::string> has = words(s);
    for (const std::string& option : options) choices.insert((has.contains(option) ? "" : "no ") + option);
    pairs_of_options pairs;
    for (const std::string& a : choices)
        for (const std::string& b : choices) pairs.insert({a, b});
    return pairs;
}

// Of those with any victims: which bring a pair of options that none before them has, and the rest, which take minutes:
// `make check-all`.
struct some_and_rest {
    std::vector<sim::strategies> some, rest;
};
some_and_rest by_pairs_of_options() {
    some_and_rest parts;
    pairs_of_options seen;
    const std::vector<sim::strategies> all = with_any_victims();
    for (const sim::strategies& s : all) {
        const std::size_t before = seen.size();
        seen.merge(pairs_of(s, all));
        (seen.size() > before ? parts.some : parts.rest).push_back(s);
    }
    return parts;
}

class CirculatingStalled : public testing::TestWithParam<sim::strategies> {};

TEST_P(CirculatingStalled, KeepEveryInvariant) {
    using sim::operation;
    for (const operation after :
         {operation::take_off, operation::land, operation::send_request, operation::receive_request,
          operation::register_idle, operation::unregister_idle, operation::send_tasks, operation::take_job,
          operation::load_tasks, operation::unload_tasks, operation::set_goes_on, operation::receive_message,
          operation::registered_idle, operation::jobs_sent})
        for (const std::uint64_t seed : seeds(1))
            for (const sim::program& p : {trees::any(seed), trees::barrier_twice(), trees::jobs_beside()}) {
                expect_no_failure(GetParam(), p, 3, seed, aim{after, 200});
                if (HasFatalFailure()) return;
            }
}
INSTANTIATE_TEST_SUITE_P(Some, CirculatingStalled, testing::ValuesIn(by_pairs_of_options().some), test_name);
INSTANTIATE_TEST_SUITE_P(Rest, CirculatingStalled, testing::ValuesIn(by_pairs_of_options().rest), test_name);

// Worker 0 is held up while it says that it is not idle any more, and is released for what it was before: its own
// request, which registers it again, must be home before it goes on. Each of these ended wrongly otherwise.
TEST(CirculatingReleased, WhoseRequestIsStillToBeRegisteredWaitsForIt) {
    using sim::operation;
    for (const auto& [seed, after] : {std::pair{608417401U, operation::take_off},
                                      {608417403U, operation::take_job},
                                      {20140002U, operation::receive_message},
                                      {20140005U, operation::take_off}})
        for (const sim::strategies& how : with_any_victims())
            expect_no_failure(how, trees::jobs_beside(), 3, seed, aim{after, 200});
}

// That the schedules of them have any such letters.
struct counts_loads : sim::virtual_medium {
    using sim::virtual_medium::virtual_medium;
    void unload_tasks(parley::protocol::request_id r) {
        sim::virtual_medium::unload_tasks(r);
        ++(parley::protocol::thief_of(r) == s_.self ? brought_home : hijacked);
    }
    static inline std::uint64_t brought_home = 0, hijacked = 0;
};

TEST(CirculatingLoads, AreBroughtHomeAndHijackedWhereThatIsAnOption) {
    for (const bool continues : {false, true})
        for (const bool hijacks : {false, true}) {
            counts_loads::brought_home = counts_loads::hijacked = 0;
            sim::strategies how{.early_below = 2, .papers = parley::protocol::circulating{}};
            how.papers->continues = continues;
            how.papers->hijacks = hijacks;
            for (std::uint64_t seed = 1; seed <= 100; ++seed)
                EXPECT_EQ((run<scheduled, counts_loads>(trees::any(seed), 4, seed, 0, {}, how).invariant), "") << seed;
            if (!hijacks) {
                EXPECT_EQ(counts_loads::brought_home > 0, continues);
            }
            EXPECT_EQ(counts_loads::hijacked > 0, hijacks);
        }
}

// What `make test` leaves out has no two options that it does not try together.
TEST(CirculatingSome, HaveEachPairOfOptionsOfTheRest) {
    const auto [some, rest] = by_pairs_of_options();
    const std::vector<sim::strategies> all = with_any_victims();
    EXPECT_EQ(some.size() + rest.size(), all.size());
    EXPECT_FALSE(rest.empty());
    pairs_of_options tried;
    for (const sim::strategies& s : some) tried.merge(pairs_of(s, all));
    for (const sim::strategies& s : rest)
        for (const auto& pair : pairs_of(s, all))
            EXPECT_TRUE(tried.contains(pair)) << sim::name_of(s) << ": " << *pair.begin() << ", " << *pair.rbegin();
}

TEST(CirculatingNames, TellThemApart) {
    std::set<std::string> names;
    for (const auto& all : {sim::all_circulating(), sim::all_loading()})
        for (const sim::strategies& s : all) names.insert(sim::name_of(s));
    EXPECT_EQ(names.size(), 480u);
}

// --- explored ------------------------------------------------------------------------------------
// Tasks that are stolen or not, barriers, pauses, jobs. `explore --all` goes further.
class ExploredCirculating : public testing::TestWithParam<sim::strategies> {};

TEST_P(ExploredCirculating, FindNoStateWrong) {
    for (const char* const scene :
         {"fork2", "barrier2", "fork_and_barrier2", "asks_nothing2", "job_beside_barrier2", "end3_sleepy", "steals3"})
        expect_right(scene, GetParam(), 6'000);
}
INSTANTIATE_TEST_SUITE_P(Some, ExploredCirculating, testing::ValuesIn(by_pairs_of_options().some), test_name);
INSTANTIATE_TEST_SUITE_P(Rest, ExploredCirculating, testing::ValuesIn(by_pairs_of_options().rest), test_name);

// The limit that the lobby was built for (docs/internals/protocol.md, I9): who holds a request and looks at nothing starves
// its thief, even if somebody else has a task to spare.
TEST(ExploredCirculating, AThiefWhoseRequestIsHeldStarves) {
    const auto r = explored_in("feeds_around3_calm", {.papers = parley::protocol::circulating{}}, {.states = 100'000});
    ASSERT_TRUE(r.found.has_value());
    EXPECT_EQ(r.found->invariant, "I9");
}

}  // namespace
