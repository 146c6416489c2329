// What a worker keeps to itself because it is not worth giving, whom it wakes for the rest, and what it learns from that.
#include "scripted_host.hpp"

#include <parley/detail/driver/weighing.hpp>
#include <parley/detail/policy/block_length.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;
namespace bits = parley::protocol::bits;
using parley::protocol::no_worker;

bool leaves_at_rest(world& w) {
    medium m{&w};
    return driver::leaves_at_rest(host(w), m);
}

TEST(Keeping, WhatIsWorthItGoesToThoseThatRun) {
    in_loop w(1ms);
    w.those_that_run = {2};
    EXPECT_FALSE(driver::keeps_back(host(w), 2));
    EXPECT_TRUE(driver::keeps_back(host(w), 1)) << "it has lost its core, or sleeps";
    EXPECT_FALSE(w.did("wake one")) << "that is no reason to be watched";
    EXPECT_FALSE(driver::keeps_back(host(w), no_worker)) << "of those that rest it finds one that runs, or wakes one";
    EXPECT_TRUE(w.weighed.weight.is_answering());
}

TEST(Keeping, WhatIsNotWorthItStaysAndIsWatched) {
    in_loop w(1us);
    w.those_that_run = {2};
    for (const parley::protocol::worker_id thief : {2U, no_worker}) {
        w.calls.clear();
        EXPECT_TRUE(driver::keeps_back(host(w), thief));
        EXPECT_TRUE(w.did_before("has not looked", "wake one"));
        EXPECT_EQ(w.weighed.look.due(), w.now + driver::next_look_while_young);
    }
}

TEST(Keeping, WhoWaitsOrWouldNotBeInterruptedKeepsNothing) {
    in_loop waits(1us), cannot(1us);
    waits.weighed.waits = true;
    cannot.may_keep = false;
    for (world* w : {static_cast<world*>(&waits), static_cast<world*>(&cannot)}) {
        EXPECT_FALSE(driver::keeps_back(host(*w), 2));
        EXPECT_FALSE(leaves_at_rest(*w));
    }
}

TEST(Keeping, AJobInHandIsWorthGivingWhateverItWeighs) {
    in_loop w(1us);
    w.holds_job = true;
    w.those_that_run = {2};
    EXPECT_FALSE(driver::keeps_back(host(w), 2));
}

// A handler of signals could not give it.
TEST(Keeping, AJobInHandGoesToSleepersToo) {
    in_loop w(1us);
    w.holds_job = true;
    w.one_that_rests = 3;
    EXPECT_FALSE(leaves_at_rest(w)) << "whoever rests is fed";
    EXPECT_TRUE(w.calls.empty());
}

TEST(Keeping, WorkThatIsNeitherTaskNorLoopIsWorthGiving) {
    world w;
    w.those_that_run = {2};
    EXPECT_FALSE(driver::keeps_back(host(w), 2));
}

TEST(Keeping, ShortTasksDoNotHideTheLoopAroundThem) {
    in_loop w(1ms);
    w.receive();
    w.weighed.work.begin(1000, 0, 0x40, w.now, w.weighed.weight, w.weighed.row, true);
    w.those_that_run = {2};
    EXPECT_FALSE(driver::keeps_back(host(w), 2));
    w.loop_lasts.reset();
    EXPECT_TRUE(driver::keeps_back(host(w), 2)) << "the tasks alone are young";
}

// The time in which others had the core does not make work older.
TEST(Keeping, ATimeSliceOfOthersDoesNotCount) {
    for (const bool lost : {true, false}) {
        world w;
        w.receive();
        w.weighed.work.begin(1000, 0, 0x40, w.now, w.weighed.weight, w.weighed.row, true);
        w.now += 3ms;
        w.has_lost_its_core = lost;
        w.those_that_run = {2};
        EXPECT_EQ(driver::keeps_back(host(w), 2), lost);
    }
}

// --- those that rest ---------------------------------------------------------------------------------------

