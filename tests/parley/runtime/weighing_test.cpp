// What is worth giving, and to wake for, with times that the test says.
#include <parley/detail/policy/weighing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace {

using namespace std::chrono_literals;
using parley::threading::burst;
using parley::threading::in_a_row;
using parley::threading::looking;
using parley::threading::loop_times;
using parley::threading::weighing;
using clock_point = burst::clock::time_point;

constexpr auto is_long = 50us;

// To feed a thief costs 1.5 us at first, and to wake one 50 us.
weighing costs() { return {}; }

in_a_row unused;

constexpr std::uintptr_t here = 0x5000, deeper = 0x4000, above = 0x6000;
constexpr std::uintptr_t one_task = 0x10, another_task = 0x20;

struct told {
    clock_point began;
    float per_iteration;
    std::chrono::nanoseconds for_so_long;
    std::chrono::nanoseconds per_block{};
    [[nodiscard]] clock_point first() const { return began; }
    [[nodiscard]] float each() const { return per_iteration; }
    [[nodiscard]] std::chrono::nanoseconds block() const { return per_block; }
    [[nodiscard]] std::chrono::nanoseconds so_far() const { return for_so_long; }
};

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

TEST(LoopTimes, NobodyGetsLessThanIsWorthIt) {
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

TEST(Weighing, ShortLoopsSayNothingAboutWhatSharingCosts) {
    weighing w;
    for (int i = 0; i < 50; ++i) w.has_shared(20us, 20us);
    const auto before = w.worth_splitting();
    for (int i = 0; i < 1000; ++i) w.has_kept(1us);
    EXPECT_EQ(w.worth_splitting(), before);
}

// What block_length.hpp tells of blocks.

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

TEST(Burst, LastsFromItsFirstTaskOn) {
    burst b;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), unused);
    EXPECT_EQ(b.lasts(now += 3us, is_long), 3us);
    EXPECT_FALSE(b.is_over_at(deeper)) << "forked by what it has called";
    EXPECT_EQ(b.lasts(now += 3us, is_long), 6us);
    EXPECT_TRUE(b.is_over_at(here)) << "the next fork of that frame";
    EXPECT_TRUE(b.is_over_at(above));
}

TEST(Burst, OfOneScopeEndsWithIt) {
    burst b;
    b.begin(here, 7, one_task, clock_point{1s}, costs(), unused);
    EXPECT_FALSE(b.is_over_in(7));
    EXPECT_TRUE(b.is_over_in(8));
}

TEST(Burst, OfAScopeEndsWhenTheScopeIsAwaited) {
    burst b;
    clock_point now{1s};
    b.begin(here, 7, one_task, now, costs(), unused);
    b.is_awaited(8);
    EXPECT_FALSE(b.is_over_in(7)) << "another scope was awaited";
    b.is_awaited(7);
    EXPECT_TRUE(b.is_over_in(7));
    b.begin(here, 7, another_task, now += 1ms, costs(), unused);
    EXPECT_EQ(b.lasts(now += 1us, is_long), 1us);
}

TEST(Burst, OneThatWasLongIsTakenForLongTheNextTime) {
    burst b;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), unused);
    EXPECT_EQ(b.lasts(now += is_long, is_long), burst::duration::max());
    b.begin(here, 0, one_task, now += 1ms, costs(), unused);
    EXPECT_EQ(b.lasts(now, is_long), burst::duration::max());
    b.begin(here, 0, another_task, now += 1ms, costs(), unused);
    EXPECT_EQ(b.lasts(now += 1us, is_long), 1us) << "other code";
}

// Of two leaves of 10 us, say: nobody is to be woken for them, but a thief that runs may have one.
TEST(Burst, HowLongTheLastOnesTookIsRemembered) {
    burst b;
    clock_point now{1s};
    for (int i = 0; i < 5; ++i) {
        b.begin(here, 0, one_task, now, costs(), unused);
        const burst::duration known = b.lasts(now, is_long);
        EXPECT_EQ(known, i == 0 ? 0us : 20us) << "they follow each other closely";
        now += 20us;
    }
}

