// What a worker does when it looks up, how often it answers while it makes tasks, and what it looks for between two tasks.
#include "scripted_host.hpp"

#include <parley/detail/driver/looking_up.hpp>
#include <parley/detail/driver/own_tasks.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;
namespace bits = parley::protocol::bits;

TEST(LookingUp, ServesUntilNobodyWantsAnything) {
    world w;
    int left = 3;
    w.serves = [&] { return left-- > 0; };
    driver::serve_others(host(w), false);
    EXPECT_EQ(w.calls,
              (std::vector<std::string>{"begin to serve", "serve", "serve", "serve", "serve", "looked, has nothing"}));
}

TEST(LookingUp, SignalsThatComeMeanwhileActAfterIt) {
    world w;
    w.serves = [&] {
        EXPECT_EQ(w.acting_later, 1);
        return false;
    };
    driver::serve_others(host(w), false);
    EXPECT_EQ(w.acting_later, 0);
}

TEST(LookingUp, StopsAfterAsManyAsThereCanBe) {
    world w;
    w.serves = [] { return true; };
    driver::serve_others(host(w), false);
    EXPECT_EQ(w.times("serve"), 2 * 4) << "for each worker a letter and a request that rests";
}

TEST(LookingUp, SaysWhetherItHasSomethingToGive) {
    world w;
    w.receive();
    driver::serve_others(host(w), false);
    EXPECT_EQ(w.calls.back(), "looked, has something");
}

// I9: it does not become young again.
TEST(LookingUp, AnOwnShareIsKeptFromWhenItBegins) {
    for (const bool had_one : {false, true}) {
        world w;
        w.has_own_share = had_one;
        w.serves = [&] {
            ++w.sent;
            w.has_own_share = true;
            return false;
        };
        driver::serve_others(host(w), false);
        EXPECT_EQ(w.did("keeps nothing"), had_one);
        if (!had_one) {
            EXPECT_EQ(w.keeps_since, w.now);
        }
    }
}

TEST(LookingUp, WhoHasGivenSomethingKeepsNothing) {
    for (const bool gives : {true, false}) {
        world w;
        w.serves = [&] {
            w.sent += gives ? 1 : 0;
            return false;
        };
        driver::serve_others(host(w), false);
        EXPECT_EQ(w.did("keeps nothing"), gives);
    }
}

TEST(LookingUp, LearnsWhatAnAnswerCosts) {
    world w;
    w.serves = [&] {
        if (w.sent == 0) {
            w.weighed.weight.answers(w.now, w.sent);
            w.now += 20us;
            ++w.sent;
        }
        return false;
    };
    const auto before = w.weighed.weight.worth_splitting();
    driver::serve_others(host(w), false);
    EXPECT_GT(w.weighed.weight.worth_splitting(), before);
    EXPECT_FALSE(w.weighed.weight.is_answering());
}

TEST(LookingUp, PutsOffRequestsThatRestOnlyIfItIsFlooded) {
    world w;
    driver::serve_others(host(w), true);
    EXPECT_TRUE(w.did("serve briefly"));
    EXPECT_TRUE(w.puts_off);
    driver::serve_others(host(w), false);
    EXPECT_TRUE(w.did("serve"));
    EXPECT_FALSE(w.puts_off);
}

// Four workers, so that six answers in a row are a flood.
struct flooded : world {
    flooded() {
        watches = paces_answers = true;
        attention = bits::mail | bits::lobby;
        serves = [this] {
            if (asked) {
                ++sent;
                now += 1us;
            }
            asked = false;
            return false;
        };
        for (int i = 0; i < 6; ++i) answer();
        calls.clear();
    }
    void answer() {
        asked = true;
        driver::look_up(host(*this), true);
    }
    bool asked = false;
};

TEST(LookingUp, AProducerAnswersAtOnceUntilItIsFlooded) {
    flooded w;
    ASSERT_EQ(w.sent, 6U);
    w.answer();
    EXPECT_EQ(w.sent, 6U) << "it makes tasks for a while";
    EXPECT_TRUE(w.puts_off);
    EXPECT_TRUE(w.did("has not looked"));
    EXPECT_TRUE(w.did("wake one")) << "it may turn to something long, and asks to be watched";
    w.now += 1us;
    w.answer();
    EXPECT_EQ(w.sent, 7U);
    EXPECT_TRUE(w.did("serve briefly"));
    EXPECT_EQ(w.calls.back(), "wake one");
}

TEST(LookingUp, WhoPutsOffAsksOnceToBeWatched) {
    flooded w;
    w.answer();
    w.calls.clear();
    w.answer();
    EXPECT_TRUE(w.calls.empty());
    w.has_looked = true;  // it said so meanwhile
    w.answer();
    EXPECT_TRUE(w.did("has not looked"));
}

TEST(LookingUp, WhatIsNoRequestIsServedAtOnce) {
    flooded w;
    w.attention |= bits::tasks;
    w.answer();
    EXPECT_EQ(w.sent, 7U);
}

