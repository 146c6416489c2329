// A flag that goes up once, and a pointer that is installed once.
#include <parley/detail/sync/flag.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace channel_test;
using parley::sync::flag;
using parley::sync::installed_once;

TEST(Flag, GoesUpOnceAndDownAgain) {
    flag f;
    EXPECT_FALSE(f.is_up());
    EXPECT_TRUE(f.is_down_acquire());
    EXPECT_TRUE(f.put_up());
    EXPECT_FALSE(f.put_up());
    EXPECT_TRUE(f.is_up());
    EXPECT_FALSE(f.is_down_acquire());
    f.take_down();
    EXPECT_FALSE(f.is_up());
    EXPECT_TRUE(f.is_down_acquire());
    EXPECT_TRUE(f.put_up());
}

TEST(FlagStress, ExactlyOnePutsItUpAndTheOthersSeeWhatItDidBefore) {
    constexpr long rounds = 10'000;
    struct contest {
        flag up;
        std::array<long, 2> written{};
        std::array<bool, 2> won{};
    };
    std::vector<contest> contests(rounds);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            contest& c = contests[static_cast<std::size_t>(round)];
            together.keep(me, round);
            c.written[me] = round;
            c.won[me] = c.up.put_up();
            if (!c.won[me]) {
                ASSERT_EQ(c.written[1 - me], round);
            }
        }
    });
    for (const contest& c : contests) ASSERT_NE(c.won[0], c.won[1]);
}

// As a thing that two use in turns: who sees it down has it until it puts it up.
TEST(FlagStress, WhoSeesItDownSeesWhatWasDoneBefore) {
    constexpr long rounds = 5000;
    flag away;
    long thing = 0;
    std::atomic<bool> here{false};  // the way out; the way back is the flag's alone
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            if (me == 0) {
                spin_until([&] { return away.is_down_acquire(); });
                ASSERT_EQ(thing, 2 * round);
                ++thing;
                ASSERT_TRUE(away.put_up());
                here.store(true, std::memory_order_release);
            } else {
                spin_until([&] { return here.load(std::memory_order_acquire); });
                here.store(false, std::memory_order_relaxed);
                ++thing;
                away.take_down();
            }
        }
    });
    EXPECT_EQ(thing, 2 * rounds);
}

TEST(InstalledOnce, IsNullAtFirst) {
    const installed_once<int> i;
    EXPECT_EQ(i.get(), nullptr);
}

TEST(InstalledOnce, KeepsTheFirst) {
    installed_once<int> i;
    int first = 1;
    int second = 2;
    EXPECT_EQ(i.install(&first), nullptr);
    EXPECT_EQ(i.install(&second), &first);
    EXPECT_EQ(i.get(), &first);
}

// Each makes an object of its own; all end up with the same one, and see it constructed.
TEST(InstalledOnceStress, ExactlyOneIsInstalledAndAllSeeItWhole) {
    constexpr long rounds = 1500;
    constexpr unsigned makers = 3;
    struct meeting {
        installed_once<long> place;
        std::array<const long*, makers + 1> used{};
        std::array<bool, makers> installed{};
    };
    std::vector<meeting> meetings(rounds);
    pace<makers + 1> together;
    in_parallel(makers + 1, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            together.keep(me, round);
            if (me == makers) {
                spin_until([&] { return (m.used[me] = m.place.get()) != nullptr; });
            } else {
                auto mine = std::make_unique<long>(round);
                const long* const theirs = m.place.install(mine.get());
                m.installed[me] = theirs == nullptr;
                m.used[me] = theirs == nullptr ? mine.release() : theirs;
            }
            ASSERT_EQ(*m.used[me], round);
        }
    });
    for (meeting& m : meetings) {
        int installed = 0;
        for (const bool one : m.installed) installed += one ? 1 : 0;
        ASSERT_EQ(installed, 1);
        for (const long* p : m.used) ASSERT_EQ(p, m.place.get());
        delete m.place.get();
    }
}

}  // namespace
