// When a wait takes back what its worker has given, on a host that the test scripts.
#include "scripted_wait.hpp"

#include <parley/detail/driver/taking_back.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;

// A worker that has given something which no thief begins.
struct taking_back : world {
    taking_back() {
        has_given = true;
        skips = false;
        takes_back = [this] {
            has_given = false;
            receive();
            return true;
        };
    }
    void waits(one_wait& wait, std::chrono::nanoseconds so_long) {
        for (const auto end = now + so_long; now < end && !did("take back");) wait.look_elsewhere();
    }
};

TEST(WaitLoopTakesBack, WhatNoThiefHasBegunForSomeMicroseconds) {
    taking_back w;
    one_wait wait(w, standing::in_task);
    w.waits(wait, driver::begins_within - 1us);
    EXPECT_FALSE(w.did("take back"));
    w.waits(wait, 2us);
    EXPECT_TRUE(w.did("take back"));
    EXPECT_EQ(w.tasks.size(), 1U);
    EXPECT_TRUE(w.did_before("take back", "has not looked"));
    EXPECT_FALSE(w.did("let go")) << "they may not run on top of this wait";
}

TEST(WaitLoopTakesBack, WhatBeginsOnThisStackBetweenTwoTasks) {
    taking_back w;
    one_wait wait(w);
    w.waits(wait, 10us);
    EXPECT_TRUE(w.did_before("take back", "let go"));
    EXPECT_EQ(w.does, parley::threading::doing::useful) << "brokers and timelines see that it works";
}

TEST(WaitLoopTakesBack, NothingThatTheThiefHasBegun) {
    taking_back w;
    w.takes_back = [&w] { return w.has_given = false; };
    one_wait wait(w, standing::in_task);
    w.waits(wait, 10us);
    EXPECT_EQ(w.times("take back"), 1);
    EXPECT_TRUE(w.did_before("take back", "seek in task")) << "the turn goes on";
    for (int turn = 0; turn < 100; ++turn) wait.look_elsewhere();
    EXPECT_EQ(w.times("take back"), 1);
}

// A worker that sleeps at once is as patient as any other. It is awake until it has looked.
TEST(WaitLoopTakesBack, BeforeItFallsAsleep) {
    taking_back w;
    w.policy.patience = {4, 0, 0us};
    w.takes_back = [&w] { return w.has_given = false; };
    one_wait wait(w, standing::in_task);
    for (int turn = 0; turn < 1000 && !w.did("sleep"); ++turn) wait.look_elsewhere();
    EXPECT_TRUE(w.did_before("take back", "sleep"));
}

TEST(WaitLoopTakesBack, NothingWhereItTakesNothingFromElsewhere) {
    for (const int why : {0, 1, 2}) {
        taking_back w;
        w.takes_work = why != 0;
        w.is_to_go = why == 1;
        w.only_serves = why == 2;
        one_wait wait(w, standing::in_task);
        w.waits(wait, 100us);
        EXPECT_FALSE(w.did("take back")) << why;
    }
}

// I9: what it has got may run for long and not look.
TEST(WaitLoopTakesBack, AndIsWatchedIfOthersRest) {
    taking_back w;
    w.is_wanted = w.watches = true;
    w.attention = parley::protocol::bits::lobby;
    one_wait wait(w, standing::in_task);
    w.waits(wait, 10us);
    EXPECT_TRUE(w.did_before("take back", "wake one"));
}

}  // namespace