// What follows closely is together worth a wake-up now and then, and not for each piece.
TEST(InARow, BurstsAreTogetherWorthAWakeUp) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    int worth_waking = 0;
    for (int i = 0; i < 100; ++i, now += 20us) {
        b.begin(here, 0, one_task, now, costs(), row);
        EXPECT_LT(b.lasts(now, is_long), is_long);
        if (!row.is_worth_waking(now, is_long)) continue;
        ++worth_waking;
        row.has_woken();
    }
    EXPECT_GE(worth_waking, 5) << "somebody would stay awake for the next ones";
    EXPECT_LE(worth_waking, 12) << "but is not woken for each of them";
}

// Of each only the first block is timed, as of most short loops.
struct kept_loops {
    weighing weight = costs();
    in_a_row row;
    clock_point now{1s};
    int worth_waking = 0;

    void follow(int n, weighing::duration each, weighing::duration pause) {
        for (int i = 0; i < n; ++i, now += each + pause) {
            if (row.is_worth_waking(now + each / 2, weight.worth_waking())) {
                ++worth_waking;
                row.has_woken();
            }
            loop_times times;
            times.begin(now);
            times.notes(told{now, 100, 100ns});
            times.was_kept(weight, row, now + each);
        }
    }
};

TEST(InARow, LoopsAreTogetherWorthAWakeUp) {
    kept_loops closely;
    closely.follow(100, 20us, 1us);
    EXPECT_GE(closely.worth_waking, 5);
    EXPECT_LE(closely.worth_waking, 12);
}

// A search that finds something in its first block is such a loop: it knows no times.
TEST(InARow, ALoopThatWasStoppedDoesNotCount) {
    weighing w;
    in_a_row row;
    const clock_point now{1h};
    loop_times{}.was_kept(w, row, now);
    row.adds(now, now + 20us, is_long);
    EXPECT_FALSE(row.is_worth_waking(now + 21us, is_long));
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

TEST(InARow, WhatLiesInAnotherPieceCountsOnce) {
    in_a_row row;
    const clock_point now{1s};
    for (int i = 0; i < 100; ++i) row.adds(now, now + 20us, is_long);
    row.adds(now - 10us, now + 30us, is_long);  // around all of them
    EXPECT_FALSE(row.is_worth_waking(now + 31us, is_long));
    row.adds(now + 31us, now + 230us, is_long);
    EXPECT_TRUE(row.is_worth_waking(now + 231us, is_long));
}

TEST(InARow, LoopsThatAreNotWorthFeedingAreNotWorthAWakeUp) {
    kept_loops short_ones;
    short_ones.follow(1000, 1us, 100ns);
    EXPECT_EQ(short_ones.worth_waking, 0);
}

TEST(InARow, LoopsThatDoNotFollowCloselyAreNotWorthAWakeUp) {
    kept_loops now_and_then;
    now_and_then.follow(100, 20us, 60us);
    EXPECT_EQ(now_and_then.worth_waking, 0);
}

TEST(InARow, WhatFollowsALongPauseBeginsAnew) {
    kept_loops l;
    l.follow(9, 20us, 1us);
    l.now += 1ms;
    l.follow(9, 20us, 1us);
    EXPECT_EQ(l.worth_waking, 0);
}

// One look at its beginning says nothing of what came after it, where there is a pause; two close to each other and none
// after that do.
TEST(Burst, AfterSomeShortOnesItIsTakenForShort) {
    burst b;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), unused);
    b.has_lasted(is_long);
    for (int i = 0; i < 100; ++i) {
        b.begin(here, 0, one_task, now += 1ms, costs(), unused);
        EXPECT_EQ(b.lasts(now, is_long), burst::duration::max()) << "nobody knows that it was short";
    }
    int still_long = 0;
    for (int i = 0; i < 20; ++i) {
        b.begin(here, 0, one_task, now += 1ms, costs(), unused);
        if (b.lasts(now, is_long) == burst::duration::max()) ++still_long;
        (void)b.lasts(now += 1us, is_long);
    }
    EXPECT_GE(still_long, 2);
    EXPECT_LE(still_long, 5);
    EXPECT_LE(b.lasts(now, is_long), 2us);
}

TEST(Burst, TimeWithoutAProcessorIsLeftOut) {
    burst b;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), unused);
    EXPECT_EQ(b.lasts(now += 2us, is_long), 2us);
    EXPECT_EQ(b.not_seen_for(now + 4ms), 4ms);
    b.leave_out(now += 4ms);
    EXPECT_EQ(b.lasts(now += 1us, is_long), 3us);
}

