// How long tasks last, and what lasts how long in a row, with times that the test says.
#include "tests/parley/runtime/told_times.hpp"

#include <parley/detail/policy/weighing.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests;
using parley::threading::burst;
using parley::threading::in_a_row;
using parley::threading::loop_times;
using parley::threading::weighing;

constexpr auto is_long = 50us;

TEST(Burst, LastsFromItsFirstTaskOn) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), row, true);
    EXPECT_EQ(b.lasts(now += 3us, is_long), 3us);
    EXPECT_FALSE(b.is_over_at(deeper)) << "forked by what it has called";
    EXPECT_EQ(b.lasts(now += 3us, is_long), 6us);
    EXPECT_TRUE(b.is_over_at(here)) << "the next fork of that frame";
    EXPECT_TRUE(b.is_over_at(above));
}

TEST(Burst, OfOneScopeEndsWithIt) {
    burst b;
    in_a_row row;
    b.begin(here, 7, one_task, clock_point{1s}, costs(), row, true);
    EXPECT_FALSE(b.is_over_in(7));
    EXPECT_TRUE(b.is_over_in(8));
}

TEST(Burst, OfAScopeEndsWhenTheScopeIsAwaited) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    b.begin(here, 7, one_task, now, costs(), row, true);
    b.is_awaited(8);
    EXPECT_FALSE(b.is_over_in(7)) << "another scope was awaited";
    b.is_awaited(7);
    EXPECT_TRUE(b.is_over_in(7));
    b.begin(here, 7, another_task, now += 1ms, costs(), row, true);
    EXPECT_EQ(b.lasts(now += 1us, is_long), 1us);
}

TEST(Burst, OneThatWasLongIsTakenForLongTheNextTime) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), row, true);
    EXPECT_EQ(b.lasts(now += is_long, is_long), burst::duration::max());
    b.begin(here, 0, one_task, now += 1ms, costs(), row, true);
    EXPECT_EQ(b.lasts(now, is_long), burst::duration::max());
    b.begin(here, 0, another_task, now += 1ms, costs(), row, true);
    EXPECT_EQ(b.lasts(now += 1us, is_long), 1us) << "other code";
}

// Of two leaves of 10 us, say: nobody is to be woken for them, but a thief that runs may have one.
TEST(Burst, HowLongTheLastOnesTookIsRemembered) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    for (int i = 0; i < 5; ++i) {
        b.begin(here, 0, one_task, now, costs(), row, true);
        const burst::duration known = b.lasts(now, is_long);
        EXPECT_EQ(known, i == 0 ? 0us : 20us) << "they follow each other closely";
        now += 20us;
    }
}

TEST(Burst, WhatComesBehindTheWaitForItsScopeIsAPause) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    for (std::uint64_t scope = 1; scope < 20; ++scope) {
        b.begin(here, scope, one_task, now, costs(), row, true);
        EXPECT_EQ(b.lasts(now, is_long), scope == 1 ? 0us : 3us);
        EXPECT_FALSE(b.was_awaited_in(scope));
        EXPECT_TRUE(b.is_awaited(scope));
        ASSERT_TRUE(b.was_awaited_in(scope));
        b.ends(now += 3us);
        EXPECT_FALSE(b.was_awaited_in(scope)) << "a second wait";
        now += 10us;
    }
}

TEST(Burst, ThatATaskOfItsScopeHasBegunHasAnEndOfItsOwn) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    b.begin(here, 7, one_task, now, costs(), row, true);
    EXPECT_TRUE(b.is_awaited(7));
    b.begin(deeper, 0, another_task, now += 1us, costs(), row, true);
    EXPECT_FALSE(b.was_awaited_in(7));
}

// Its end was not seen. It may have been over long before the next one begins, but is not much longer than it was seen for.
TEST(Burst, OfForksEndsSoonAfterItsLastLook) {
    for (const bool was_alone : {true, false}) {
        burst b;
        in_a_row row;
        clock_point now{1s};
        for (int i = 0; i < 10; ++i) {
            b.begin(here, 0, one_task, now, costs(), row, was_alone);
            const burst::duration known = b.lasts(now, is_long);
            if (i > 0) {
                EXPECT_EQ(known, was_alone ? 4us : 20us) << "of what others have had nobody knows how long it takes";
            }
            (void)b.lasts(now + 2us, is_long);
            now += 20us;
        }
    }
}

// One look at its beginning says nothing of what came after it, where there is a pause; two close to each other and none
// after that do.
TEST(Burst, AfterSomeShortOnesItIsTakenForShort) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), row, true);
    b.has_lasted(is_long);
    for (int i = 0; i < 100; ++i) {
        b.begin(here, 0, one_task, now += 1ms, costs(), row, true);
        EXPECT_EQ(b.lasts(now, is_long), burst::duration::max()) << "nobody knows that it was short";
    }
    int still_long = 0;
    for (int i = 0; i < 20; ++i) {
        b.begin(here, 0, one_task, now += 1ms, costs(), row, true);
        if (b.lasts(now, is_long) == burst::duration::max()) ++still_long;
        (void)b.lasts(now += 1us, is_long);
    }
    EXPECT_GE(still_long, 2);
    EXPECT_LE(still_long, 5);
    EXPECT_LE(b.lasts(now, is_long), 2us);
}

TEST(Burst, TimeWithoutAProcessorIsLeftOut) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    b.begin(here, 0, one_task, now, costs(), row, true);
    EXPECT_EQ(b.lasts(now += 2us, is_long), 2us);
    EXPECT_EQ(b.not_seen_for(now + 4ms), 4ms);
    b.leave_out(now += 4ms);
    EXPECT_EQ(b.lasts(now += 1us, is_long), 3us);
}

// What follows closely is together worth a wake-up now and then, and not for each piece.
TEST(InARow, BurstsAreTogetherWorthAWakeUp) {
    burst b;
    in_a_row row;
    clock_point now{1s};
    int worth_waking = 0;
    for (int i = 0; i < 100; ++i, now += 20us) {
        b.begin(here, 0, one_task, now, costs(), row, true);
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

}  // namespace
