// What a wait learns, and what it does when nobody has anything, on a host that the test scripts.
#include "scripted_wait.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;

// --- what it learns ---------------------------------------------------------------------------------

TEST(WaitLoop, AnAnswerInTimeMakesItMorePatientAndOneAfterARestLess) {
    world w;
    w.policy.patience = {100, 0};
    const auto at_first = w.policy.patience.with_victim();
    w.policy.patience.was_in_vain();
    w.policy.patience.was_answered();
    const auto less = w.policy.patience.with_victim();
    ASSERT_LT(less, at_first);

    w.seeks = [](asking) { return true; };
    one_wait(w).look_elsewhere();
    EXPECT_GT(w.policy.patience.with_victim(), less);

    w.policy.patience = {100, 0};
    one_wait rests(w);
    rests.until_told("rest");
    rests.look_elsewhere();
    EXPECT_LT(w.policy.patience.with_victim(), at_first);
}

TEST(WaitLoop, AnAnswerAfterASleepMakesItLessPatient) {
    world w;
    w.policy.patience = {100, 0, 0us};  // it sleeps at once, and never rests before
    const auto at_first = w.policy.patience.with_victim();
    one_wait sleeps(w);
    sleeps.until_told("sleep");
    ASSERT_FALSE(w.did("rest"));
    w.seeks = [](asking) { return true; };
    sleeps.look_elsewhere();
    EXPECT_LT(w.policy.patience.with_victim(), at_first);
}

TEST(WaitLoop, ASleepWithoutARequestTeachesNothing) {
    world w;
    w.policy.patience = {100, 0, 0us};
    const auto at_first = w.policy.patience.with_victim();
    one_wait sleeps(w);
    sleeps.until_told("sleep for", asking::nothing);
    w.seeks = [](asking) { return true; };
    sleeps.look_elsewhere();
    EXPECT_EQ(w.policy.patience.with_victim(), at_first);
}

TEST(WaitLoop, AnAnswerEndsAllPauses) {
    world w;
    (void)w.policy.backoff.judge(true, w.now);
    (void)w.policy.backoff.judge(true, w.now);
    w.policy.ahead_of_time = driver::ahead_of_time(2);
    w.policy.ahead_of_time.asked();
    ASSERT_TRUE(w.policy.ahead_of_time.failed(true));
    ASSERT_GT(w.policy.backoff.left(w.now), 0ns);
    w.seeks = [](asking) { return true; };
    one_wait(w).look_elsewhere();
    EXPECT_EQ(w.policy.backoff.left(w.now), 0ns);
    EXPECT_TRUE(w.policy.ahead_of_time.wants(1));
    EXPECT_FALSE(w.policy.ahead_of_time.failed(true)) << "that request was answered";
}

TEST(WaitLoop, AnAnswerIsJudgedByHowLongItsTasksLast) {
    for (const auto lasts : {100ns, 1000ns}) {
        world w;
        w.seeks = [&](asking) {
            w.receive();
            return true;
        };
        one_wait wait(w);
        wait.look_elsewhere();
        ASSERT_TRUE(w.policy.stealing_pays.undecided());
        w.tasks.clear();
        w.now += lasts;
        asking asked{};
        w.seeks = [&](asking a) {
            asked = a;
            return false;
        };
        wait.look_elsewhere();
        EXPECT_EQ(asked, lasts == 100ns ? asking::nothing : asking::as_strategy);
    }
}

TEST(WaitLoop, OneSuspendedWaitIsNoReasonToPause) {
    world w;
    w.holds_job = true;
    one_wait(w, standing::in_task).look_elsewhere();
    EXPECT_FALSE(w.policy.stealing_pays.in_doubt());
}

// --- what it does when nobody has anything -------------------------------------------------------------

TEST(WaitLoop, RestsOnceItsPatienceIsOverAndInterruptsOnceLater) {
    world w;
    w.watches = true;
    w.skips = false;
    w.policy.patience = {4, 0, 1000us};
    w.others = {{.wanted = parley::protocol::bits::lobby}};
    one_wait wait(w);
    const time_point began = w.now;
    wait.until_told("rest");
    EXPECT_GE(w.now - began, w.policy.patience.with_victim());
    EXPECT_EQ(w.others[0].interrupted, 0);
    while (w.now - began < w.policy.patience.with_tasks() + 2us) wait.do_nothing();
    EXPECT_EQ(w.others[0].interrupted, 1);
    wait.do_nothing();
    EXPECT_EQ(w.others[0].interrupted, 1) << "once";
}

TEST(WaitLoop, InterruptsLaterWhoHasJustBegun) {
    world w;
    w.watches = true;
    w.policy.patience = {4, 0, 1000us};
    w.others = {{.wanted = parley::protocol::bits::lobby, .has_just_begun = true}};
    one_wait wait(w);
    const time_point began = w.now;
    wait.until_told("rest");
    while (w.now - began < w.policy.patience.with_tasks() + 2us) wait.do_nothing();
    EXPECT_EQ(w.others[0].interrupted, 0);
    w.others[0].has_just_begun = false;
    while (w.now - began < w.policy.patience.with_tasks() + 40us) wait.do_nothing();
    EXPECT_EQ(w.others[0].interrupted, 1);
}

TEST(WaitLoop, DoesNotRestWithoutARequestNorWhileItBacksOff) {
    world w;
    one_wait without(w);
    without.until_told("go to sleep", asking::nothing);
    EXPECT_FALSE(w.did("rest"));

    world backs_off;
    backs_off.backs_off = true;
    one_wait wait(backs_off);
    wait.until_told("go to sleep");
    EXPECT_FALSE(backs_off.did("rest"));

    world gives_up;
    gives_up.backs_off = true;
    while (!gives_up.policy.backoff.gives_up()) {
        gives_up.now += driver::backoff::longest_pause;
        (void)gives_up.policy.backoff.judge(true, gives_up.now);
    }
    one_wait rests(gives_up);
    rests.until_told("rest");
}

TEST(WaitLoop, ASleeperThatTakesNoWorkGivesAllThatItHas) {
    for (const bool takes : {true, false}) {
        world w;
        w.takes_work = takes;
        w.sleeps_otherwise = !takes;
        one_wait wait(w);
        wait.until_told("go to sleep");
        EXPECT_EQ(w.did("give everything"), !takes);
    }
}

TEST(WaitLoop, GivesWayBeforeItRests) {
    world w;
    w.policy.patience = {100, 0};  // the time for a victim is longer than that
    w.skips = false;
    one_wait wait(w);
    const time_point began = w.now;
    wait.until_told("give way");
    EXPECT_GE(w.now - began, driver::patience::before_giving_way);
    EXPECT_TRUE(w.did("spin"));
    EXPECT_FALSE(w.did("rest"));
}

}  // namespace
