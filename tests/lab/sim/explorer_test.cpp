// The explorer: small programs, all their states; and is it right? It must find what is broken, say
// how to get there, and its reductions must hide nothing.
#include "tests/build_kind.hpp"
#include "tests/lab/sim/broken.hpp"
#include "tests/lab/sim/explorer_runs.hpp"

#include <lab/sim/chosen_victims.hpp>
#include <lab/sim/explorer.hpp>
#include <lab/sim/explorer_scenes.hpp>
#include <lab/sim/replay.hpp>
#include <lab/sim/trees.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sim_tests;
namespace chosen = parley::sim::chosen;
namespace small = parley::sim::small;
template <class Stealing>
using thief = parley::protocol::worker<sim::chosen_victims, Stealing>;
using one = thief<parley::protocol::steal_one>;
using half = thief<parley::protocol::steal_half>;

using parley_tests::is_slow;

sim::settings two_workers() { return {.workers = 2, .seed = 0}; }

// --- what is right -------------------------------------------------------------------------------
class Explorer : public testing::TestWithParam<sim::explorer_scene> {};

TEST_P(Explorer, FindsEveryStateRight) {
    const sim::explorer_scene& s = GetParam();
    const sim::program p = s.make();
    sim::exploration_limits limits = s.limits();
    if (is_slow) limits.states = 20'000;
    const sim::exploration r = sim::explorer<one>(p, s.with(s.workers), limits).run();
    EXPECT_FALSE(r.found.has_value()) << r.found->what << "\nAgain: explore " << s.name << " --replay "
                                      << sim::text_of_moves(r.found->moves);
    EXPECT_TRUE(r.is_complete || is_slow);
    EXPECT_TRUE(r.ends > 0 || is_slow);
    RecordProperty("states", std::to_string(r.states));
    RecordProperty("transitions", std::to_string(r.transitions));
}

std::vector<sim::explorer_scene> quick_scenes() {
    std::vector<sim::explorer_scene> quick;
    for (const sim::explorer_scene& s : sim::explorer_scenes())
        if (s.is_quick) quick.push_back(s);
    return quick;
}
std::string name_of_scene(const testing::TestParamInfo<sim::explorer_scene>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Scenes, Explorer, testing::ValuesIn(quick_scenes()), name_of_scene);