// Thieves that get one task each tell of its end all the time.
TEST(LookingUp, NewsIsHeardAndDoesNotEndThePause) {
    flooded w;
    w.attention |= bits::news;
    w.answer();
    EXPECT_EQ(w.sent, 6U);
    EXPECT_TRUE(w.puts_off);
    EXPECT_EQ(w.attention & bits::news, 0U);
    EXPECT_NE(w.attention & bits::lobby, 0U);
}

TEST(LookingUp, AProducerAtItsPaceIsNotInterruptedSoon) {
    flooded w;
    w.keeps_since = {};
    w.answer();
    EXPECT_EQ(w.keeps_since, w.now);
    w.now += 1us;
    w.answer();
    EXPECT_EQ(w.sent, 7U);
    EXPECT_EQ(w.keeps_since, w.now);

    flooded gives_nothing;  // I9: it must be interrupted some time
    gives_nothing.now += 1us;
    gives_nothing.keeps_since = {};
    driver::look_up(host(gives_nothing), true);
    EXPECT_TRUE(gives_nothing.did("serve briefly"));
    EXPECT_EQ(gives_nothing.keeps_since, time_point{});
}

TEST(LookingUp, AFloodIsForgotten) {
    flooded w;
    w.now += 1s;
    w.answer();
    EXPECT_TRUE(w.did("serve"));
    EXPECT_FALSE(w.did("wake one"));
    EXPECT_FALSE(w.puts_off);
}

TEST(LookingUp, WhereAnswersAreNotPacedAllAreServed) {
    flooded w;
    w.paces_answers = false;
    w.answer();
    EXPECT_EQ(w.sent, 7U);
    flooded waits;  // who waits has nothing better to do
    waits.asked = true;
    driver::look_up(host(waits), false);
    EXPECT_EQ(waits.sent, 7U);
}

TEST(LookingUp, WhoIsToGoGivesUpWhatItHasNotBegun) {
    for (const auto lends : {driver::hand::no, driver::hand::offered}) {
        for (const bool takes : {true, false}) {
            world w;
            w.is_to_go = true;
            w.takes_work = takes;
            w.lends = lends;
            driver::look_up(host(w), false);
            EXPECT_EQ(w.did("give up tasks"), takes && lends == driver::hand::no);
            EXPECT_EQ(w.lends, lends);
        }
    }
    world stays;
    stays.lends = driver::hand::lent;
    driver::look_up(host(stays), false);
    EXPECT_EQ(stays.lends, driver::hand::no);
    EXPECT_FALSE(stays.did("give up tasks"));
}

// --- between two tasks -----------------------------------------------------------------------------------

struct rarely_holds {
    bool operator()() const { return false; }
    [[nodiscard]] bool may_hold() const { return false; }
};

TEST(OwnTasks, RunOneAfterTheOtherWhileNothingIsWanted) {
    world w;
    for (int i = 0; i < 3; ++i) w.receive();
    rarely_holds done;
    EXPECT_TRUE(driver::run_own_tasks(host(w), done));
    EXPECT_EQ(w.calls, (std::vector<std::string>{"run", "run", "run"}));
    EXPECT_FALSE(driver::run_own_tasks(host(w), done));
}

TEST(OwnTasks, AWorkerThatIsWantedServesBetweenTwo) {
    world w;
    w.looks_up_after_task = true;
    for (int i = 0; i < 2; ++i) w.receive();
    rarely_holds done;
    EXPECT_TRUE(driver::run_own_tasks(host(w), done));
    EXPECT_EQ(w.calls, (std::vector<std::string>{"run", "serve others"}));
}

TEST(OwnTasks, ALookAfterNewsAndOneThatMayEndTheWaitComeAtOnce) {
    world w;
    w.receive();
    w.receive([&] { ++w.news; });
    rarely_holds done;
    EXPECT_TRUE(driver::run_own_tasks(host(w), done));
    EXPECT_EQ(w.tasks.size(), 1U);

    world ends;
    for (int i = 0; i < 2; ++i) ends.receive();
    until may_hold{[] { return false; }};
    EXPECT_TRUE(driver::run_own_tasks(host(ends), may_hold));
    EXPECT_EQ(ends.tasks.size(), 1U);
}

TEST(OwnTasks, HighTasksComeFirstAndRequestsAheadOfTimeBefore) {
    world w;
    w.looks_between_tasks = w.has_high = true;
    w.policy.ahead_of_time = driver::ahead_of_time(2);
    w.is_home = false;
    w.receive();
    rarely_holds done;
    EXPECT_TRUE(driver::run_own_tasks(host(w), done));
    EXPECT_EQ(w.calls, (std::vector<std::string>{"ask early", "run high", "ask early", "run"}));

    world off;
    off.looks_between_tasks = true;
    off.receive();
    EXPECT_TRUE(driver::run_own_tasks(host(off), done));
    EXPECT_EQ(off.calls, (std::vector<std::string>{"run"}));
}

}  // namespace
