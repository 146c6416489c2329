// Programs that do not run: what they hold, and what others have of that.
#include "tests/broker/policies/given.hpp"
#include "tests/seeds.hpp"

#include <broker/daemon/sleep_watch.hpp>
#include <broker/policy/bias_policy.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

namespace {

using namespace broker_tests;
using service::sleep_watch;

TEST(Asleep, AProgramHoldsNothingAndOthersHaveIt) {
    world w(equal_sections(8, 2), std::make_shared<fair_share>());
    w.join(0, 1);
    w.join(1, 2);
    w.quantum({{1, 100}, {2, 100}});
    ASSERT_EQ(w.cores(2).size(), 4u);
    w.falls_asleep(2);
    EXPECT_TRUE(w.cores(2).empty());
    w.quantum({{1, 100}});
    EXPECT_EQ(w.cores(1).size(), 8u);
    w.expect_settled();
}

TEST(Asleep, WhoRunsAgainHasItsShareAgain) {
    world w(equal_sections(8, 2), std::make_shared<fair_share>());
    w.join(0, 1);
    w.join(1, 2);
    w.falls_asleep(2);
    w.quantum({{1, 100}});
    w.wakes(2);
    EXPECT_GE(w.cores(2).size(), 1u) << "at once";
    w.quantum({{1, 100}, {2, 100}});
    EXPECT_EQ(w.cores(1).size(), 4u);
    EXPECT_EQ(w.cores(2).size(), 4u);
    w.expect_settled();
}

TEST(Asleep, ItsLeaderStaysAndItMayEnd) {
    world w(equal_sections(8, 2), std::make_shared<fair_share>());
    w.join(1, 1);
    w.falls_asleep(1);
    EXPECT_TRUE(w.leader(1));
    w.leave(0, 1);
    w.expect_settled();
}

TEST(Asleep, NobodySharesBecauseOfThem) {
    world w(equal_sections(2, 1), std::make_shared<fair_share>());
    for (program_id p = 1; p <= 20; ++p) w.join(0, p, 7);
    w.join(0, 21);
    ASSERT_GT(w.shared(), 0u);
    for (program_id p = 1; p <= 20; ++p) w.falls_asleep(p);
    w.quantum({{21, 100}});
    EXPECT_EQ(w.shared(), 0u);
    EXPECT_EQ(w.cores(21).size(), 2u);
    w.wakes(3);
    w.quantum({{21, 100}, {3, 100}});
    EXPECT_EQ(w.cores(21).size(), 1u);
    EXPECT_EQ(w.cores(3).size(), 1u);
    EXPECT_EQ(w.shared(), 0u);
}

// Whatever it desires, as one that is alone in the machine.
TEST(Asleep, WhoIsAloneAmongThemKeepsTheMachine) {
    world w(equal_sections(4, 1), std::make_shared<fair_share>());
    w.join(0, 1);
    w.join(0, 2);
    w.falls_asleep(2);
    w.quantum({{1, 100}});
    ASSERT_EQ(w.cores(1).size(), 4u);
    w.decisions.clear();
    for (int q = 0; q < 5; ++q) w.quantum({{1, 1}});
    EXPECT_EQ(w.desire_of(1), 1u);
    EXPECT_EQ(w.cores(1).size(), 4u);
    EXPECT_TRUE(w.decisions.empty()) << "given up and taken back";
    w.wakes(2);
    EXPECT_EQ(w.cores(1).size(), 1u);
    w.falls_asleep(2);
    EXPECT_EQ(w.cores(1).size(), 4u) << "it gets what it does not desire, too";
}

// A program that exists and sleeps.
void sleeper(given& k, program_id p, user_id user = 0) {
    k.rows.apply({.program = p, .user = user, .desire = 8, .version = 1, .asleep = true});
}

TEST(Asleep, TheyDoNotMakeCoresScarce) {
    given k(equal_sections(2, 1), 0);
    k.leads(1, {0}, program_class::satisfied, 2).leads(2, {1}, program_class::satisfied, 2);
    const fair_share rules;
    for (program_id p = 3; p <= 8; ++p) sleeper(k, p);
    EXPECT_FALSE(rules.ask_to_share(k.led.at(1), k));
    EXPECT_FALSE(rules.share(1, terms::any, k));
    k.exists(9, {}, program_class::deprived);
    EXPECT_TRUE(rules.share(9, terms::any, k)) << "three are awake";
}

// Who holds more than its share keeps that until somebody asks, unless its user has more than its cap.
TEST(Asleep, WhatTheyDesireIsNotTheirUsersDesire) {
    given k(equal_sections(8, 1), 0);
    k.leads(1, {0, 1, 2, 3}, program_class::satisfied, 4);
    k.shares[1] = 3;
    const fair_share rules({.caps = {.each = 4}});
    sleeper(k, 2);
    EXPECT_TRUE(rules.releases(k.led.at(1), k).empty());
    k.exists(3, {}, program_class::deprived);
    EXPECT_EQ(rules.releases(k.led.at(1), k).size(), 1u) << "one that is awake";
}

TEST(Asleep, CapsOfTheirUserAreForOthers) {
    world w(equal_sections(8, 1), std::make_shared<fair_share>(fair_share_options{.caps = {.each = 4}}));
    w.join(0, 1, 7);
    w.join(0, 2, 7);
    w.quantum({{1, 100}, {2, 100}});
    ASSERT_EQ(w.cores(1).size(), 2u);
    w.falls_asleep(2);
    w.quantum({{1, 100}});
    EXPECT_EQ(w.cores(1).size(), 4u);
}

TEST(Asleep, OthersNeedNotMakeRoomForThem) {
    world w(equal_sections(4, 1), std::make_shared<fair_share>());
    w.join(0, 1);
    w.join_on(0, 2, {0});
    w.join_on(0, 3, {0});
    w.quantum({{1, 100}, {2, 100}, {3, 100}});
    ASSERT_EQ(w.holders(0).size(), 2u);
    w.falls_asleep(2);
    EXPECT_EQ(w.cores(3), std::set<core_id>{0});
    EXPECT_EQ(w.holders(0).size(), 1u);
    w.wakes(2);
    EXPECT_EQ(w.cores(2), std::set<core_id>{0});
    w.expect_settled();
}

TEST(Asleep, ThatIsTheReasonGiven) {
    world w(equal_sections(4, 1), std::make_shared<fair_share>());
    w.join(0, 1);
    w.decisions.clear();
    w.falls_asleep(1);
    ASSERT_EQ(w.decisions.size(), 4u);
    for (const decision& d : w.decisions) {
        EXPECT_EQ(d.what, deed::loses);
        EXPECT_EQ(d.why, reason::asleep);
    }
}

// Its figure 3 knows inefficient programs only, and each keeps a core.
TEST(Asleep, ThePapersPolicyDoesNotCare) {
    world w(equal_sections(8, 2), std::make_shared<bias_policy>());
    w.join(0, 1);
    w.join(1, 2);
    for (int q = 0; q < 20; ++q) w.quantum({{1, 100}, {2, 1}});
    const std::set<core_id> before = w.cores(2);
    ASSERT_EQ(before.size(), 1u);
    w.falls_asleep(2);
    EXPECT_EQ(w.cores(2), before);
}

// Who is awake has its share whoever sleeps, and who sleeps nothing.
TEST(Asleep, NobodyStarvesAmongThem) {
    for (const std::uint64_t seed : parley_tests::seeds(300)) {
        SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
        parley::base::rng random(seed);
        const std::uint32_t sections = 1 + random.below(4);
        const std::uint32_t cores = 2 * sections + random.below(12);
        world w(equal_sections(cores, sections), from_one());
        std::map<program_id, bool> sleeps;
        for (program_id p = 1; p <= cores; ++p) {
            w.join(random.below(sections), p, random.below(3));
            sleeps[p] = false;
        }
        for (int q = 0; q < 20; ++q) {
            std::map<program_id, std::uint32_t> width;
            for (auto& [p, asleep] : sleeps) {
                if (random.below(4) == 0) {
                    asleep = !asleep;
                    w.falls_asleep(p, asleep);
                }
                if (!asleep) width[p] = random.below(cores + 1);
            }
            w.quantum_of_width(width);
            w.look_again();
            for (const auto& [p, asleep] : sleeps)
                ASSERT_EQ(w.cores(p).empty(), asleep) << "program " << p << " in quantum " << q;
            ASSERT_EQ(w.shared(), 0u);
        }
        w.quantum();
        w.quantum();
        w.expect_settled();
    }
}

constexpr nanoseconds ms = 1'000'000;
service::tree_clock::reading seen(nanoseconds ran) { return {ran, true, ran}; }

TEST(SleepWatch, WhoDoesNotRunForThatLongSleeps) {
    sleep_watch w;
    w.note(seen(500 * ms), 1000 * ms, 1000 * ms);
    w.note(seen(500 * ms), 1950 * ms, 1000 * ms);
    EXPECT_FALSE(w.is_asleep());
    w.note(seen(500 * ms), 2000 * ms, 1000 * ms);
    EXPECT_TRUE(w.is_asleep());
}

TEST(SleepWatch, OneQuantumInWhichItRunsWakesIt) {
    sleep_watch w;
    for (nanoseconds at = 1; at < 30; ++at) w.note(seen(0), at * 50 * ms, 1000 * ms);
    ASSERT_TRUE(w.is_asleep());
    w.note(seen(ms), 30 * 50 * ms, 1000 * ms);
    EXPECT_FALSE(w.is_asleep());
}

TEST(SleepWatch, SoDoesASmallPartOfALongOneOrOfAShortOne) {
    for (const nanoseconds step : {5 * ms, 50 * ms, 6000 * ms}) {
        sleep_watch w;
        for (nanoseconds at = 1; at < 300; ++at) w.note(seen(0), at * step, 1000 * ms);
        ASSERT_TRUE(w.is_asleep());
        w.note(seen(std::min(ms, step / 25)), 300 * step, 1000 * ms);
        EXPECT_FALSE(w.is_asleep()) << step;
    }
}

TEST(SleepWatch, SoDoesAnEndThatTakesItsTimeWithIt) {
    sleep_watch w;
    for (nanoseconds at = 1; at < 30; ++at) w.note(seen(5000 * ms), at * 50 * ms, 1000 * ms);
    ASSERT_TRUE(w.is_asleep());
    w.note({5000 * ms, true, 3000 * ms}, 30 * 50 * ms, 1000 * ms);
    EXPECT_FALSE(w.is_asleep());
    w.note({5000 * ms, true, 3040 * ms}, 60 * 50 * ms, 1000 * ms);
    EXPECT_FALSE(w.is_asleep()) << "what runs then counts, though it is less than the most there was";
}

TEST(SleepWatch, ALittleLessIsNobodysEnd) {
    sleep_watch w;
    for (nanoseconds at = 1; at < 30; ++at) w.note(seen(100 * ms - at % 2 * ms / 2), at * 50 * ms, 1000 * ms);
    EXPECT_TRUE(w.is_asleep());
}

TEST(SleepWatch, LookingWhetherThereIsSomethingToDoIsNotRunning) {
    sleep_watch w;
    for (nanoseconds at = 1; at < 30; ++at) w.note(seen(at * ms / 10), at * 50 * ms, 1000 * ms);
    EXPECT_TRUE(w.is_asleep());
}

TEST(SleepWatch, WhoIsNotSeenIsWhatItWas) {
    sleep_watch w;
    w.note(seen(0), 0, 1000 * ms);
    w.note({0, false, 0}, 5000 * ms, 1000 * ms);
    EXPECT_FALSE(w.is_asleep());
    w.note(seen(0), 6000 * ms, 1000 * ms);
    EXPECT_TRUE(w.is_asleep());
    w.note({900 * ms, false, 0}, 7000 * ms, 1000 * ms);
    EXPECT_TRUE(w.is_asleep());
}

TEST(SleepWatch, OfWhomTheSystemSaysNothingIsAwake) {
    sleep_watch w;
    for (nanoseconds at = 1; at < 30; ++at) w.note({std::nullopt, true, 0}, at * 50 * ms, 1000 * ms);
    EXPECT_FALSE(w.is_asleep());
}

TEST(SleepWatch, NobodySleepsWhereThatIsNotWanted) {
    sleep_watch w;
    for (nanoseconds at = 1; at < 30; ++at) w.note(seen(0), at * 1000 * ms, 0);
    EXPECT_FALSE(w.is_asleep());
}

}  // namespace
