// When a worker that keeps something looks again, with times that the test says.
#include "tests/parley/runtime/told_times.hpp"

#include <parley/detail/policy/weighing.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests;
using parley::threading::looking;
using parley::threading::loop_times;
using parley::threading::weighing;

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

// A recursion forks quickly down to its leaves, which take long.
TEST(Looking, LooksBecomeRareByAndByWhereTheNextForksMayTakeLonger) {
    looking l;
    clock_point now{1s};
    l.begins();
    l.again_after(800ns, now, true);
    for (const unsigned most : {1U, 3U, 7U, 15U, 31U, 63U, 80U, 80U}) {
        unsigned looks = 0;
        for (now += 10ns; l.looks_away(); now += 10ns) ++looks;
        l.begins();
        l.again_after(800ns, now, true);
        EXPECT_LE(looks, most);
    }
    unsigned looks = 0;
    while (l.looks_away()) ++looks;
    EXPECT_EQ(looks, 80U);
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

TEST(Looking, LooksAtEachOccasionWhereTheyAreFarBetween) {
    looking l;
    keep(l, 4us, clock_point{1s});
    while (l.looks_away()) {}
    keep(l, 4us, clock_point{2s});
    EXPECT_FALSE(l.looks_away());
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
        w.work.begin(here, 7, one_task, now, costs(), w.row, true);
        keep(w.look, 4us, now + 10ns);
        w.is_awaited(awaited);
        EXPECT_EQ(w.look.looks_away(), awaited != 7);
    }
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

}  // namespace
