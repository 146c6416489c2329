// When a worker without work spins, and what it says to those who may feed it, with times that the test says.
#include <parley/detail/driver/idle.hpp>
#include <parley/detail/driver/policies.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

namespace {

using namespace std::chrono_literals;
using parley::threading::idle;
using parley::threading::idle_advice;
using time_point = std::chrono::steady_clock::time_point;

struct world {
    time_point now{1s};
    time_point searched_at{};
    parley::threading::policies policies{.patience = {2, 0},
                                         .stealing_pays = {},
                                         .answer_pace = parley::threading::pace(2),
                                         .backoff = {},
                                         .ahead_of_time = {}};
    std::chrono::nanoseconds others_run = 0ns;  // while it gives way
    time_point seen_while_it_gave_way{};
    int gave_way = 0;
};

struct host {
    world* w;
    static constexpr unsigned turns_per_look = 1;
    [[nodiscard]] time_point now() const { return w->now; }
    [[nodiscard]] parley::threading::policies& policy() const { return w->policies; }
    void says_that_it_searches(time_point at) const { w->searched_at = at; }
    [[nodiscard]] bool pass_time(idle_advice how, time_point) const {
        if (how == idle_advice::spin) return false;
        ++w->gave_way;
        w->seen_while_it_gave_way = w->searched_at;
        w->now += w->others_run + 300ns;
        return w->others_run >= parley::threading::weighing::runs_still;
    }
};

class worker_without_work {
public:
    explicit worker_without_work(world& w) : w_(w) {}

    idle_advice turn(bool is_being_answered = false) {
        idle_.searches(host{&w_});
        w_.now += 200ns;
        const idle_advice what = idle_.found_nothing(host{&w_}, true);
        if (what != idle_advice::spin) idle_.gives_way(host{&w_}, what, is_being_answered, {});
        return what;
    }
    void until_it_gives_way() {
        while (turn() == idle_advice::spin) {}
    }

private:
    world& w_;
    idle<host> idle_;
};

TEST(Idle, AWorkerAloneOnItsCoreSaysAllTheTimeThatItSearches) {
    world w;
    worker_without_work me(w);
    for (int i = 0; i < 20; ++i) {
        me.until_it_gives_way();
        EXPECT_LT(w.now - w.seen_while_it_gave_way, 1us);
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
        EXPECT_EQ(w.seen_while_it_gave_way, time_point{});
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
    const int before = w.gave_way;
    for (int i = 0; i < 5; ++i) (void)me.turn(true);
    EXPECT_EQ(w.gave_way, before);
    for (int i = 0; i < 50; ++i) (void)me.turn(true);
    EXPECT_GT(w.gave_way, before) << "who answers may be waiting for its core";
}

TEST(Idle, AWorkerThatHasItsCoreForItselfAgainSaysThatItSearches) {
    world w;
    w.others_run = 3ms;
    worker_without_work me(w);
    me.until_it_gives_way();
    w.others_run = 0ns;
    me.until_it_gives_way();  // now it knows
    me.until_it_gives_way();
    EXPECT_LT(w.now - w.seen_while_it_gave_way, 1us);
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