// Of thieves on the victim's own core, say.
TEST(NobodyRuns, ForSomeTimeSlicesOfLooksThatFollowEachOther) {
    parley::threading::nobody_runs nobody;
    clock_point now{1s};
    int looks = 0;
    while (!nobody.for_long(now += 4us, 7)) ++looks;
    EXPECT_GE(looks, 1000);
    EXPECT_LE(looks, 3000);
    EXPECT_TRUE(nobody.for_long(now += 4us, 7)) << "nobody was fed yet";
    EXPECT_FALSE(nobody.for_long(now += 4us, 8));
}

TEST(NobodyRuns, LooksThatAreFarApartAreOfDifferentWork) {
    parley::threading::nobody_runs nobody;
    clock_point now{1s};
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(nobody.for_long(now += 2ms, 7));
}

void keep(looking& l, weighing::duration pause, clock_point now) {
    l.begins();
    l.again_after(pause, now);
}

TEST(Looking, LeavesOutAsManyLooksAsFitIntoThePause) {
    looking l;
    clock_point now{1s};
    for (const auto each : {10ns, 200ns}) {
        for (int i = 0; i < 3; ++i) {
            keep(l, 4us, now);
            while (l.looks_away()) now += each;
            now += each;
        }
        keep(l, 4us, now);
        int looks = 0;
        while (l.looks_away()) ++looks;
        EXPECT_NEAR(looks, static_cast<double>(4us / each), 1) << each.count();
    }
}

TEST(Looking, LooksThatAreNotLeftOutAnyMoreDoNotCount) {
    looking l;
    clock_point now{1s};
    for (int i = 0; i < 3; ++i) {
        keep(l, 4us, now);
        while (l.looks_away()) now += 10ns;
        now += 10ns;
    }
    keep(l, 4us, now);
    EXPECT_TRUE(l.looks_away());
    l.at_once();
    EXPECT_FALSE(l.looks_away());
    keep(l, 4us, now + 100us);  // two occasions in 100 us
    EXPECT_FALSE(l.looks_away());
}

// A letter and the requests that rest are two questions, within some nanoseconds. No fork took so little.
TEST(Looking, WhatIsKeptTwiceInOneLookCountsOnce) {
    looking l;
    clock_point now{1s};
    for (int i = 0; i < 3; ++i, now += 1ms) {  // forks that take long
        keep(l, 800ns, now);
        l.again_after(800ns, now + 10ns);
        EXPECT_FALSE(l.looks_away());
        EXPECT_EQ(l.due(), now + 810ns);
    }
}

TEST(Weighed, BlocksOfALoopAreLeftOutUntilTheNextLookIsDue) {
    const auto left_out = [](weighing::duration pause, weighing::duration block) {
        parley::threading::weighed w;
        loop_times loop;
        loop.notes(told{clock_point{1s}, 10, 1us, block});
        keep(w.look, pause, clock_point{1s});
        w.has_looked_in(loop, clock_point{1s} + 200ns);
        int n = 0;
        while (loop.looks_away()) ++n;
        return n;
    };
    EXPECT_EQ(left_out(4us, 1us), 3);
    EXPECT_EQ(left_out(800ns, 1us), 0) << "looks after the next block";
    EXPECT_EQ(left_out(100ns, 10ns), 0) << "it is due already";
    EXPECT_EQ(left_out(4us, 0ns), 0) << "nobody knows how long a block lasts";
}

// Tasks may last much longer than it took to spawn them.
TEST(Weighed, WhoAwaitsTheScopeOfTheBurstLooksAgainAfterTheFirstTask) {
    for (const std::uint64_t awaited : {7U, 8U}) {
        parley::threading::weighed w;
        clock_point now{1s};
        keep(w.look, 4us, now);
        w.work.begin(here, 7, one_task, now, costs(), w.row);
        keep(w.look, 4us, now + 10ns);
        w.is_awaited(awaited);
        EXPECT_EQ(w.look.looks_away(), awaited != 7);
    }
}

TEST(Looking, LooksAtEachOccasionWhereTheyAreFarBetween) {
    looking l;
    keep(l, 4us, clock_point{1s});
    while (l.looks_away()) {}
    keep(l, 4us, clock_point{2s});
    EXPECT_FALSE(l.looks_away());
}

}  // namespace
