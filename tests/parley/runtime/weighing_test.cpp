// What is worth giving, and to wake for, and how long a loop lasts, with times that the test says.
#include "tests/parley/runtime/told_times.hpp"

#include <parley/detail/policy/weighing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests;
using parley::threading::in_a_row;
using parley::threading::loop_times;
using parley::threading::weighing;

TEST(Weighing, SomebodyIsWokenForWhatLastsLongerThanComingAndTwiceAWake) {
    weighing w;
    for (int i = 0; i < 50; ++i) {
        w.has_woken(5us);
        w.has_come(20us);
    }
    EXPECT_NEAR(static_cast<double>(w.worth_waking().count()), 30'000, 300);
    for (int i = 0; i < 50; ++i) w.has_woken(20us);
    EXPECT_NEAR(static_cast<double>(w.worth_waking().count()), 60'000, 600);
}

// A thread that lost its processor meanwhile took milliseconds.
TEST(Weighing, OneThatTookLongCountsForLittle) {
    weighing w;
    const auto before = w.worth_waking();
    w.has_woken(1s);
    w.has_come(1s);
    EXPECT_LE(w.worth_waking(), 3 * before / 2);
    for (int i = 0; i < 100; ++i) {
        w.has_woken(1s);
        w.has_come(1s);
    }
    EXPECT_LE(w.worth_waking(), 250us);
}

TEST(Weighing, AClockThatStandsStillIsSurvived) {
    weighing w;
    for (int i = 0; i < 100; ++i) {
        w.has_woken(0ns);
        w.has_come(-1s);
    }
    EXPECT_GT(w.worth_waking(), 0ns);
}

TEST(Weighing, AThiefIsFedWithWhatLastsFourTimesAsLongAsAnAnswerTakes) {
    for (const auto answer : {1us, 3us}) {
        weighing w;
        clock_point now{1s};
        std::uint64_t sent = 0;
        for (int i = 0; i < 50; ++i) {
            w.answers(now, sent++);
            w.has_answered(now += answer, sent);
        }
        const auto fed = static_cast<double>(std::max(4 * answer, 6us).count()) * 1000;
        EXPECT_NEAR(static_cast<double>(w.worth_feeding().count()), fed, 120) << "but not less than at first";
        const auto split = static_cast<double>((4 * answer).count()) * 1000;
        EXPECT_NEAR(static_cast<double>(w.worth_splitting().count()), split, 120) << "loops have learned their costs";
    }
}

TEST(Weighing, WhereNobodyWasAnsweredNothingIsLearned) {
    weighing w;
    const auto before = w.worth_feeding();
    clock_point now{1s};
    for (int i = 0; i < 50; ++i) {
        w.answers(now, 7);
        w.has_answered(now += 1ms, 7);
        w.has_answered(now += 1ms, 8);
    }
    EXPECT_EQ(w.worth_feeding(), before);
}

TEST(Weighing, ALoopIsSharedIfItLastsTwiceAsLongAsSharingCosts) {
    weighing w;
    for (int i = 0; i < 50; ++i) w.has_shared(20us, 17us);  // two workers would have taken 10 us
    EXPECT_NEAR(static_cast<double>(w.worth_splitting().count()), 14'000, 140);
}

TEST(Weighing, OneSharedLoopThatTookLongCountsForLittle) {
    weighing w;
    for (int i = 0; i < 50; ++i) w.has_shared(20us, 15us);
    const auto before = w.worth_splitting();
    w.has_shared(20us, 10ms);
    EXPECT_LE(w.worth_splitting(), 5 * before / 4);
    for (int i = 0; i < 100; ++i) w.has_shared(20us, 10ms);
    EXPECT_LE(w.worth_splitting(), 50us) << "else nothing short would be shared again";
    EXPECT_EQ(w.worth_feeding(), weighing().worth_feeding()) << "tasks are not loops";
}

// Of 10 ms, a tenth that one worker takes longer than the other is a millisecond.
TEST(Weighing, LongLoopsSayNothingAboutWhatSharingCosts) {
    weighing w;
    const auto before = w.worth_splitting();
    for (int i = 0; i < 50; ++i) w.has_shared(10ms, 6ms);
    EXPECT_EQ(w.worth_splitting(), before);
}

// Sharing that seems to cost nothing, since the loop became shorter on its way, makes nobody share for nothing.
TEST(Weighing, ALoopThatTookLessThanHalfIsSurvived) {
    weighing w;
    for (int i = 0; i < 100; ++i) w.has_shared(5us, 0ns);
    EXPECT_GE(w.worth_splitting(), 1us);
}

TEST(Weighing, WhatWasTakenForTooDearIsTriedAgain) {
    weighing w;
    for (int i = 0; i < 50; ++i) w.has_shared(20us, 1ms);
    int kept = 0;
    for (; w.worth_splitting() > 30us && kept < 1000; ++kept) w.has_kept(30us);
    EXPECT_GE(kept, 10) << "trying costs something, too";
    EXPECT_LT(kept, 200);
}

// Before anything was ever given, the costs are a guess.
TEST(Weighing, ALoopThatIsNearlyWorthItIsTriedSometime) {
    weighing w;
    int kept = 0;
    for (; w.worth_splitting() > 5us && kept < 1000; ++kept) w.has_kept(5us);
    EXPECT_GE(kept, 10);
    EXPECT_LT(kept, 200);
    for (int i = 0; i < 1000; ++i) w.has_kept(3us);
    EXPECT_GT(w.worth_splitting(), 3us) << "and one that is far from it is not";
}

TEST(Weighing, LongLoopsThatWereKeptSayNothingAboutWhatSharingCosts) {
    weighing w;
    for (int i = 0; i < 1000; ++i) w.has_kept(40us);
    EXPECT_EQ(w.worth_splitting(), weighing().worth_splitting()) << "nobody ran who could have had a part";
}

TEST(Weighing, ShortLoopsSayNothingAboutWhatSharingCosts) {
    weighing w;
    for (int i = 0; i < 50; ++i) w.has_shared(20us, 20us);
    const auto before = w.worth_splitting();
    for (int i = 0; i < 1000; ++i) w.has_kept(1us);
    EXPECT_EQ(w.worth_splitting(), before);
}

TEST(LoopTimes, AShortLoopIsDividedAmongFew) {
    const auto most_askers = [](std::uint64_t left, float each) {
        loop_times t;
        t.notes(told{clock_point{1s}, each, 1us});
        return t.most_askers(left, costs());  // a part is worth it from 6 us on
    };
    EXPECT_EQ(most_askers(1000, 20), 3U);
    EXPECT_EQ(most_askers(1000, 1), 1U) << "the one that has asked";
    EXPECT_GT(most_askers(1'000'000'000, 100), 10'000U);
    EXPECT_GT(most_askers(10, 0), 10'000U) << "nobody knows how long they take";
}

TEST(LoopTimes, APartThatComesKnowsHowLongItLasts) {
    parley::threading::loop_times t;
    t.takes_over(20);
    EXPECT_EQ(t.last_at_least(1000), 20us);
    EXPECT_EQ(t.begin(clock_point{1s}), clock_point{1s});
    t.notes(told{clock_point{1s}, 0, 1us});
    EXPECT_EQ(t.last_at_least(1000), 20us) << "the first blocks tell nothing";
    t.notes(told{clock_point{1s}, 30, 1us});
    EXPECT_EQ(t.last_at_least(1000), 30us);
}

TEST(OwnShare, LastsUntilHalfOfItIsDone) {
    parley::threading::loop_times t;
    parley::threading::own_share own;
    constexpr clock_point now{1s};
    EXPECT_FALSE(own.lasts(1000));
    own.begins(1000, t, now);
    EXPECT_FALSE(own.lasts(1000)) << "nobody knows how long it takes";
    t.takes_over(20);
    own.begins(1000, t, now);
    EXPECT_TRUE(own.lasts(1000));
    EXPECT_TRUE(own.lasts(501));
    EXPECT_FALSE(own.lasts(500));
    own.begins(1'000'000, t, now);
    EXPECT_FALSE(own.lasts(1'000'000)) << "others would starve for long";
}

// I9.
TEST(OwnShare, EndsWhereTheTimeWasWrong) {
    parley::threading::loop_times t;
    parley::threading::own_share own;
    constexpr clock_point now{1s};
    t.takes_over(20);
    own.begins(1000, t, now);
    EXPECT_TRUE(own.lasts(900, now + 99us));
    EXPECT_FALSE(own.lasts(900, now + 100us)) << "however few iterations are done";
    own.learns(900, t, now + 99us);
    EXPECT_TRUE(own.lasts(900));
    own.learns(900, t, now + 100us);
    EXPECT_FALSE(own.lasts(900)) << "a block has ended meanwhile";
    own.begins(1000, t, now);
    t.notes(told{now, 500, 1us});
    own.learns(900, t, now);
    EXPECT_FALSE(own.lasts(900)) << "450 us are left";
}

TEST(LoopTimes, OnlyWhatWasToldHereIsSaidOfALoop) {
    parley::threading::loop_times t;
    const clock_point now = t.begin(clock_point{1s});
    t.takes_over(1000);
    EXPECT_EQ(t.each(), 1000);
    EXPECT_EQ(t.each_here(), 0);
    t.notes(told{now, 0, 1us});
    EXPECT_EQ(t.each_here(), 0);
    t.notes(told{now, 20, 1us});
    EXPECT_EQ(t.each_here(), 20);
}

TEST(LoopTimes, ALoopThatWasSharedIsSaidToLastHalfAsLongAtLeast) {
    parley::threading::loop_times t;
    const clock_point now = t.begin(clock_point{1s});
    EXPECT_EQ(t.each_of_all(100, now + 20us), 100) << "10 us in all";
    t.notes(told{now, 500, 1us});
    EXPECT_EQ(t.each_of_all(100, now + 20us), 500);
    EXPECT_EQ(t.each_of_all(100, now + 200us), 1000);
}

TEST(LoopTimes, TheFirstPartThatIsGivenTellsWhatTheLoopWouldHaveTakenAlone) {
    parley::threading::loop_times t;
    const clock_point now = t.begin(clock_point{1s});
    t.gives(1000, now);  // nobody knows how long an iteration takes
    t.notes(told{now, 20, 1us});
    t.gives(1000, now + 1us);  // 20 us are left
    t.gives(10, now + 10us);
    ASSERT_TRUE(t.was_given());
    weighing w;
    for (int i = 0; i < 50; ++i) t.was_shared(w, now + 18us);  // 17 us after the first part
    EXPECT_NEAR(static_cast<double>(w.worth_splitting().count()), 14'000, 140);
}

TEST(LoopTimes, BetweenShortBlocksSomeLooksAreLeftOut) {
    const auto looks_away_for = [](std::chrono::nanoseconds block) {
        parley::threading::loop_times t;
        t.notes(told{clock_point{1s}, 0, 1us, block});
        t.need_not_look();
        int n = 0;
        while (t.looks_away()) ++n;
        return n;
    };
    EXPECT_EQ(looks_away_for(100ns), 5);
    EXPECT_EQ(looks_away_for(1ns), 16) << "if the next ones last longer, not too many of them";
    EXPECT_EQ(looks_away_for(1us), 0);
    EXPECT_EQ(looks_away_for(0ns), 0) << "nobody knows how long they take";
}

// A part was given in the first block, when nobody knew how long the rest would last.
TEST(LoopTimes, APartThatWasGivenEarlyTeachesNothing) {
    weighing w;
    loop_times t;
    const clock_point now = t.begin(clock_point{1s});
    t.gives(1000, now);
    EXPECT_TRUE(t.was_given());
    for (int i = 0; i < 50; ++i) t.was_shared(w, now + 1ms);
    EXPECT_EQ(w.worth_splitting(), weighing().worth_splitting());
}

}  // namespace
