// Several barriers in a run in virtual time: phases that end by one, and many in a row.
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"

#include <gtest/gtest.h>

namespace {

using namespace parley_tests;

// The run itself throws if a barrier opens while a task is left, or never.
TEST(TimedBarriers, APhaseBeginsWhenNoTaskOfTheOneBeforeIsLeft) {
    for (const choice& c : all_choices())
        for (const std::uint32_t workers : {3U, 8U, 31U})
            for (const bool ends : {false, true}) {
                SCOPED_TRACE(c.name + ", " + std::to_string(workers));
                timed::setup s = setup_of(c, workers, workers);
                s.barrier = ends;
                phases p(5, 40, true);
                const timed::run_report r = run(s, p);
                EXPECT_EQ(p.done, 200U);
                EXPECT_EQ(p.open_in_phase, 0U);
                EXPECT_EQ(r.tasks, 200U);
                EXPECT_EQ(r.barriers.size(), 6U) << "one after each phase, one at the end";
                expect_in_order(r);
            }
}

TEST(TimedBarriers, AlsoWithStallsLateMessagesAndSlowCores) {
    for (const choice& c : all_choices())
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
            timed::setup s = setup_of(c, 5 + static_cast<std::uint32_t>(seed) * 7, seed);
            s.faults = all_faults();
            phases p(4, 30, true);
            const timed::run_report r = run(s, p);
            EXPECT_EQ(p.done, 120U);
            EXPECT_EQ(p.open_in_phase, 0U);
            expect_in_order(r);
        }
}

TEST(TimedBarriers, WaitsOfTheRootTaskCanBeBarriers) {
    for (const choice& c : all_choices()) {
        SCOPED_TRACE(c.name);
        timed::setup s = setup_of(c, 9, 2);
        s.barrier = s.barriers_for_waits = true;
        phases p(3, 20, false);
        const timed::run_report r = run(s, p);
        EXPECT_EQ(p.done, 60U);
        EXPECT_EQ(p.open_in_phase, 0U);
        EXPECT_EQ(r.barriers.size(), 4U);
        expect_in_order(r);
    }
}

TEST(TimedBarriers, WithoutThemThereIsOneAtTheEnd) {
    phases p(3, 20, false);
    const timed::run_report r = run(setup_of({}, 9, 2), p);
    EXPECT_EQ(p.open_in_phase, 0U);
    ASSERT_EQ(r.barriers.size(), 1U);
    expect_in_order(r);
}

TEST(TimedBarriers, ManyInARowWithoutTasks) {
    for (const choice& c : all_choices()) {
        SCOPED_TRACE(c.name);
        timed::setup s = setup_of(c, 17, 4);
        s.barrier = true;
        s.barriers = 100;
        producer p(0, 0);
        const timed::run_report r = run(s, p);
        EXPECT_EQ(r.barriers.size(), 100U);
        EXPECT_LT(r.released, timed::second);
        expect_in_order(r);
    }
}

TEST(TimedBarriers, OneAndTwoWorkersToo) {
    for (const choice& c : all_choices()) {
        if (c.how.papers && c.how.papers->detects == parley::protocol::detection::by_dedicated_manager) continue;
        for (const std::uint32_t workers : {1U, 2U}) {
            SCOPED_TRACE(c.name);
            phases p(5, 10, true);
            const timed::run_report r = run(setup_of(c, workers, 3), p);
            EXPECT_EQ(p.done, 50U);
            EXPECT_EQ(p.open_in_phase, 0U);
            expect_in_order(r);
        }
    }
}

// TH figure 4.8: worker 0 goes on sooner if it may take any request instead of waiting for its own.
TEST(TimedBarriers, AnyRequestIsBackSoonerThanTheOwnOne) {
    const auto going_on = [](parley::protocol::revocation which) {
        choice c{"", {}};
        c.how.papers.emplace();
        c.how.papers->revokes = which;
        timed::setup s = setup_of(c, 48, 1);
        s.barrier = true;
        s.barriers = 50;
        producer p(0, 0);
        timed::duration sum = 0;
        for (const timed::barrier_report& b : run(s, p).barriers) sum += b.left - b.heard;
        return sum;
    };
    EXPECT_LT(going_on(parley::protocol::revocation::any), going_on(parley::protocol::revocation::own));
}

TEST(TimedBarriers, InAChildTaskIsAnError) {
    struct in_child : timed::shape {
        next_deed next(activity& a, bool) override {
            if (a.kind == 1) return {.what = deed::barrier};
            return {.what = a.step++ == 0 ? deed::spawn : a.step == 2 ? deed::wait : deed::end, .kind = 1};
        }
    } p;
    EXPECT_THROW((void)run(setup_of({}, 2, 1), p), std::logic_error);
}

// A root task may compute for longer than a barrier may take.
TEST(TimedBarriers, ALongRootTaskIsNoBrokenPromise) {
    struct slow_root : timed::shape {
        next_deed next(activity& a, bool) override {
            if (a.kind == 1) return {};
            switch (a.step++) {
                case 0: return {.what = deed::spawn_alone, .kind = 1};
                case 1: return {.what = deed::barrier};
                case 2: return {.what = deed::work, .length = 300 * timed::second};
                case 3: return {.what = deed::spawn_alone, .kind = 1};
                case 4: return {.what = deed::barrier};
                default: return {};
            }
        }
    } p;
    choice c{"", {}};
    c.how.papers.emplace();  // whose waiting workers go on turning
    EXPECT_EQ(run(setup_of(c, 4, 1), p).tasks, 2U);
}

TEST(TimedBarriers, AnEndThatIsAnnouncedWithoutABarrierIsSeen) {
    producer p(1, 0);
    timed::pool home(setup_of({}, 2, 1), p);
    EXPECT_THROW(home.announce_end(0), timed::broken_promise);
}

}  // namespace
