// How long the blocks of a loop get, with a clock that the test moves.
#include <parley/runtime/block_length.hpp>

#include <gtest/gtest.h>

#include <algorithm>

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
            length.block_ends(moved_clock{});
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
        EXPECT_EQ(b.length.now(), std::max<std::uint64_t>(longest, 1));
    }
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
