// Several barriers in a run in virtual time: phases that end by one, and many in a row.
#include "tests/sim/timed_runs.hpp"
#include "tests/sim/timed_shapes.hpp"

#include <gtest/gtest.h>

namespace {

using namespace parley_tests;

// Phases of tasks that nobody awaits, each of which ends at a barrier, if it is to.
struct phases : timed::shape {
    phases(std::uint32_t how_many, std::uint64_t each, bool by_barriers)
        : count(how_many), n(each), spawn(by_barriers ? deed::spawn_alone : deed::spawn), wait(by_barriers ? deed::barrier : deed::wait) {}
    next_deed next(activity& a, bool) override {
        if (a.kind == 1) {
            if (a.step > 0) return {};
            a.step = 1;
            if (a.words[0] != phase) ++open_in_phase;
            ++done;
            return {.what = deed::work, .length = timed::microsecond};
        }
        phase = a.step;
        if (a.step == count) return {};
        if (a.count++ < n) return {.what = spawn, .kind = 1, .words = {a.step}};
        a.count = 0;
        ++a.step;
        return {.what = wait};
    }
    std::uint32_t count;
    std::uint64_t n;
    deed spawn, wait;
    std::uint64_t phase = 0, done = 0;
    std::uint64_t open_in_phase = 0;  // tasks of another phase
};

// A worker's clock may be ahead of another one's by what it does between two lines that it has to fetch.
constexpr timed::duration off = timed::microsecond;

void expect_in_order(const timed::run_report& r) {
    for (const timed::barrier_report& b : r.barriers) {
        EXPECT_LE(b.opened, b.last_task);
        EXPECT_LE(b.last_task, b.announced);
        EXPECT_LE(b.announced, b.heard + off);
        EXPECT_LE(b.heard, b.left);
    }
    for (std::size_t i = 1; i < r.barriers.size(); ++i) EXPECT_LE(r.barriers[i - 1].left, r.barriers[i].opened);
    EXPECT_EQ(r.barriers.back().left, r.released);
}

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
        if (c.how.termination == parley::termination_by::dedicated_manager) continue;
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
    const auto going_on = [](parley::revoked_request which) {
        choice c{"", {}};
        c.how.termination = parley::termination_by::manager;
        c.how.revoke = which;
        timed::setup s = setup_of(c, 48, 1);
        s.barrier = true;
        s.barriers = 50;
        producer p(0, 0);
        timed::duration sum = 0;
        for (const timed::barrier_report& b : run(s, p).barriers) sum += b.left - b.heard;
        return sum;
    };
    EXPECT_LT(going_on(parley::revoked_request::any), going_on(parley::revoked_request::own));
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
    c.how.termination = parley::termination_by::manager;  // whose waiting workers go on turning
    EXPECT_EQ(run(setup_of(c, 4, 1), p).tasks, 2U);
}

TEST(TimedBarriers, AnEndThatIsAnnouncedWithoutABarrierIsSeen) {
    producer p(1, 0);
    timed::pool home(setup_of({}, 2, 1), p);
    EXPECT_THROW(home.announce_end(0), timed::broken_promise);
}

}  // namespace
