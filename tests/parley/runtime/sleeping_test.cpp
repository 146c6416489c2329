// How a wait falls asleep, for how long, and what it learns from that; and how sleepers look after others.
#include "scripted_host.hpp"

#include <parley/detail/driver/sleeping.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;
using driver::deadline;
using driver::no_deadline;
using std::chrono::nanoseconds;

template <class Condition>
void sleep(world& w, Condition done, asking asks = asking::as_strategy) {
    medium m{&w};
    driver::waiting<host, Condition> wait(standing::between_tasks, done);
    driver::sleep(host(w), m, asks, wait);
}

TEST(Sleeping, MarksItselfAsleepAndLooksBeforeItSleeps) {
    world w;
    sleep(w, never);
    EXPECT_EQ(w.calls, (std::vector<std::string>{"go to sleep", "asleep", "sleep", "awake", "wake up", "count wake"}));
    EXPECT_EQ(w.does, driver::doing::parked);
}

TEST(Sleeping, DoesNotSleepIfWhatItWaitsForHolds) {
    world w;
    sleep(w, until{[] { return true; }});
    EXPECT_EQ(w.calls, (std::vector<std::string>{"go to sleep", "wake up", "count wake"}));
}

TEST(Sleeping, DoesNotSleepIfSomethingHasCome) {
    world w;
    w.falls_asleep = false;
    sleep(w, never);
    EXPECT_EQ(w.calls, (std::vector<std::string>{"go to sleep"}));
}

TEST(Sleeping, WithoutMemoryForKeptTasksGivesWay) {
    world w;
    w.has_got_all = false;
    sleep(w, never);
    EXPECT_EQ(w.calls, (std::vector<std::string>{"go to sleep", "give way", "wake up", "count wake"}));
}

TEST(Sleeping, NoLongerThanItsDeadline) {
    world w;
    const deadline last = w.now + 5ms;
    sleep(w, until_or_deadline{{[] { return false; }}, last});
    EXPECT_EQ(w.last_of_sleep, last);
    sleep(w, never);
    EXPECT_EQ(w.last_of_sleep, no_deadline);
}

TEST(Sleeping, WithoutARequestOnlyAsLongAsItsPause) {
    world w;
    w.policy.stealing_pays.received(1, w.now);
    w.policy.stealing_pays.judge(w.now);
    const auto pause = w.policy.stealing_pays.left(w.now);
    ASSERT_GT(pause, 0ns);
    sleep(w, never, asking::nothing);
    EXPECT_EQ(w.sleeps_for, pause);
    EXPECT_TRUE(w.policy.stealing_pays.in_doubt()) << "what it learnt still holds";

    (void)w.policy.backoff.judge(true, w.now);
    (void)w.policy.backoff.judge(true, w.now);
    sleep(w, never, asking::nothing);
    EXPECT_EQ(w.sleeps_for, driver::backoff::first_pause) << "the longer of both";
}

TEST(Sleeping, LaterStealsAreOfOtherWork) {
    world w;
    w.policy.stealing_pays.received(1, w.now);
    w.policy.stealing_pays.judge(w.now);
    sleep(w, never);
    EXPECT_FALSE(w.policy.stealing_pays.in_doubt());
}

TEST(Sleeping, AShortSleepIsALessonToStayAwake) {
    world w;
    w.sleeps = [&] { w.now += 10us; };
    const auto before = w.policy.patience.before_sleep(true);
    for (int i = 0; i < 4; ++i) sleep(w, never);
    EXPECT_GT(w.policy.patience.before_sleep(true), before);
    w.sleeps = [&] { w.now += 1s; };
    for (int i = 0; i < 8; ++i) sleep(w, never);
    EXPECT_EQ(w.policy.patience.before_sleep(true), before);
}

TEST(Sleeping, ASleepThatEndedByItsDeadlineIsNoLesson) {
    world w;
    const auto before = w.policy.patience.before_sleep(true);
    for (int i = 0; i < 4; ++i) {
        const deadline last = w.now + 10us;
        w.sleeps = [&] { w.now = last; };
        sleep(w, until_or_deadline{{[] { return false; }}, last});
    }
    EXPECT_EQ(w.policy.patience.before_sleep(true), before);
    for (int i = 0; i < 4; ++i) {  // woken before it
        const deadline last = w.now + 1s;
        w.sleeps = [&] { w.now += 10us; };
        sleep(w, until_or_deadline{{[] { return false; }}, last});
    }
    EXPECT_GT(w.policy.patience.before_sleep(true), before);
}

