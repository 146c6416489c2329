// How much a thief asks for, with the transitions of figure 5.3 of the thesis.
#include <parley/protocol/stealing.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace parley::protocol;

constexpr std::uint32_t N = steal_adaptive::interval;

TEST(Stealing, OneAsksForOne) {
    steal_one s;
    for (std::uint64_t run = 0; run < 1000; run += 7) ASSERT_EQ(s.wish(run), amount::one);
}

TEST(Stealing, HalfAsksForHalf) {
    steal_half s;
    for (std::uint64_t run = 0; run < 1000; run += 7) ASSERT_EQ(s.wish(run), amount::half);
}

TEST(Stealing, StrategiesAreNamedAsInTheEnvironment) {
    EXPECT_STREQ(steal_one::name, "one");
    EXPECT_STREQ(steal_half::name, "half");
    EXPECT_STREQ(steal_adaptive::name, "adaptive");
}

// A worker with an adaptive strategy, that steals and runs tasks.
struct thief {
    steal_adaptive strategy;
    std::uint64_t ran = 0;

    // N steals, and M tasks run meanwhile. The wish of the last one.
    amount interval(std::uint64_t M) {
        for (std::uint32_t i = 1; i < N; ++i) {
            const amount before = strategy.current;
            EXPECT_EQ(strategy.wish(ran), before) << "changed within an interval";
        }
        ran += M;
        return strategy.wish(ran);
    }
    amount at_half() {
        EXPECT_EQ(interval(N), amount::half);
        return strategy.current;
    }
};

TEST(AdaptiveStealing, IntervalIsThatOfTheThesis) { EXPECT_EQ(N, 25u); }

TEST(AdaptiveStealing, BeginsWithOne) {
    steal_adaptive s;
    EXPECT_EQ(s.wish(0), amount::one);
}

// M / N = 1: every task had to be stolen by itself.
TEST(AdaptiveStealing, FromOneToHalfWhenEveryTaskWasStolen) {
    EXPECT_EQ(thief().interval(N), amount::half);
}

// Fewer tasks than answers is possible: a stolen task may still wait in the deque.
TEST(AdaptiveStealing, FromOneToHalfWhenEvenFewerWereRun) {
    EXPECT_EQ(thief().interval(0), amount::half);
    EXPECT_EQ(thief().interval(N - 1), amount::half);
}

TEST(AdaptiveStealing, StaysWithOneWhenStolenTasksBringMore) {
    EXPECT_EQ(thief().interval(N + 1), amount::one);
    EXPECT_EQ(thief().interval(1000 * N), amount::one);
}

// M / N < 2: half did not bring more.
TEST(AdaptiveStealing, FromHalfToOneWhenAveragingLessThanTwo) {
    for (const std::uint64_t M : {0u, N, 2 * N - 1}) {
        thief t;
        ASSERT_EQ(t.at_half(), amount::half);
        EXPECT_EQ(t.interval(M), amount::one) << M;
    }
}

TEST(AdaptiveStealing, StaysWithHalfFromTwoOn) {
    for (const std::uint64_t M : {2 * N, 2 * N + 1, 1000 * N}) {
        thief t;
        ASSERT_EQ(t.at_half(), amount::half);
        EXPECT_EQ(t.interval(M), amount::half) << M;
    }
}

// M counts the tasks of the last interval, not all.
TEST(AdaptiveStealing, LooksAtTheLastIntervalOnly) {
    thief t;
    EXPECT_EQ(t.interval(1'000'000), amount::one);
    EXPECT_EQ(t.interval(N), amount::half);
    EXPECT_EQ(t.interval(2 * N), amount::half);
    EXPECT_EQ(t.interval(2 * N - 1), amount::one);
    EXPECT_EQ(t.interval(N + 1), amount::one);
}

TEST(AdaptiveStealing, ComparesEqualExactlyInTheSameState) {
    steal_adaptive a;
    steal_adaptive b;
    EXPECT_EQ(a, b);
    (void)a.wish(0);
    EXPECT_NE(a, b);
    (void)b.wish(0);
    EXPECT_EQ(a, b);
}

}  // namespace
