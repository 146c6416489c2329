// What the wait loop does in each of its turns, on a host that the test scripts.
#include "scripted_wait.hpp"

#include <parley/detail/driver/wait_loop.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;
using driver::wait_loop;

// Ends after so many questions that were answered with no.
until after(int questions) {
    return {[questions]() mutable { return questions-- == 0; }};
}

TEST(WaitLoop, RunsItsOwnTasksBeforeItAsksOthers) {
    world w;
    int run = 0;
    for (int i = 0; i < 3; ++i) w.receive([&] { ++run; });
    until all{[&] { return run == 3; }};
    wait_loop(host(w), standing::in_task, all);
    EXPECT_EQ(w.times("run"), 3);
    EXPECT_FALSE(w.did("seek in task"));
}

TEST(WaitLoop, EndsWithItsRequestAtHomeAndItsTaskAlone) {
    world w;
    until at_once = after(0);
    wait_loop(host(w), standing::in_task, at_once);
    EXPECT_EQ(w.calls, (std::vector<std::string>{"serve those put off", "withdraw", "turn away from others"}));
    EXPECT_EQ(w.does, driver::doing::useful);
    EXPECT_EQ(w.depth, 0U);
}

TEST(WaitLoop, RunsWhatComesAfterItHasWithdrawn) {
    world w;
    w.is_home = false;
    until at_once = after(0);
    wait_loop(host(w), standing::in_task, at_once);
    EXPECT_TRUE(w.did_before("withdraw", "run what comes late"));
}

TEST(WaitLoop, LooksForAnAnswerBesideWhatItHasFound) {
    for (const bool is_home : {true, false}) {
        world w;
        w.is_home = is_home;
        bool found = false;
        w.seeks = [&](asking) { return found = true; };
        until done{[&] { return found; }};
        wait_loop(host(w), standing::in_task, done);
        EXPECT_EQ(w.times("run what comes late"), is_home ? 0 : 2) << "once there, and once at its end";
    }
}

TEST(WaitLoop, ForgetsItsPausesAtItsEnd) {
    world w;
    (void)w.policy.backoff.judge(true, w.now);
    (void)w.policy.backoff.judge(true, w.now);
    ASSERT_GT(w.policy.backoff.left(w.now), 0ns);
    until at_once = after(0);
    wait_loop(host(w), standing::in_task, at_once);
    EXPECT_EQ(w.policy.backoff.left(w.now), 0ns);
}

TEST(WaitLoop, HoldsTheTasksThatAreThereOnADeepStack) {
    for (const bool may_switch : {true, false}) {
        world w;
        w.depth = driver::deepest_on_one_stack;
        w.may_switch = may_switch;
        until at_once = after(0);
        wait_loop(host(w), standing::in_task, at_once);
        EXPECT_EQ(w.did("hold all"), may_switch);
    }
    world shallow;
    until at_once = after(0);
    wait_loop(host(shallow), standing::in_task, at_once);
    EXPECT_FALSE(shallow.did("hold all"));
}

TEST(WaitLoop, BeginsAnewToWaitAfterATask) {
    world w;
    time_point ran_at{};
    until done{[&] {
        if (w.did("rest") && !w.did("run")) w.receive([&] { ran_at = w.now; });
        return w.times("rest") == 2;
    }};
    wait_loop(host(w), standing::in_task, done);
    EXPECT_GE(w.now - ran_at, w.policy.patience.with_victim()) << "it rested at once";
}

TEST(WaitLoop, BeginsAnewToWaitAfterItWasAway) {
    world w;
    time_point back_at{};
    w.sleeps = [&] {
        w.is_to_go = false;
        back_at = w.now;
    };
    until done{[&] {
        if (w.did("rest") && back_at == time_point{}) w.is_to_go = true;
        return w.times("rest") == 2;
    }};
    wait_loop(host(w), standing::between_tasks, done);
    EXPECT_GE(w.now - back_at, w.policy.patience.with_victim()) << "it rested at once";
}

TEST(WaitLoop, BeginsAnewToWaitAfterItHasSlept) {
    world w;
    time_point woken_at{};
    std::ptrdiff_t rested = 0;
    w.sleeps = [&] {
        woken_at = w.now += 1ms;
        rested = w.times("rest");
    };
    until done{[&] { return w.did("sleep") && w.times("rest") > rested; }};
    wait_loop(host(w), standing::between_tasks, done);
    EXPECT_GE(w.now - woken_at, w.policy.patience.with_victim()) << "it rested at once";
}