TEST(Sleeping, WhoBacksOffLearnsNothingFromItsSleeps) {
    world w;
    w.backs_off = true;
    w.sleeps = [&] { w.now += 10us; };
    const auto before = w.policy.patience.before_sleep(true);
    for (int i = 0; i < 4; ++i) sleep(w, never);
    EXPECT_EQ(w.policy.patience.before_sleep(true), before);
}

TEST(Sleeping, AHostMaySleepInItsOwnWay) {
    world w;
    w.sleeps_otherwise = true;
    sleep(w, never);
    EXPECT_TRUE(w.did("sleep otherwise"));
    EXPECT_FALSE(w.did("sleep"));
}

// It may have learnt only a moment ago that it is to go.
TEST(Sleeping, WhoIsToGoIsToldOfJobsThatNobodyElseTakes) {
    for (const bool needed : {true, false}) {
        world w;
        w.is_to_go = true;
        w.needs_me = needed;
        sleep(w, never);
        EXPECT_TRUE(w.did("sleep until needed"));
        EXPECT_EQ(w.lends, needed ? driver::hand::offered : driver::hand::no);
    }
    world told;  // of what threads leave behind, though it has no request out
    told.is_to_go = true;
    sleep(told, never, asking::nothing);
    EXPECT_TRUE(told.did("sleep until needed"));

    world untold;
    untold.is_to_go = true;
    untold.is_told = false;
    sleep(untold, never, asking::nothing);
    EXPECT_TRUE(untold.did("sleep for"));
}

// --- the watch ----------------------------------------------------------------------------------------

constexpr word lobby = parley::protocol::bits::lobby;

void sleep_watching(world& w) {
    w.watches = true;
    w.in_charge = true;
    medium m{&w};
    driver::sleep_watching(host(w), m);
}

TEST(Watching, NobodyWatchesWhereWorkersAreNotInterrupted) {
    world w;
    medium m{&w};
    driver::sleep_watching(host(w), m);
    EXPECT_EQ(w.calls, (std::vector<std::string>{"sleep"}));
}

TEST(Watching, PausesGrowWhileSomebodyWorksAndSignalsThatMayBeLostAreSentAgain) {
    world w;
    w.others = {{.wanted = lobby}};
    sleep_watching(w);
    ASSERT_EQ(w.looks_of_watch.size(), 40U);
    nanoseconds expected = driver::first_pause_of_watch;
    for (const nanoseconds pause : w.looks_of_watch) {
        EXPECT_EQ(pause, expected);
        expected = std::min<nanoseconds>(2 * expected, driver::longest_pause_of_watch);
    }
    EXPECT_EQ(w.others[0].interrupted, 6) << "before each pause that is shorter than the longest one";
    EXPECT_EQ(w.others[0].insisted, 34);
    EXPECT_EQ(w.calls.back(), "give up watch");
}

TEST(Watching, WhoHasJustBegunIsSparedAndLookedAtSoon) {
    world w;
    w.others = {{.wanted = lobby, .has_just_begun = true}};
    sleep_watching(w);
    EXPECT_EQ(w.looks_of_watch.front(), driver::weighing::may_be_kept);
    EXPECT_EQ(w.others[0].interrupted + w.others[0].insisted, 0);
}

TEST(Watching, OnlyThoseAreInterruptedWhoShouldLook) {
    world w;
    w.others = {{.wanted = lobby},
                {.wanted = 0},
                {.wanted = lobby, .has_looked = true},
                {.wanted = lobby, .is_victim = false},
                {.wanted = lobby, .is_asleep = true}};
    EXPECT_TRUE(driver::look_after_others(host(w), driver::duty::interrupt).any_awake);
    std::vector<int> interrupted;
    for (const other_worker& o : w.others) interrupted.push_back(o.interrupted);
    EXPECT_EQ(interrupted, (std::vector<int>{1, 0, 0, 0, 0}));
    EXPECT_TRUE(driver::look_after_others(host(w), driver::duty::only_look).any_awake);
    EXPECT_EQ(w.others[0].interrupted, 1) << "who only looks interrupts nobody";
}

TEST(Watching, SleepersCountAsAwakeWhileTheyGetUp) {
    world w;
    w.others = {{.wanted = lobby, .is_asleep = true}, {.wanted = lobby, .is_victim = false}};
    EXPECT_FALSE(driver::look_after_others(host(w), driver::duty::only_look).any_awake);
    w.others[0].wanted = parley::protocol::bits::news;
    EXPECT_TRUE(driver::look_after_others(host(w), driver::duty::only_look).any_awake);
}

