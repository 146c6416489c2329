// Slots: whose turn it is follows from the clock, alike for all.
#include <broker/client/allotment.hpp>
#include <broker/policy/gang.hpp>
#include <parley/detail/base/rng.hpp>

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

// From one change to the next it is always the same side's turn, and then the other's.
TEST(Gang, ChangesAreWhereTurnsBeginAndEnd) {
    parley::base::rng random(4);
    int changing = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::uint32_t period = 1 + random.below(6);
        const std::uint32_t first = random.below(period);
        const std::uint32_t count = 1 + random.below(period - first);
        const std::uint32_t length = 1'000'000 + random.below(1000);
        const gang_turns g{{.phase = random.below(10 * length), .length = length, .period = period},
                           {.first = first, .count = count}};
        const nanoseconds now = random.below(20 * length);
        const auto change = g.next_change(now);
        ASSERT_EQ(change.has_value(), count < period);
        if (!change) continue;
        ++changing;
        ASSERT_GT(*change, now);
        ASSERT_NE(g.is_own(*change), g.is_own(now));
        for (nanoseconds t = now; t < *change; t = g.round.end_of_turn(t)) ASSERT_EQ(g.is_own(t), g.is_own(now));
    }
    EXPECT_GT(changing, 1000);
}

// A page may say anything.
TEST(Gang, TurnsThatCannotBeKeptAreNone) {
    const nanoseconds long_enough = gang_turns::shortest;
    EXPECT_TRUE((gang_turns{{.length = long_enough, .period = 2}, {.first = 0}}).next_change(0));
    EXPECT_FALSE((gang_turns{{.length = long_enough - 1, .period = 2}, {.first = 0}}).next_change(0)) << "too short";
    EXPECT_FALSE((gang_turns{{.length = long_enough, .period = 2}, {.first = 2}}).next_change(0)) << "never its turn";
    EXPECT_FALSE((gang_turns{{.length = long_enough, .period = 2}, {.first = 0, .count = 0}}).next_change(0));
    EXPECT_FALSE((gang_turns{{.length = long_enough, .period = 2}, {.first = 0, .count = 9}}).next_change(0));
}

TEST(Gang, OutOfItsTurnAProgramHasItsOwnCoresOrOneShared) {
    using cores = std::vector<core_id>;
    const nanoseconds length = gang_turns::shortest;
    allotment a{.alone = {4, 9}, .shared = {2, 7}, .gang = gang_turns{{.length = length, .period = 2}, {.first = 1}}};
    EXPECT_EQ(a.cores_at(length), (cores{2, 4, 7, 9}));
    EXPECT_EQ(a.cores_at(0), (cores{4, 9}));
    EXPECT_EQ(a.next_change(0), length);
    a.alone.clear();
    EXPECT_EQ(a.cores_at(length), (cores{2, 7}));
    EXPECT_EQ(a.cores_at(0), cores{2});
    a.shared = {7};
    EXPECT_EQ(a.cores_at(0), cores{7});
    EXPECT_FALSE(a.next_change(0)) << "it would change nothing";
    a.gang.reset();
    EXPECT_EQ(a.cores_at(0), cores{7});
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