TEST(WaitLoop, WhatOthersWantComesBeforeASearch) {
    struct reason {
        bool world::* there;
        std::string does;
    };
    for (const reason& r : {reason{&world::has_message, "run message"}, reason{&world::has_high, "run high"},
                            reason{&world::holds_job, "begin foreign tasks"}}) {
        world w;
        w.*r.there = true;
        one_wait(w).look_elsewhere();
        EXPECT_TRUE(w.did_before("turn", r.does)) << r.does;
        EXPECT_TRUE(w.did_before(r.does, "has got work")) << r.does;
        EXPECT_FALSE(w.did("seek between tasks")) << r.does;
    }
}

TEST(WaitLoop, ServesOthersAfterAHighTaskIfTheyWantIt) {
    for (const bool wanted : {false, true}) {
        world w;
        w.has_high = true;
        w.is_wanted = wanted;
        one_wait(w).look_elsewhere();
        EXPECT_EQ(w.did("serve others"), wanted);
    }
}

TEST(WaitLoop, BeginsAForeignTaskOnAnotherStackOnlyInATask) {
    for (const standing where : {standing::in_task, standing::between_tasks}) {
        world w;
        w.holds_job = true;
        one_wait(w, where).look_elsewhere();
        const bool in_task = where == standing::in_task;
        EXPECT_EQ(w.did("suspend"), in_task);
        EXPECT_EQ(w.did("begin foreign tasks"), !in_task);
        EXPECT_EQ(w.did_before("turn away", "suspend") && w.did_before("suspend", "hold all"), in_task);
    }
    world isolated;
    isolated.holds_job = isolated.is_isolated = true;
    one_wait(isolated).look_elsewhere();
    EXPECT_FALSE(isolated.did("begin foreign tasks"));
}

TEST(WaitLoop, TakesOfItsOwnLoopBeforeItAsks) {
    world w;
    w.splits_own_loop = true;
    one_wait(w).look_elsewhere();
    EXPECT_FALSE(w.did("seek between tasks"));
    EXPECT_EQ(w.tasks.size(), 1U);
    EXPECT_FALSE(w.did("hold all"));

    world deep;
    deep.splits_own_loop = true;
    deep.depth = driver::deepest_on_one_stack;
    one_wait(deep).look_elsewhere();
    EXPECT_TRUE(deep.did("hold all"));

    world stuck;  // nothing more may begin on this stack, and there is no other
    stuck.splits_own_loop = true;
    stuck.may_switch = false;
    stuck.depth = driver::deepest_on_one_stack;
    one_wait(stuck).look_elsewhere();
    EXPECT_TRUE(stuck.tasks.empty());
    EXPECT_TRUE(stuck.did("seek between tasks"));
}

TEST(WaitLoop, ShowsThatItStandsInATaskWhereItDoes) {
    for (const standing where : {standing::in_task, standing::between_tasks}) {
        world w;
        one_wait(w, where).look_elsewhere();
        EXPECT_EQ(w.did("seek in task"), where == standing::in_task);
    }
}

TEST(WaitLoop, AWorkerThatIsToGoTakesItsRequestBack) {
    for (const bool goes : {true, false}) {
        world w;
        w.is_to_go = goes;
        asking asked = asking::one;
        w.seeks = [&](asking a) {
            asked = a;
            return false;
        };
        one_wait(w).look_elsewhere();
        EXPECT_EQ(w.did_before("withdraw", "seek between tasks"), goes);
        EXPECT_EQ(asked, goes ? asking::nothing : asking::as_strategy);
    }
}

TEST(WaitLoop, AWaitThatOnlyServesGivesWhatItHasWhateverThatWeighs) {
    world w;
    w.only_serves = true;
    one_wait(w, standing::in_task).look_elsewhere();
    EXPECT_TRUE(w.did("serve"));
    EXPECT_FALSE(w.did("seek in task"));
    EXPECT_TRUE(w.waits_while_serving);
    EXPECT_FALSE(w.weighed.waits) << "only while it serves";
}

TEST(WaitLoop, AnAnswerBeginsItsTasksWatched) {
    world w;
    w.is_wanted = w.watches = true;
    w.attention = parley::protocol::bits::lobby;
    w.lends = driver::hand::offered;
    w.seeks = [&](asking) {
        w.receive();
        w.has_message = true;
        return true;
    };
    one_wait(w).look_elsewhere();
    EXPECT_EQ(w.calls, (std::vector<std::string>{"turn", "seek between tasks", "has not looked", "let go", "hand 0",
                                                 "has not looked", "wake one", "run message"}));
    EXPECT_EQ(w.does, driver::doing::useful);
}

