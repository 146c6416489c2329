// Slots: whose turn it is follows from the clock, alike for all.
#include <parley/base/rng.hpp>
#include <parley/broker/gang.hpp>

#include <gtest/gtest.h>

namespace {

using namespace parley::broker;

TEST(Gang, TurnsFollowEachOther) {
    const slots s{.phase = 100, .length = 10, .period = 3};
    EXPECT_EQ(s.at(100), 0u);
    EXPECT_EQ(s.at(109), 0u);
    EXPECT_EQ(s.at(110), 1u);
    EXPECT_EQ(s.at(129), 2u);
    EXPECT_EQ(s.at(130), 0u);
}

TEST(Gang, SlotsGoOnBeforeTheirPhase) {
    const slots s{.phase = 100, .length = 10, .period = 3};
    EXPECT_EQ(s.at(99), 2u);
    EXPECT_EQ(s.at(90), 2u);
    EXPECT_EQ(s.at(89), 1u);
    EXPECT_EQ(s.at(70), 0u);
    EXPECT_EQ(s.end_of_turn(99), 100u);
    EXPECT_EQ(s.end_of_turn(90), 100u);
    EXPECT_EQ(s.end_of_turn(89), 90u);
}

// Two members that read the clock within a turn agree; a turn ends where the next one begins, everybody has one in
// each round, and it is as long as the others'.
TEST(Gang, SlotsAgreeForAllMembersAndAreFair) {
    parley::base::rng random(3);
    for (int i = 0; i < 5000; ++i) {
        const slots s{.phase = random.below(10'000), .length = 1 + random.below(500), .period = 1 + random.below(7)};
        const nanoseconds now = random.below(20'000);
        const nanoseconds end = s.end_of_turn(now);
        ASSERT_GT(end, now);
        ASSERT_LE(end, now + s.length);
        ASSERT_EQ(s.at(end - 1), s.at(now));
        ASSERT_EQ(s.at(end), (s.at(now) + 1) % s.period);
        for (std::uint32_t who = 0; who < s.period; ++who) {
            const nanoseconds mine = s.next_turn(who, now);
            ASSERT_EQ(s.at(mine), who);
            ASSERT_LT(mine, now + s.length * s.period);
            ASSERT_TRUE(mine == now || s.at(mine - 1) != who) << "at its very beginning";
        }
    }
}

TEST(Gang, WeightsTakeSeveralTurns) {
    const turns heavy{.first = 0, .count = 3}, light{.first = 3, .count = 1};
    const slots s{.length = 1, .period = 4};
    int of_heavy = 0, of_light = 0;
    for (nanoseconds t = 0; t < 400; ++t) {
        of_heavy += heavy.contains(s.at(t)) ? 1 : 0;
        of_light += light.contains(s.at(t)) ? 1 : 0;
        EXPECT_NE(heavy.contains(s.at(t)), light.contains(s.at(t)));
    }
    EXPECT_EQ(of_heavy, 300);
    EXPECT_EQ(of_light, 100);
}

}  // namespace
