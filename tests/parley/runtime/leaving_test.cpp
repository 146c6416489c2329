// What a worker does that is to go: in a task, between two tasks, and when it lends a hand.
#include "scripted_host.hpp"

#include <parley/detail/driver/resizing.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;
using driver::hand;

// Returns whether the worker has been away.
bool leave_or_stay(world& w, until done, standing where = standing::between_tasks) {
    driver::waiting<host, until> wait(where, done);
    return driver::leave_or_stay(host(w), wait);
}

struct leaver : world {
    leaver() {
        is_to_go = true;
        depth = 1;
    }
};

TEST(Leaving, BetweenTwoTasksItIsAwayUntilItIsWantedAgain) {
    leaver w;
    int slept = 0;
    w.sleeps = [&] { w.is_to_go = ++slept < 2; };
    EXPECT_TRUE(leave_or_stay(w, never));
    const std::vector<std::string> turn{"serve",   "looked, has nothing", "go to sleep", "sleep away",
                                        "wake up", "count wake"};
    std::vector<std::string> expected{"leave all", "stay away"};
    for (int i = 0; i < 2; ++i) expected.insert(expected.end(), turn.begin(), turn.end());
    expected.push_back("come back");
    EXPECT_EQ(w.calls, expected);
    EXPECT_EQ(w.does, driver::doing::parked);
}

TEST(Leaving, SomethingThatHasComeIsServedBeforeItSleeps) {
    leaver w;
    w.falls_asleep = false;
    int served = 0;
    w.serves = [&] {
        w.falls_asleep = ++served == 3;
        return true;
    };
    w.sleeps = [&] { w.is_to_go = false; };
    EXPECT_TRUE(leave_or_stay(w, never));
    EXPECT_EQ(w.times("go to sleep"), 3);
    EXPECT_EQ(w.times("wake up"), 1);
}

TEST(Leaving, TheEndOfItsWaitEndsItsAbsence) {
    leaver w;
    bool over = false;
    w.sleeps = [&] { over = true; };
    EXPECT_TRUE(leave_or_stay(w, until{[&] { return over; }}));
    EXPECT_FALSE(w.did("come back")) << "nobody works here any more";

    leaver at_once;  // it learns that only after it was marked asleep
    int asked = 0;
    EXPECT_TRUE(leave_or_stay(at_once, until{[&] { return ++asked > 1; }}));
    EXPECT_FALSE(at_once.did("sleep away"));
}

TEST(Leaving, AJobThatNobodyElseTakesCallsItBack) {
    leaver w;
    w.needs_me = true;
    EXPECT_TRUE(leave_or_stay(w, never));
    EXPECT_EQ(w.lends, hand::offered);
    EXPECT_EQ(w.calls.back(), "come back");
    w.calls.clear();
    EXPECT_FALSE(leave_or_stay(w, never)) << "it looks once for a job";
    EXPECT_TRUE(w.calls.empty());
}

TEST(Leaving, ItDoesWhatCameOfThatJobAndLeavesAgain) {
    leaver w;
    driver::hand_is_lent(host(w));
    EXPECT_EQ(w.lends, hand::no) << "it has not offered one";
    w.lends = hand::offered;
    driver::hand_is_lent(host(w));
    EXPECT_EQ(w.lends, hand::lent);
    w.holds_job = true;
    EXPECT_FALSE(leave_or_stay(w, never));
    EXPECT_EQ(w.lends, hand::lent);
    w.holds_job = false;
    w.sleeps = [&] { w.is_to_go = false; };
    EXPECT_TRUE(leave_or_stay(w, never));
    EXPECT_EQ(w.lends, hand::no);
}

TEST(Leaving, AHandIsNoLongerLentByOneThatStays) {
    world w;
    w.lends = hand::offered;
    driver::hand_is_lent(host(w));
    EXPECT_EQ(w.lends, hand::no);
}

TEST(Leaving, ATaskThatHasBegunStaysAndTheOthersAreGivenUp) {
    for (const bool takes : {true, false}) {
        leaver in_task;
        in_task.takes_work = takes;
        EXPECT_FALSE(leave_or_stay(in_task, never, standing::in_task));
        EXPECT_EQ(in_task.did("give up tasks"), takes);
        EXPECT_FALSE(in_task.did("leave all"));
    }
    leaver nested;
    nested.depth = 2;
    EXPECT_FALSE(leave_or_stay(nested, never));
    EXPECT_TRUE(nested.did("give up tasks"));
    EXPECT_FALSE(nested.did("leave all"));
}

}  // namespace