// --- what is broken ------------------------------------------------------------------------------
using names = std::set<std::string>;
template <class Machine, class Medium>
void expect_broken(const sim::program& p, const names& expected, bool others_sleep_first = false) {
    const outcome o =
        found_in<Machine, Medium>(p, {.states = 400'000, .others_sleep_first = others_sleep_first}, two_workers());
    EXPECT_TRUE(expected.contains(o.invariant)) << '"' << o.invariant << '"';
}
// Without sleep nothing ever stops, so what fails to happen shows as a run without an end.
template <class Machine, class Medium>
void expect_no_end(const sim::program& p, const std::string& expected, bool may_sleep = false) {
    const outcome o = found_in<Machine, Medium>(p, {.states = 400'000, .open = {.may_sleep = may_sleep}}, two_workers());
    EXPECT_EQ(o.invariant, expected);
    EXPECT_TRUE(o.is_without_end);
}

TEST(ExplorerFinds, ABellThatIsDropped) { expect_broken<one, broken::drops_the_bell>(small::end(), {"I9"}); }
TEST(ExplorerFinds, ABellBeforeTheDeposit) {
    expect_broken<one, broken::rings_before_depositing>(small::wants_a_thief(), {"I9"});
}
TEST(ExplorerFinds, MailThatNobodyKnowsOf) { expect_broken<one, broken::forgets_the_mail_bit>(small::end(), {"I2"}); }
TEST(ExplorerFinds, ARequestThatRestsNowhere) { expect_broken<one, broken::loses_what_rests>(small::end(), {"I2"}); }
TEST(ExplorerFinds, AWakeThatIsLost) { expect_broken<one, broken::wakes_nobody>(small::end(), {"I8"}); }
TEST(ExplorerFinds, AWakeThatIsLostLater) {
    expect_broken<one, broken::wakes_nobody>(small::second_fork_and_barrier(), {"I8"}, true);
}
TEST(ExplorerFinds, WhatIsWrongBeforeTheOthersSleep) {
    expect_broken<one, broken::loses_what_rests>(small::second_barrier(), {"I2"}, true);
}
TEST(ExplorerFinds, ASleepingVictim) { expect_broken<one, broken::sleeps_as_a_victim>(small::end(), {"I8", "I11"}); }
TEST(ExplorerFinds, AnAnswerThatNobodyAnnounces) {
    expect_broken<one, broken::does_not_say_that_tasks_came>(small::fork(), {"I8"});
}
TEST(ExplorerFinds, AJobThatNobodyRelays) { expect_broken<one, broken::relays_no_job>(small::job(), {"I11"}); }
TEST(ExplorerFinds, TwoClaimsOfOneRequest) { expect_broken<one, broken::claims_what_is_claimed>(small::fork(), {"I2"}); }
TEST(ExplorerFinds, TwoAnswersToOneRequest) { expect_broken<one, broken::answers_twice>(small::wide(), {"I5", "I2"}); }
TEST(ExplorerFinds, TwoLettersOfOneRequest) { expect_broken<one, broken::travels_twice>(small::barrier(), {"I6"}); }
TEST(ExplorerFinds, AWorkerThatStaysIdle) {
    expect_broken<one, broken::stays_idle_with_tasks>(small::fork_and_barrier(), {"I4", "I8"});
}
TEST(ExplorerFinds, GoingWithARequestOut) { expect_broken<broken::just_goes, broken::right>(small::end(), {"I10", "I11"}); }

// Answers that are taken back.
template <class Medium>
std::string found_where_answers_are_taken_back(const sim::program& p) {
    sim::settings set = two_workers();
    set.takes_back = true;
    const sim::openness open{
        .may_look_again = false, .may_rest = false, .may_take_back = true, .wakes_for_no_reason = false};
    return found_in<one, Medium>(p, {.states = 3'000'000, .open = open}, set).invariant;
}
TEST(ExplorerFinds, AThiefThatHasWhatWasTakenBack) {
    EXPECT_EQ(found_where_answers_are_taken_back<broken::does_not_look_whether_it_has_the_answer>(small::fork()), "I2");
}
TEST(ExplorerFinds, ARequestThatStaysTaken) {
    EXPECT_EQ(found_where_answers_are_taken_back<broken::leaves_the_request_taken>(small::gives_twice()), "I2");
}
TEST(ExplorerFinds, AThiefThatIsNotToldWhatItLost) {
    EXPECT_EQ(found_where_answers_are_taken_back<broken::does_not_tell_whose_answer_it_took>(small::gives_twice()), "I8");
}
TEST(ExplorerFinds, AnAnswerTakenBackThatIsNotCounted) {
    EXPECT_EQ(found_where_answers_are_taken_back<broken::does_not_count_what_it_took>(small::fork()), "I8");
}

TEST(ExplorerFinds, AReleaseThatNeverComes) {
    expect_broken<one, broken::does_not_ask_for_a_scan>(small::end(), {"I8"});
    expect_no_end<one, broken::does_not_ask_for_a_scan>(small::end(), "I4");
}
TEST(ExplorerFinds, AnswersThatAreNotCounted) {
    expect_no_end<one, broken::does_not_count_answers>(small::fork_and_barrier(), "I4");
}
// Its request rests where its victim, which polls, does not look.
TEST(ExplorerFinds, AThiefThatStarves) {
    expect_no_end<one, broken::does_not_see_the_lobby>(small::wants_a_thief(), "I9", true);
}
// Two workers can not run what takes three: it must be seen that this never ends.
TEST(ExplorerFinds, AProgramThatCanNotEnd) { expect_no_end<one, broken::right>(small::feeds_around(), "I9", true); }

// --- the reductions ------------------------------------------------------------------------------
TEST(ExplorerReductions, LiveLogsTellApartWhatDoesNotGoOnAlike) {
    for (const auto make : {small::end, small::wide}) {
        const sim::program p = make();
        sim::exploration_limits limits{.states = is_slow ? 20'000u : 2'000'000u, .until_tasks_ended = true};
        const auto live = sim::explorer<half>(p, two_workers(), limits).run();
        limits.live_logs_only = false;
        const auto whole = sim::explorer<half>(p, two_workers(), limits).run();
        EXPECT_FALSE(whole.not_alike.has_value());
        if (!live.is_complete || !whole.is_complete) {
            EXPECT_TRUE(is_slow);
            continue;
        }
        EXPECT_EQ(live.states, whole.distinct);
        EXPECT_LT(live.states, whole.states);
    }
}

TEST(ExplorerReductions, FreeStepsLeadToTheSameEnds) {
    const sim::program p = small::end();
    const sim::state_id limit = is_slow ? 20'000 : 2'000'000;
    const auto merged = sim::explorer<one>(p, two_workers(), {.states = limit}).run();
    const auto single = sim::explorer<one>(p, two_workers(), {.states = limit, .merges_free_steps = false}).run();
    if (!is_slow) {
        EXPECT_EQ(merged.ends, single.ends);
        EXPECT_LT(merged.states, single.states);
    }
    EXPECT_FALSE(single.found.has_value());
}

TEST(ExplorerReductions, APackedStateIsTheState) {
    const sim::program p = parley::sim::trees::jobs_beside();
    using usual = machine<parley::protocol::steal_half>;
    sim::simulation<usual> run(p, {.workers = 2, .seed = 1});
    sim::every_choice first({});
    sim::state_packer<usual> packer;
    std::string packed;
    for (int i = 0; i < 3'000; ++i) {
        const auto a = static_cast<sim::agent_id>(i) % run.now().agent_count();
        if (ready(run.now(), a) != sim::readiness::now) continue;
        first.begin_step();
        run.step(a, 1, first);
        if (!first.next()) first = sim::every_choice({});
        const sim::scene<usual> before = run.now();
        packer.pack(run.now(), packed);
        run.now() = sim::scene<usual>(p, before.set);
        packer.unpack(packed, run.now());
        ASSERT_EQ(run.now().shared, before.shared);
        ASSERT_EQ(run.now().workers, before.workers);
        ASSERT_EQ(run.now().outsiders, before.outsiders);
    }
}

TEST(ExplorerReductions, EveryOrderOfVictimsIsAmongTheChoices) {
    for (std::uint32_t workers = 2; workers <= 6; ++workers) {
        parley::base::rng random(1);
        std::set<std::vector<std::uint32_t>> orders, drawn;
        const auto order_of = [&](auto victims, parley::protocol::letter t) {
            std::vector<std::uint32_t> order;
            while (const auto v = victims.next(t, workers)) order.push_back(*v);
            return order;
        };
        for (std::uint32_t o = 0; o < sim::chosen_victims::orders(workers); ++o) {
            sim::chosen_victims::order = o;
            orders.insert(order_of(sim::chosen_victims(), sim::chosen_victims::begin(0, workers, random)));
        }
        for (int i = 0; i < 1'000; ++i)
            drawn.insert(
                order_of(parley::protocol::random_victims(), parley::protocol::random_victims::begin(0, workers, random)));
        EXPECT_EQ(orders, drawn);
        EXPECT_EQ(orders.size(), sim::chosen_victims::orders(workers));
    }
}

// --- fairness, on small graphs -------------------------------------------------------------------
// State 0 leads into a circle of states 1 and 2.
sim::state_graph circle(std::uint8_t fair, std::vector<sim::edge> out_of_1, std::vector<sim::edge> out_of_2) {
    sim::state_graph g;
    g.begin_state(1);
    g.add({.to = 1, .move = 0, .who = 0});
    g.begin_state(fair);
    for (const sim::edge& e : out_of_1) g.add(e);
    g.begin_state(1);
    for (const sim::edge& e : out_of_2) g.add(e);
    return g;
}
bool has_fair_run(const sim::state_graph& g) { return sim::fair_cycles(g).find().has_value(); }

TEST(FairCycles, ACircleOfEverybodyWhoCanGoOnIsFair) {
    EXPECT_TRUE(has_fair_run(circle(1, {{.to = 2, .who = 0}}, {{.to = 1, .who = 0}})));
    EXPECT_FALSE(has_fair_run(circle(1, {{.to = 2, .who = 0}}, {})));
}
TEST(FairCycles, NobodyIsKeptWaitingForEver) {
    // Agent 1 can go on in state 1, not in state 2: it may be missed each time.
    EXPECT_TRUE(has_fair_run(circle(3, {{.to = 2, .who = 0}}, {{.to = 1, .who = 0}})));
    // Agent 0 can go on in both and only agent 1 does.
    EXPECT_FALSE(has_fair_run(circle(3, {{.to = 2, .who = 1}}, {{.to = 1, .who = 1}})));
}
TEST(FairCycles, PatienceIsFinite) {
    const sim::edge look{.to = 1, .who = 0, .choices = chosen::to_look_again};
    EXPECT_FALSE(has_fair_run(circle(1, {{.to = 2, .who = 0}}, {look})));
    const sim::edge rest{.to = 1, .who = 0, .choices = chosen::to_give_up};
    EXPECT_TRUE(has_fair_run(circle(1, {{.to = 2, .who = 0}}, {look, rest})));
    const sim::edge rest_elsewhere{.to = 0, .who = 0, .choices = chosen::to_give_up};
    const auto round = sim::fair_cycles(circle(1, {{.to = 2, .who = 0}}, {rest_elsewhere})).find();
    ASSERT_TRUE(round.has_value());
    EXPECT_EQ(round->begin, 0u);
    EXPECT_EQ(round->edges.size(), 3u);
}

}  // namespace
