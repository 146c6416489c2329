// When a worker without work spins, and what it says to those who may feed it, with times that the test says.
#include "scripted_host.hpp"

#include <parley/detail/driver/idle.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

namespace {

using namespace std::chrono_literals;
using namespace parley_tests::scripted;
using driver::idle_advice;

class worker_without_work {
public:
    explicit worker_without_work(world& w) : w_(w) {}

    idle_advice turn(bool is_being_answered = false) {
        idle_.searches(host(w_));
        w_.now += 200ns;
        const idle_advice what = idle_.found_nothing(host(w_), true);
        if (what != idle_advice::spin) idle_.gives_way(host(w_), what, is_being_answered, {});
        return what;
    }
    void until_it_gives_way() {
        while (turn() == idle_advice::spin) {}
    }

private:
    world& w_;
    driver::idle<host> idle_;
};

TEST(Idle, AWorkerAloneOnItsCoreSaysAllTheTimeThatItSearches) {
    world w;
    worker_without_work me(w);
    for (int i = 0; i < 20; ++i) {
        me.until_it_gives_way();
        EXPECT_LT(w.now - w.searched_when_it_gave_way, 1us);
    }
}

// Whoever fed it then would wait for a whole time slice.
TEST(Idle, AWorkerThatSharesItsCoreDoesNotSaySoWhileOthersRun) {
    world w;
    w.others_run = 3ms;
    worker_without_work me(w);
    me.until_it_gives_way();  // now it knows
    for (int i = 0; i < 5; ++i) {
        me.until_it_gives_way();
        EXPECT_EQ(w.searched_when_it_gave_way, time_point{});
    }
}

TEST(Idle, AWorkerThatSharesItsCoreCanBeFedForAWhileOnceItIsBack) {
    world w;
    w.others_run = 3ms;
    worker_without_work me(w);
    me.until_it_gives_way();
    const time_point back = w.now;
    while (me.turn() == idle_advice::spin) EXPECT_EQ(w.searched_at, w.now);
    EXPECT_GE(w.now - w.others_run - back, 4us);
    EXPECT_LE(w.now - w.others_run - back, 7us);
}

TEST(Idle, AWorkerThatWasFedBeforeItGaveWayStays) {
    world w;
    w.others_run = 3ms;
    worker_without_work me(w);
    me.until_it_gives_way();
    while (me.turn(true) == idle_advice::spin) {}
    const auto before = w.times("give way");
    for (int i = 0; i < 5; ++i) (void)me.turn(true);
    EXPECT_EQ(w.times("give way"), before);
    for (int i = 0; i < 50; ++i) (void)me.turn(true);
    EXPECT_GT(w.times("give way"), before) << "who answers may be waiting for its core";
}

TEST(Idle, AWorkerThatHasItsCoreForItselfAgainSaysThatItSearches) {
    world w;
    w.others_run = 3ms;
    worker_without_work me(w);
    me.until_it_gives_way();
    w.others_run = 0ns;
    me.until_it_gives_way();  // now it knows
    me.until_it_gives_way();
    EXPECT_LT(w.now - w.searched_when_it_gave_way, 1us);
}

// It sleeps at the time at which it would sleep alone.
TEST(Idle, OthersOnItsCoreDoNotKeepItAwake) {
    for (const std::chrono::nanoseconds others : {0ns, 6000ns}) {
        world w;
        w.others_run = others;
        worker_without_work me(w);
        while (me.turn() != idle_advice::sleep) ASSERT_LT(w.now, time_point{2s});
        EXPECT_LT(w.now - time_point{1s}, 1ms);
    }
}

}  // namespace