TEST(Keeping, ASleeperIsWokenForLongWorkOnly) {
    in_loop little(20us), much(1ms);
    little.one_that_rests = much.one_that_rests = 3;
    EXPECT_TRUE(leaves_at_rest(little));
    EXPECT_FALSE(little.did("wake worker 3"));
    EXPECT_TRUE(leaves_at_rest(much));
    EXPECT_TRUE(much.did("wake worker 3"));
    EXPECT_EQ(much.weighed.woken.whom, 3U);
    EXPECT_EQ(much.weighed.look.due(), much.now - much.waking_takes + driver::next_look_while_nobody_runs);
}

TEST(Keeping, OneIsWokenAtATime) {
    in_loop w(1ms);
    w.one_that_rests = 3;
    w.on_their_way = {3};
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(leaves_at_rest(w));
    EXPECT_EQ(w.times("wake worker 3"), 1);
}

TEST(Keeping, NobodyIsWokenIfNobodySleeps) {
    in_loop w(1ms);
    EXPECT_TRUE(leaves_at_rest(w));
    EXPECT_EQ(w.weighed.woken.whom, no_worker);
    EXPECT_EQ(w.calls, (std::vector<std::string>{"has not looked", "wake one"})) << "it asks to be watched";
}

TEST(Keeping, LearnsHowLongAWakeUpTakes) {
    in_loop w(1ms);
    w.one_that_rests = 3;
    const auto before = w.weighed.weight.worth_waking();
    w.waking_takes = 20us;
    EXPECT_TRUE(leaves_at_rest(w));
    const auto after_the_call = w.weighed.weight.worth_waking();
    EXPECT_GT(after_the_call, before);

    w.on_their_way = {3};
    for (int i = 0; i < 10; ++i) {  // it looks often enough to see when the sleeper runs
        w.now += 10us;
        EXPECT_TRUE(leaves_at_rest(w));
    }
    EXPECT_EQ(w.weighed.weight.worth_waking(), after_the_call);
    w.on_their_way.clear();
    w.one_that_rests = no_worker;
    w.now += 10us;
    EXPECT_TRUE(leaves_at_rest(w));
    EXPECT_GT(w.weighed.weight.worth_waking(), after_the_call) << "it took more than 100 us to come";
    EXPECT_EQ(w.weighed.woken.whom, no_worker);
}

TEST(Keeping, WhoLooksSeldomDoesNotKnowWhenASleeperCame) {
    in_loop w(1ms);
    w.one_that_rests = 3;
    EXPECT_TRUE(leaves_at_rest(w));
    const auto before = w.weighed.weight.worth_waking();
    w.one_that_rests = no_worker;
    w.now += 100us;
    EXPECT_TRUE(leaves_at_rest(w));
    EXPECT_EQ(w.weighed.weight.worth_waking(), before);
}

// Withdrawn requests stay in the lobby until somebody looks there.
TEST(Keeping, TheLobbyIsLookedIntoIfNobodyRestsInIt) {
    in_loop w(1us);
    w.anybody_rests = false;
    EXPECT_FALSE(leaves_at_rest(w));
    EXPECT_EQ(w.calls, (std::vector<std::string>{"keeps nothing"}));
}

// I9: on a core that thieves share with their victim none of them is ever seen to run.
TEST(Keeping, AnybodyIsFedIfNobodyRunsForLong) {
    in_loop w(1ms);
    int looks = 0;
    while (leaves_at_rest(w)) {
        ++looks;
        w.now += 500us;
        ASSERT_LT(looks, 100);
    }
    EXPECT_GE(looks, 20) << "some time slices";
}

// --- between forks, and between blocks ------------------------------------------------------------------------

// A block of 1 us, after which so many iterations of 1 us are left.
bool keeps_after_block(world& w, std::uint64_t left, bool is_the_only_one = true) {
    driver::loop_times loop;
    driver::block_length length(1, loop.begin(w.now));
    static time_point ended;
    struct until_then {
        static time_point now() { return ended; }
    };
    ended = w.now += 1us;
    (void)length.block_ends(until_then{});
    loop.notes(length);
    return driver::keeps_to_itself(host(w), loop, left, is_the_only_one);
}

