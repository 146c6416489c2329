// The attention word.
#include <parley/detail/sync/attention.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

namespace {

using namespace channel_test;
using parley::sync::attention;

TEST(Attention, NothingIsRaisedAtFirst) {
    const attention word;
    EXPECT_FALSE(word.any());
    EXPECT_EQ(word.get(), 0u);
}

TEST(Attention, RaiseSetsBitsAndReturnsTheWordAsItWas) {
    attention word;
    EXPECT_EQ(word.raise(1), 0u);
    EXPECT_EQ(word.raise(6), 1u);
    EXPECT_EQ(word.raise(3), 7u);
    EXPECT_EQ(word.get(), 7u);
    EXPECT_TRUE(word.any());
}

TEST(Attention, LowerClearsItsBitsAndNoOther) {
    attention word;
    word.raise_and_wake(15);
    word.lower(5);
    EXPECT_EQ(word.get(), 10u);
    word.lower(26);
    EXPECT_EQ(word.get(), 0u);
    EXPECT_FALSE(word.any());
}

// Two change one word all the time, each its own bit: neither wipes out nor brings back the other's.
TEST(AttentionStress, BitsOfOthersSurvive) {
    constexpr int rounds = 2'000'000;
    attention word;
    in_parallel(2, [&](unsigned me) {
        const attention::bits mine = 1u << me;
        for (int round = 0; round < rounds; ++round) {
            ASSERT_EQ(word.raise(mine) & mine, 0u) << "it was down";
            ASSERT_EQ(word.get() & mine, mine);
            word.lower(mine);
        }
    });
    EXPECT_EQ(word.get(), 0u);
}

// Each raiser waits until its own bit was answered, so one bit that a plain
// store has wiped out stops the test. What is carried beside the bit is plain memory.
TEST(AttentionStress, NoBitIsLostAndEachCarriesWhatWasDoneBefore) {
    constexpr long rounds = 3000;
    attention word;
    std::array<long, crowd_size> carried{};
    std::array<long, crowd_size> seen{};
    in_parallel(crowd_size + 1, [&](unsigned me) {
        if (me < crowd_size) {
            const attention::bits mine = 1u << me;
            for (long round = 1; round <= rounds; ++round) {
                carried[me] = round;
                word.raise(mine);
                spin_until([&] { return (word.get() & mine) == 0; });
            }
            return;
        }
        for (long answered = 0; answered < rounds * crowd_size;) {
            const attention::bits up = word.get();
            for (unsigned i = 0; i < crowd_size; ++i) {
                if ((up & (1u << i)) == 0) continue;
                EXPECT_EQ(carried[i], seen[i] + 1);
                seen[i] = carried[i];
                ++answered;
                word.lower(1u << i);
            }
            if (up == 0) std::this_thread::yield();
        }
    });
    for (const long count : seen) EXPECT_EQ(count, rounds);
}

// The owner's way on the fast path: a relaxed look, then lower() alone orders.
TEST(AttentionStress, LowerSeesWhatWasDoneBeforeTheRaise) {
    constexpr long rounds = 5000;
    attention word;
    std::vector<long> carried(rounds, 0);
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            const auto r = static_cast<std::size_t>(round);
            if (me == 0) {
                carried[r] = round + 1;
                word.raise(1);
                spin_until([&] { return !word.any(); });
            } else {
                spin_until([&] { return word.any(); });
                word.lower(1);
                ASSERT_EQ(carried[r], round + 1);
            }
        }
    });
}

// Dekker's pattern, on which the lobby and the sleeping protocol rest: both raise, then look at the
// other's word; at least one sees the other.
TEST(AttentionStress, OneOfTwoWhoRaiseAndLookSeesTheOther) {
    constexpr long rounds = 20'000;
    struct pair {
        attention words[2];
        std::array<bool, 2> saw{};
    };
    std::vector<pair> pairs(rounds);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            pair& p = pairs[static_cast<std::size_t>(round)];
            together.keep(me, round);
            p.words[me].raise(1);
            p.saw[me] = p.words[1 - me].get() != 0;
        }
    });
    for (const pair& p : pairs) ASSERT_TRUE(p.saw[0] || p.saw[1]);
}

}  // namespace
