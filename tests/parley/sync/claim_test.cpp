// The claim word: several try to change it, one succeeds.
#include <parley/detail/sync/claim.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace channel_test;

enum class state : unsigned char { home, out, taken };
using claim = parley::sync::claim<state>;

TEST(Claim, HoldsWhatWasSet) {
    claim c(state::out);
    EXPECT_EQ(c.get(), state::out);
    c.set(state::home);
    EXPECT_EQ(c.get(), state::home);
}

TEST(Claim, MovesFromTheExpectedStateOnly) {
    claim c(state::home);
    EXPECT_FALSE(c.move(state::out, state::taken));
    EXPECT_EQ(c.get(), state::home);
    EXPECT_TRUE(c.move(state::home, state::out));
    EXPECT_EQ(c.get(), state::out);
}

struct contest {
    claim word{state::home};
    long wish = 0;    // written by the setter of `out`
    long result = 0;  // written by whoever takes it
};

// The winner sees what the setter wrote, and who reads the winner's state sees what the winner wrote
// before; all of that is plain memory.
TEST(ClaimStress, ExactlyOneWins) {
    constexpr long rounds = 2000;
    constexpr unsigned rivals = 4;
    std::vector<contest> contests(rounds);
    std::array<long, rivals> won{};
    pace<rivals> together;
    in_parallel(rivals + 1, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            contest& c = contests[static_cast<std::size_t>(round)];
            if (me == rivals) {
                c.wish = round;
                c.word.set(state::out);
                continue;
            }
            together.keep(me, round);
            bool mine = false;
            spin_until([&] {
                mine = c.word.move(state::out, state::taken);
                return mine || c.word.get() == state::taken;
            });
            if (!mine) continue;
            ++won[me];
            ASSERT_EQ(c.wish, round);
        }
    });
    long all = 0;
    for (const long count : won) all += count;
    EXPECT_EQ(all, rounds);
}

TEST(ClaimStress, WhoReadsTheStateSeesWhatWentWithIt) {
    constexpr long rounds = 5000;
    std::vector<contest> contests(rounds);
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            contest& c = contests[static_cast<std::size_t>(round)];
            if (me == 0) {
                c.wish = round;
                c.word.set(state::out);
                spin_until([&] { return c.word.get() == state::taken; });
                ASSERT_EQ(c.result, -round);
            } else {
                spin_until([&] { return c.word.get() == state::out; });
                ASSERT_EQ(c.wish, round);
                c.result = -round;
                ASSERT_TRUE(c.word.move(state::out, state::taken));
            }
        }
    });
}

// Two holders; the second to let go frees what both held, and knows it by losing.
TEST(ClaimStress, WhoLosesMayActOnWhatTheWinnerDid) {
    constexpr long rounds = 10'000;
    struct held {
        claim word{state::out};
        std::array<long, 2> written{};
    };
    std::vector<std::unique_ptr<held>> all(rounds);
    for (auto& one : all) one = std::make_unique<held>();
    std::vector<long> freed(rounds, 0);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            const auto r = static_cast<std::size_t>(round);
            held* const both = all[r].get();
            together.keep(me, round);
            both->written[me] = round + 1;
            if (both->word.move(state::out, state::taken)) continue;
            ASSERT_EQ(both->written[0] + both->written[1], 2 * (round + 1));
            all[r].reset();
            ++freed[r];
        }
    });
    for (const long count : freed) ASSERT_EQ(count, 1);
}

}  // namespace
