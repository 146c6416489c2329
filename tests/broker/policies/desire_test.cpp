// The three classes, and how desire follows from them.
#include <broker/policy/desire.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace parley::broker;

constexpr std::uint32_t machine = 48;

TEST(Classes, AreThoseOfThePaper) {
    EXPECT_EQ(classify(0.79, 4, 4, 0.8), program_class::inefficient);
    EXPECT_EQ(classify(0.79, 3, 4, 0.8), program_class::inefficient) << "whatever it desires";
    EXPECT_EQ(classify(0.80, 4, 4, 0.8), program_class::satisfied);
    EXPECT_EQ(classify(0.80, 5, 4, 0.8), program_class::satisfied);
    EXPECT_EQ(classify(0.80, 3, 4, 0.8), program_class::deprived);
}

desire after(desire d, double efficiency, double busy, std::uint32_t allotment, std::uint32_t most = machine) {
    return next_desire(d, efficiency, busy, allotment, most, {});
}

TEST(Desire, GrowsByTheFactorWhenSatisfied) {
    EXPECT_EQ(after({.cores = 1}, 1.0, 1, 1).cores, 2u);
    EXPECT_EQ(after({.cores = 6}, 0.9, 5.4, 6).cores, 12u);
    EXPECT_EQ(after({.cores = 6}, 0.9, 5.4, 6, 8).cores, 8u) << "not beyond its workers";
}

TEST(Desire, StaysWhenDeprived) { EXPECT_EQ(after({.cores = 12}, 1.0, 6, 6).cores, 12u); }

TEST(Desire, ShrinksToWhatItWasBusyOnWhenInefficient) {
    EXPECT_EQ(after({.cores = 16}, 9 / 16.0, 9, 16).cores, 10u);
    EXPECT_EQ(after({.cores = 16}, 1 / 16.0, 1, 16).cores, 8u) << "by the factor at most";
    EXPECT_EQ(after({.cores = 48}, 1 / 8.0, 1, 8).cores, 4u) << "of what it had";
    EXPECT_EQ(after({.cores = 2}, 0.5, 1, 2).cores, 1u) << "a serial program does not keep two";
    EXPECT_EQ(after({.cores = 1}, 0.1, 0.1, 1).cores, 1u);
}

TEST(Desire, HoldsOffTwiceAsLongAfterEachFailure) {
    // A program that can use 8 cores, on a machine that gives it what it desires.
    desire d{.cores = 8};
    std::vector<int> pauses;
    int pause = 0;
    for (int q = 0; q < 80; ++q) {
        const std::uint32_t a = d.cores;
        d = after(d, std::min(1.0, 8.0 / a), std::min(8.0, 1.0 * a), a);
        if (d.cores > 9) {
            pauses.push_back(pause);
            pause = 0;
        } else {
            ++pause;
        }
    }
    ASSERT_GE(pauses.size(), 5u);
    EXPECT_EQ(pauses[0], 0);
    EXPECT_LT(pauses[1], pauses[2]);
    EXPECT_LT(pauses[2], pauses[3]);
    EXPECT_LE(pauses.back(), 1 + static_cast<int>(desire_options{}.longest));
    EXPECT_GE(pauses.back(), static_cast<int>(desire_options{}.longest));
}

TEST(Desire, AGrowthThatWasRightEndsTheHoldOff) {
    desire d = after({.cores = 4, .hold_off = 4, .wait = 0, .grew = true}, 1.0, 4, 4);
    EXPECT_EQ(d.hold_off, 0u);
    EXPECT_EQ(d.cores, 8u);
}

TEST(Desire, DeprivationHalvesTheHoldOff) { EXPECT_EQ(after({.cores = 4, .hold_off = 4}, 1.0, 2, 2).hold_off, 2u); }

TEST(Desire, FixedParallelismConvergesWithBoundedMoves) {
    for (std::uint32_t width = 1; width <= machine; ++width) {
        desire d;
        std::uint64_t gained = 0;
        constexpr int quanta = 400;
        for (int q = 0; q < quanta; ++q) {
            const std::uint32_t a = d.cores;
            const double busy = std::min(a, width);
            d = after(d, busy / a, busy, a);
            gained += d.cores > a ? d.cores - a : 0;
        }
        // One growth from `width` to twice that in each round of hold-off, growth and return.
        const double rounds = quanta / (1.0 + desire_options{}.longest) + 8;
        EXPECT_LE(static_cast<double>(gained), machine + rounds * (width * 1.25 + 2)) << width;
        EXPECT_GE(d.cores, width);
    }
}

TEST(Desire, IsAlwaysWithinItsBounds) {
    parley::base::rng random(7);
    for (int i = 0; i < 20000; ++i) {
        const std::uint32_t most = 1 + random.below(64);
        desire d{.cores = 1 + random.below(64),
                 .hold_off = random.below(20),
                 .wait = random.below(20),
                 .grew = random.below(2) == 1};
        const std::uint32_t a = random.below(70);
        const double efficiency = random.below(1001) / 1000.0;
        const desire n = after(d, efficiency, efficiency * a, a, most);
        ASSERT_GE(n.cores, 1u);
        ASSERT_LE(n.cores, most);
        if (n.judged == program_class::inefficient) {
            ASSERT_LE(n.cores, d.cores);
        }
    }
}

}  // namespace
