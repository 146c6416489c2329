// How long the blocks of a loop get, with a clock that the test moves.
#include <parley/detail/policy/block_length.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace {

using namespace std::chrono_literals;
using parley::threading::block_length;

struct moved_clock {
    static inline block_length::clock::time_point time{};
    static inline int looks = 0;
    static block_length::clock::time_point now() {
        ++looks;
        return time;
    }
};

struct blocks {
    block_length length;
    explicit blocks(std::uint64_t longest) : length(longest, moved_clock::time) { moved_clock::looks = 0; }
    void run(int n, std::chrono::nanoseconds each) {
        for (; n > 0; --n) {
            moved_clock::time += each * length.now();
            const int looks = moved_clock::looks;
            const bool says_that_it_looked = length.block_ends(moved_clock{});
            EXPECT_EQ(says_that_it_looked, moved_clock::looks > looks);
        }
    }
};

TEST(BlockLength, BeginsWithOne) { EXPECT_EQ(blocks(1000).length.now(), 1U); }

TEST(BlockLength, GrowsToAboutAMicrosecond) {
    for (const auto each : {1ns, 7ns, 100ns, 300ns}) {
        blocks b(1'000'000);
        b.run(20, each);
        EXPECT_GE(each * b.length.now(), 500ns);
        EXPECT_LE(each * b.length.now(), 4us);
    }
}

// A first iteration that fetches everything tells nothing of the others, unless it is long in itself.
TEST(BlockLength, KnowsWhatAnIterationTakesOnceABlockTells) {
    for (const auto each : {2ns, 10ns, 100ns}) {
        blocks b(1'000'000);
        b.run(1, 400ns);
        EXPECT_EQ(b.length.each(), 0) << "it was cold";
        b.run(6, each);
        EXPECT_NEAR(b.length.each(), static_cast<double>(each.count()), 0.1);
    }
    blocks b(1000);
    b.run(1, 1ms);
    EXPECT_EQ(b.length.each(), 1e6F);
}

// A short loop on many workers has blocks of a few iterations, and none of them tells anything alone.
TEST(BlockLength, ShortBlocksTellTogetherWhatAnIterationTakes) {
    blocks b(8);
    b.run(1, 400ns);
    b.run(3, 7ns);
    EXPECT_EQ(b.length.each(), 0);
    b.run(200, 7ns);
    EXPECT_NEAR(b.length.each(), 7, 0.1);
}

TEST(BlockLength, KnowsHowLongABlockOfThisLengthTakes) {
    blocks b(8);
    EXPECT_EQ(b.length.block(), 0ns);
    b.run(1, 7ns);
    EXPECT_EQ(b.length.block(), 0ns) << "the next ones are longer";
    b.run(1, 7ns);
    EXPECT_EQ(b.length.block(), 56ns);
}

TEST(BlockLength, WhatItsWorkerDoesBetweenBlocksIsLeftOut) {
    for (const std::uint64_t longest : {8U, 1000U}) {
        blocks b(longest);
        for (int i = 0; i < 300; ++i) {
            b.run(1, 7ns);
            moved_clock::time += 2us;
            b.length.leave_out(2us);
        }
        EXPECT_NEAR(b.length.each(), 7, 0.1);
        EXPECT_LE(b.length.so_far(), 300 * 7ns * longest);
    }
}

TEST(BlockLength, GrowsInFewSteps) {
    for (const auto each : {1ns, 30ns, 70ns, 499ns}) {
        blocks b(1'000'000);
        for (int steps = 0; each * b.length.now() < 500ns; ++steps) {
            ASSERT_LT(steps, 4) << each.count();
            const auto before = each * b.length.now();
            b.run(1, each);
            ASSERT_LE(each * b.length.now(), 2us) << "from " << before.count();
        }
    }
}

TEST(BlockLength, StaysOneWhereOneIterationIsLong) {
    blocks b(1'000'000);
    b.run(20, 1ms);
    EXPECT_EQ(b.length.now(), 1U);
}

TEST(BlockLength, FollowsBodiesThatChange) {
    blocks b(1'000'000);
    b.run(20, 1ns);
    EXPECT_GE(b.length.now(), 500U);
    b.run(200, 10us);
    EXPECT_EQ(b.length.now(), 1U);
    b.run(200, 1ns);
    EXPECT_GE(b.length.now(), 500U);
}

TEST(BlockLength, HasABound) {
    for (const std::uint64_t longest : {0U, 1U, 50U}) {
        blocks b(longest);
        b.run(20, 1ns);
        EXPECT_EQ(b.length.now(), std::bit_floor(std::max<std::uint64_t>(longest, 1)));
    }
}

// From wherever a part of a loop begins.
TEST(BlockLength, BlocksEndAtMultiplesOfTheirLength) {
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{12'345}}) {
        blocks b(1'000'000);
        std::uint64_t next = first;
        for (int i = 0; i < 100; ++i) {
            const std::uint64_t length = b.length.at(next);
            ASSERT_GE(length, 1U);
            ASSERT_LE(length, b.length.now());
            next += length;
            ASSERT_EQ(next % b.length.now(), 0U);
            b.run(1, 1ns);
        }
        EXPECT_GE(b.length.now(), 500U);
    }
}

TEST(BlockLength, LastNumbersDoNotWrapAround) {
    blocks b(1'000'000);
    b.run(20, 1ns);
    constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(b.length.at(end), 1U);
    EXPECT_LE(b.length.at(end - 5), 6U);
}

TEST(BlockLength, LooksAtTheClockSeldomWhereItIsRight) {
    blocks b(1'000'000);
    b.run(20, 1ns);
    moved_clock::looks = 0;
    b.run(1600, 1ns);
    EXPECT_LE(moved_clock::looks, 200);
    EXPECT_GE(moved_clock::looks, 50);
}

}  // namespace