TEST(WaitLoop, AnAnswerToAWaitInATaskStaysHeldAndNeedsNoWatchIfNobodyWaits) {
    world w;
    w.watches = true;
    w.attention = parley::protocol::bits::lobby;
    w.seeks = [](asking) { return true; };
    one_wait(w, standing::in_task).look_elsewhere();
    EXPECT_EQ(w.calls, (std::vector<std::string>{"turn", "seek in task", "has not looked"}));
}

TEST(WaitLoop, ATurnInVainSaysWhatTheWorkerDoes) {
    for (const bool answered : {false, true}) {
        world w;
        w.is_being_answered = answered;
        w.lends = driver::hand::offered;
        one_wait(w).look_elsewhere();
        EXPECT_EQ(w.does, answered ? driver::doing::mugging : driver::doing::stealing);
        EXPECT_TRUE(w.did_before("seek between tasks", "looked, has nothing"));
        EXPECT_EQ(w.lends, driver::hand::no) << "it has looked for a job";
    }
}

TEST(WaitLoop, SaysThatItSearchesBeforeItAsks) {
    world w;
    w.seeks = [&](asking) {
        EXPECT_EQ(w.searched_at, w.now);
        return false;
    };
    one_wait(w).look_elsewhere();
}

// Calls `body` on a stack of its own while another wait is suspended, which can go on if `ready`.
void beside_a_suspended_wait(world& w, bool ready, const std::function<void()>& body) {
    struct context {
        const std::function<void()>& body;
        driver::suspended_wait here;
    } all{body, {[](void* is_ready) { return *static_cast<bool*>(is_ready); }, &ready}};
    const auto work = [](void* of) {
        auto* const c = static_cast<context*>(of);
        c->body();
        return &c->here;
    };
    all.here.cause = &all;  // it is looked at when it is new
    w.suspended.suspend(all.here, *w.suspended.helper(&all, work));
}

TEST(WaitLoop, GoesOnWithAnotherWaitBeforeItRunsTasks) {
    for (const bool ready : {true, false}) {
        world w;
        beside_a_suspended_wait(w, ready, [&] {
            w.receive();
            until ran{[&] { return w.did("run"); }};
            wait_loop(host(w), standing::in_task, ran);
        });
        EXPECT_EQ(w.did_before("suspend", "run"), ready);
        EXPECT_EQ(w.did("suspend"), ready);
    }
}

TEST(WaitLoop, AWaitThatIsOverGoesOnWithNoOther) {
    world w;
    beside_a_suspended_wait(w, true, [&] {
        until over{[] { return true; }};
        driver::waiting<host, until> state(standing::in_task, over);
        driver::look_elsewhere(host(w), state);
    });
    EXPECT_FALSE(w.did("suspend"));
    EXPECT_FALSE(w.did("seek in task"));
}

// I4: a suspended task is unfinished work.
TEST(WaitLoop, BesideASuspendedWaitNoWorkerSaysThatItIsBetweenTasks) {
    world w;
    beside_a_suspended_wait(w, false, [&] { one_wait(w, standing::between_tasks).look_elsewhere(); });
    EXPECT_TRUE(w.did("seek in task"));
}

TEST(WaitLoop, IsolatedAndBoundWaitsGoOnWithNoOther) {
    for (bool world::* why : {&world::is_isolated, &world::may_switch}) {
        world w;
        w.*why = !(w.*why);
        beside_a_suspended_wait(w, true, [&] { one_wait(w, standing::in_task).look_elsewhere(); });
        EXPECT_FALSE(w.did("suspend"));
        EXPECT_TRUE(w.did("seek in task"));
    }
}

TEST(WaitLoop, EachWaitHasAWordOfItsOwnForPeople) {
    std::set<std::string> words;
    for (int i = 0; i <= static_cast<int>(driver::awaited::other_runtime); ++i)
        words.insert(name_of(static_cast<driver::awaited>(i)));
    EXPECT_EQ(words.size(), static_cast<std::size_t>(driver::awaited::other_runtime) + 1);
    EXPECT_TRUE(words.contains("something"));
}

}  // namespace