struct forker : world {
    forker() {
        attention = bits::lobby;
        watches = true;
        receive();
        code_of_newest = 0x40;
    }
    // True: it need not look up.
    bool fork(std::uintptr_t frame = 1000) { return driver::keeps_to_itself(host(*this), frame, 0); }
};

TEST(Keeping, AYoungBurstIsKeptAndWatched) {
    forker w;
    EXPECT_TRUE(w.fork());
    EXPECT_EQ(w.keeps_since, w.now);
    EXPECT_TRUE(w.did_before("has not looked", "wake one"));
}

TEST(Keeping, ABurstThatHasLastedIsGiven) {
    forker w;
    EXPECT_TRUE(w.fork());
    w.now += 1us;
    EXPECT_TRUE(w.fork(900)) << "further down in the same burst";
    w.now += 1ms;
    w.weighed.look.at_once();
    EXPECT_FALSE(w.fork(900));
}

TEST(Keeping, WhoeverElseWantsItMakesItLookUp) {
    for (const word what : {bits::mail, bits::news, bits::tasks}) {
        forker w;
        w.attention = bits::lobby | what;
        EXPECT_FALSE(w.fork());
        EXPECT_FALSE(keeps_after_block(w, 3));
    }
}

TEST(Keeping, BurstsInALongLoopDoNotMakeItLookYoung) {
    forker w;
    w.loop_lasts = 1ms;
    EXPECT_FALSE(w.fork());
    EXPECT_EQ(w.keeps_since, time_point{});
}

TEST(Keeping, WhoIsToGoOrHasSaidThatItHasNothingLooksUp) {
    forker goes, has_looked;
    goes.is_to_go = true;
    EXPECT_FALSE(goes.fork());
    has_looked.has_looked = true;
    EXPECT_FALSE(has_looked.fork());
}

TEST(Keeping, AShortRestOfALoopIsKept) {
    in_loop w(3us);
    EXPECT_TRUE(keeps_after_block(w, 3));
    EXPECT_FALSE(keeps_after_block(w, 1000));
    EXPECT_FALSE(keeps_after_block(w, 3, false)) << "there is a loop around it";
    w.receive();
    EXPECT_FALSE(keeps_after_block(w, 3)) << "there are tasks";
}

// --- clocks of virtual machines ---------------------------------------------------------------------------------

TEST(Keeping, WhileTheClockStandsStillItLooksAfterAThousandForksAtTheLatest) {
    forker w;
    int in_a_row = 0, longest = 0;
    for (int i = 0; i < 10'000; ++i) {
        w.calls.clear();
        EXPECT_TRUE(w.fork(900)) << "nothing gets older";
        in_a_row = w.calls.empty() ? in_a_row + 1 : 0;
        longest = std::max(longest, in_a_row);
    }
    EXPECT_LE(longest, 1000);
}

TEST(Keeping, AClockThatJumpsAheadIsForgottenAfterSomeBursts) {
    forker w;
    EXPECT_TRUE(w.fork());
    w.now += std::chrono::hours(1);
    w.weighed.look.at_once();
    EXPECT_FALSE(w.fork(900)) << "the burst looks old";
    int given = 0;
    for (int burst = 0; burst < 20; ++burst) {
        w.now += 1us;
        given += w.fork() ? 0 : 1;
        w.now += 1us;
        w.weighed.look.at_once();
        (void)w.fork(900);
    }
    EXPECT_LE(given, 8);
    w.now += 1us;
    EXPECT_TRUE(w.fork());
}

TEST(Keeping, ALoopWhoseClockJumpsIsWeighedByItsNextBlocks) {
    driver::loop_times loop;
    time_point now{1s};
    driver::block_length length(1, loop.begin(now));
    const auto block = [&](std::chrono::nanoseconds takes) {
        static time_point ended;
        struct until_then {
            static time_point now() { return ended; }
        };
        ended = now += takes;
        (void)length.block_ends(until_then{});
        loop.notes(length);
    };
    for (int i = 0; i < 40; ++i) block(1us);
    block(1h);
    for (int i = 0; i < 40; ++i) block(1us);
    EXPECT_EQ(loop.last_at_least(10), 10us);
}

}  // namespace
