// How much a thief asks for, with the transitions of figure 5.3 of the thesis.
#include <parley/detail/protocol/stealing.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace parley::protocol;

constexpr std::uint32_t N = steal_adaptive::interval;

TEST(Stealing, OneAsksForOne) { EXPECT_EQ(steal_one().wish(), amount::one); }

TEST(Stealing, HalfAsksForHalf) { EXPECT_EQ(steal_half().wish(), amount::half); }

TEST(Stealing, StrategiesAreNamedAsInTheEnvironment) {
    EXPECT_STREQ(steal_one::name, "one");
    EXPECT_STREQ(steal_half::name, "half");
    EXPECT_STREQ(steal_adaptive::name, "adaptive");
}

// Requests that were withdrawn, or that nobody could answer, are no steals.
TEST(AdaptiveStealing, CountsWhatArrives) {
    steal_adaptive s;
    for (std::uint32_t i = 0; i < 10 * N; ++i) ASSERT_EQ(s.wish(), amount::one);
    EXPECT_EQ(s, steal_adaptive());
}

// A worker with an adaptive strategy, that steals and runs tasks.
struct thief {
    steal_adaptive strategy;
    std::uint64_t ran = 0;

    // N steals, and M tasks run meanwhile. The wish after them.
    amount interval(std::uint64_t M) {
        const amount before = strategy.wish();
        for (std::uint32_t i = 1; i < N; ++i) {
            strategy.stole(ran);
            EXPECT_EQ(strategy.wish(), before) << "changed within an interval";
        }
        ran += M;
        strategy.stole(ran);
        return strategy.wish();
    }
    amount at_half() {
        EXPECT_EQ(interval(N), amount::half);
        return strategy.current;
    }
};

TEST(AdaptiveStealing, IntervalIsThatOfTheThesis) { EXPECT_EQ(N, 25u); }

TEST(AdaptiveStealing, BeginsWithOne) { EXPECT_EQ(steal_adaptive().wish(), amount::one); }

// M / N = 1: every task had to be stolen by itself.
TEST(AdaptiveStealing, FromOneToHalfWhenEveryTaskWasStolen) { EXPECT_EQ(thief().interval(N), amount::half); }

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
    a.stole(0);
    EXPECT_NE(a, b);
    b.stole(0);
    EXPECT_EQ(a, b);
}

}  // namespace
