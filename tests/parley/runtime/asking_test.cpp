// What a worker without tasks asks for, and when it asks ahead of time.
#include "scripted_host.hpp"

#include <parley/detail/driver/asking.hpp>

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;

asking what_to_ask_for(world& w) {
    medium m{&w};
    return driver::what_to_ask_for(host(w), m);
}

TEST(Asking, AsTheStrategySaysUnlessTheLastStealsDidNotPay) {
    world w;
    EXPECT_EQ(what_to_ask_for(w), asking::as_strategy);

    w.policy.stealing_pays.received(1, w.now);
    w.now += 100ns;
    EXPECT_EQ(what_to_ask_for(w), asking::nothing);
    w.now += 10us;  // the pause is over
    EXPECT_EQ(what_to_ask_for(w), asking::half);

    w.policy.stealing_pays.received(1, w.now);
    w.now += 100ns;
    EXPECT_EQ(what_to_ask_for(w), asking::nothing);
    w.now += 20us;
    EXPECT_EQ(what_to_ask_for(w), asking::one);

    w.policy.stealing_pays.received(1, w.now);
    w.now += 10us;
    EXPECT_EQ(what_to_ask_for(w), asking::as_strategy);
}

TEST(Asking, NobodyWhoTakesNoWorkOrIsToGo) {
    world w;
    w.takes_work = false;
    EXPECT_EQ(what_to_ask_for(w), asking::nothing);
    w.takes_work = w.is_to_go = true;
    EXPECT_EQ(what_to_ask_for(w), asking::nothing);
}

TEST(Asking, WhoBeginsWithoutWorkLetsItsRequestRest) {
    world w;
    driver::begin_at_rest(host(w));
    EXPECT_EQ(w.times("begin at rest"), 1);
    for (int why = 0; why < 4; ++why) {
        world other;
        if (why == 0) other.takes_work = false;
        if (why == 1) other.is_to_go = true;
        if (why == 2) other.circulates = true;
        if (why == 3) other.backs_off = true;
        driver::begin_at_rest(host(other));
        EXPECT_FALSE(other.did("begin at rest")) << why;
    }
}

TEST(Asking, RequestsThatGoRoundAreNotJudged) {
    world w;
    w.circulates = true;
    w.policy.stealing_pays.received(1, w.now);
    EXPECT_EQ(what_to_ask_for(w), asking::as_strategy);
}

TEST(Asking, WhoBacksOffPausesAfterEachRequestInVain) {
    world w;
    w.backs_off = true;
    EXPECT_EQ(what_to_ask_for(w), asking::as_strategy);
    EXPECT_EQ(what_to_ask_for(w), asking::nothing);
    w.now += driver::backoff::first_pause;
    EXPECT_EQ(what_to_ask_for(w), asking::as_strategy);

    world is_out;  // its request is on its way, so it does not pause
    is_out.backs_off = true;
    is_out.may_pause = false;
    EXPECT_EQ(what_to_ask_for(is_out), asking::as_strategy);
    EXPECT_EQ(what_to_ask_for(is_out), asking::as_strategy);
}

TEST(Asking, WhoBacksOffStillAsksForWhatPays) {
    world w;
    w.backs_off = true;
    w.policy.stealing_pays.received(1, w.now);
    EXPECT_EQ(what_to_ask_for(w), asking::nothing);
    w.now += 10us;
    EXPECT_EQ(what_to_ask_for(w), asking::half);
}

TEST(Asking, AheadOfTimeOnlyBeforeTheLastTasks) {
    world w;
    w.policy.ahead_of_time = driver::ahead_of_time(2);
    w.tasks.resize(2);
    driver::ask_early(host(w));
    EXPECT_FALSE(w.did("ask early"));
    w.tasks.resize(1);
    driver::ask_early(host(w));
    EXPECT_EQ(w.times("ask early"), 1);
}

TEST(Asking, AheadOfTimePausesAfterARequestInVain) {
    world w;
    w.policy.ahead_of_time = driver::ahead_of_time(2);
    driver::ask_early(host(w));
    w.is_home = false;  // on its way
    driver::ask_early(host(w));
    EXPECT_EQ(w.times("ask early"), 2) << "what is out already the machine does not send again";
    w.is_home = true;
    driver::ask_early(host(w));  // home without an answer: it pauses for one task
    driver::ask_early(host(w));
    EXPECT_EQ(w.times("ask early"), 2);
    driver::ask_early(host(w));
    EXPECT_EQ(w.times("ask early"), 3);
}

TEST(Asking, AheadOfTimeOnlyWhoMayAskAtAll) {
    for (bool world::* why : {&world::takes_work, &world::is_to_go}) {
        world w;
        w.policy.ahead_of_time = driver::ahead_of_time(2);
        w.*why = !(w.*why);
        driver::ask_early(host(w));
        EXPECT_FALSE(w.did("ask early"));
    }
    world in_doubt;
    in_doubt.policy.ahead_of_time = driver::ahead_of_time(2);
    in_doubt.policy.stealing_pays.received(1, in_doubt.now);
    in_doubt.policy.stealing_pays.judge(in_doubt.now);
    driver::ask_early(host(in_doubt));
    EXPECT_FALSE(in_doubt.did("ask early"));
}

}  // namespace