TEST(Watching, StaysInChargeForAWhileOnceAllOthersSleep) {
    world w;
    w.others = {{.is_asleep = true}};
    sleep_watching(w);
    EXPECT_EQ(w.looks_of_watch,
              std::vector<nanoseconds>(driver::looks_at_an_idle_pool, nanoseconds(driver::pause_of_an_idle_pool)));
    EXPECT_EQ(w.calls, (std::vector<std::string>{"give up watch", "sleep", "give up watch"}));
}

TEST(Watching, ADeputyInterruptsNobodyAndLooksSeldom) {
    world w;
    w.watches = true;
    w.in_charge = false;
    w.others = {{.wanted = lobby}};
    medium m{&w};
    driver::sleep_watching(host(w), m);
    EXPECT_EQ(w.looks_of_watch, std::vector<nanoseconds>(40, nanoseconds(driver::deputys_pause)));
    EXPECT_EQ(w.others[0].interrupted + w.others[0].insisted, 0);
}

TEST(Watching, ADeputyLooksOnceMoreAtWhoHadJustBegun) {
    world w;
    w.watches = true;
    w.in_charge = false;
    w.others = {{.wanted = lobby, .has_just_begun = true}};
    w.on_look = [&] { w.others[0].has_just_begun = false; };
    medium m{&w};
    driver::sleep_watching(host(w), m);
    EXPECT_EQ(w.looks_of_watch[0], nanoseconds(driver::weighing::may_be_kept));
    EXPECT_EQ(w.looks_of_watch[1], nanoseconds(driver::deputys_pause));
    EXPECT_EQ(w.others[0].interrupted, 1);
    EXPECT_EQ(w.others[0].insisted, 0);
    EXPECT_FALSE(w.is_deputy);
}

TEST(Watching, OneDeputyIsEnough) {
    world w;
    w.watches = true;
    w.in_charge = false;
    w.has_deputy = true;
    w.others = {{.wanted = lobby, .has_just_begun = true}};
    medium m{&w};
    driver::sleep_watching(host(w), m);
    EXPECT_EQ(w.looks_of_watch, std::vector<nanoseconds>(40, nanoseconds(driver::deputys_pause)));
}

TEST(Watching, ADeputyThatIsWokenIsNoneAnyMore) {
    world w;
    w.watches = true;
    w.in_charge = false;
    w.others = {{.wanted = lobby, .has_just_begun = true}};
    w.most_looks_of_watch = 1;
    medium m{&w};
    driver::sleep_watching(host(w), m);
    EXPECT_FALSE(w.is_deputy);
}

TEST(Watching, TheOneInChargeBeginsAnewAfterAnIdlePool) {
    world w;
    w.watches = true;
    int looks = 0;
    w.others = {{.wanted = lobby}};
    medium m{&w};
    w.on_look = [&] {
        ++looks;
        w.others[0].is_asleep = looks >= 8 && looks < 12;  // all others sleep for a while
    };
    driver::sleep_watching(host(w), m);
    EXPECT_EQ(w.looks_of_watch[7], nanoseconds(driver::longest_pause_of_watch));
    for (std::size_t i = 8; i < 12; ++i) EXPECT_EQ(w.looks_of_watch[i], nanoseconds(driver::pause_of_an_idle_pool)) << i;
    EXPECT_EQ(w.looks_of_watch[12], nanoseconds(driver::first_pause_of_watch));
}

// I9: what this worker has begun may last.
TEST(Watching, WhoMayNotLookForLongAsksToBeWatched) {
    struct its_world : world {
        its_world() {
            watches = true;
            attention = lobby;
        }
    };
    its_world w;
    driver::ask_to_be_watched(host(w));
    EXPECT_EQ(w.calls, (std::vector<std::string>{"has not looked", "wake one"}));

    its_world taken;
    taken.watch_is_taken = true;
    driver::ask_to_be_watched(host(taken));
    EXPECT_EQ(taken.calls, (std::vector<std::string>{"has not looked"}));

    its_world nobody_rests;
    nobody_rests.attention = 0;
    driver::ask_to_be_watched(host(nobody_rests));
    EXPECT_EQ(nobody_rests.calls, (std::vector<std::string>{"has not looked"}));

    its_world unwatched;
    unwatched.watches = false;
    driver::ask_to_be_watched(host(unwatched));
    EXPECT_TRUE(unwatched.calls.empty());
}

}  // namespace
