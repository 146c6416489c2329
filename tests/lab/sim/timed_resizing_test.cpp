// Workers that go and come back at any moment of a run in virtual time: what the protocol promises holds all the same.
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"
#include "tests/seeds.hpp"

#include <gtest/gtest.h>
#include <lab/sim/timed/medium.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace parley_tests;

timed::setup resized(const choice& c, std::uint32_t workers, std::uint64_t seed,
                     timed::duration pause = 20 * timed::microsecond) {
    timed::setup s = setup_of(c, workers, seed);
    s.faults.resize_pause = pause;
    return s;
}

struct counted {
    std::uint64_t resizes = 0, departures = 0;
    std::uint32_t fewest = ~0U;
    void add(const timed::run_report& r) {
        resizes += r.resizes;
        departures += r.total().departures;
        fewest = std::min(fewest, r.fewest);
    }
};

// The run itself throws if a task is lost or doubled, or the end announced too early or never.
counted expect_each_task_once(const timed::setup& s) {
    counted all;
    producer flat(600, 3 * timed::microsecond);
    awaited_tree awaited(7);
    forked_tree forked(8);
    single_loop loop(1000);
    const timed::run_report r = run(s, flat);
    EXPECT_EQ(r.tasks, 600U);
    EXPECT_EQ(r.total().tasks, 600U) << "messages are no tasks";
    all.add(r);
    all.add(run(s, awaited));
    EXPECT_EQ(awaited.leaves, 128U);
    all.add(run(s, forked));
    EXPECT_EQ(forked.leaves, 256U);
    const timed::run_report looped = run(s, loop);
    EXPECT_EQ(loop.done, 1000U);
    EXPECT_EQ(loop.sum, 1000U * 999 / 2);
    EXPECT_EQ(looped.tasks, looped.total().splits);
    all.add(looped);
    return all;
}

TEST(TimedResizing, EachTaskRunsOnceAndTheEndIsAnnounced) {
    counted all;
    for (const choice& c : resting_choices())
        for (const std::uint32_t workers : {2U, 5U, 31U})
            for (const bool barrier : {false, true}) {
                timed::setup s = resized(c, workers, workers + 1);
                s.barrier = barrier;
                SCOPED_TRACE(c.name + ", " + std::to_string(workers));
                const counted found = expect_each_task_once(s);
                all.departures += found.departures;
                all.resizes += found.resizes;
                EXPECT_EQ(found.fewest, 1U);
            }
    EXPECT_GT(all.resizes, 100U);
    EXPECT_GT(all.departures, 1000U);
}

TEST(TimedResizing, With48And240WorkersToo) {
    for (const std::uint32_t workers : {48U, 240U})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            SCOPED_TRACE(std::to_string(workers) + ", seed " + std::to_string(seed));
            const counted found = expect_each_task_once(resized({}, workers, seed));
            EXPECT_GT(found.departures, workers);
        }
}

TEST(TimedResizing, AlsoWithStallsLateMessagesAndSlowCores) {
    for (const choice& c : resting_choices())
        for (const std::uint64_t seed : seeds(3)) {
            timed::setup s = resized(c, 5 + static_cast<std::uint32_t>(seed % 7) * 7, seed);
            const timed::duration pause = s.faults.resize_pause;
            s.faults = all_faults();
            s.faults.resize_pause = pause;
            SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
            (void)expect_each_task_once(s);
        }
}

TEST(TimedResizing, TheSameSeedGivesTheSameRun) {
    std::vector<std::string> found;
    for (const std::uint64_t seed : {5U, 5U, 6U}) {
        awaited_tree tree(9);
        found.push_back(text_of(run(resized({}, 9, seed), tree)));
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_NE(found[0], found[2]);
}

// Manager and sleepers are gone for most of the time.
TEST(TimedResizing, BarriersOpenWhileWorkersComeAndGo) {
    for (const choice& c : resting_choices())
        for (const std::uint32_t workers : {2U, 17U}) {
            SCOPED_TRACE(c.name);
            timed::setup s = resized(c, workers, 3, 5 * timed::microsecond);
            s.barrier = true;
            s.barriers = 200;
            producer p(0, 0);
            EXPECT_EQ(run(s, p).barriers.size(), 200U);
        }
}

void expect_phases(const timed::setup& s) {
    phases p(6, 30, true);
    const timed::run_report r = run(s, p);
    EXPECT_EQ(p.done, 180U);
    EXPECT_EQ(p.open_in_phase, 0U) << "a barrier opened too early";
    EXPECT_EQ(r.barriers.size(), 7U);
    expect_in_order(r);
}

// Tasks change owner as jobs while somebody looks whether any is left, and who looks may leave.
TEST(TimedResizing, APhaseBeginsWhenNoTaskOfTheOneBeforeIsLeft) {
    for (const choice& c : resting_choices())
        for (const std::uint32_t workers : {2U, 5U, 17U, 31U})
            for (const timed::duration pause : {5 * timed::microsecond, 20 * timed::microsecond})
                for (const std::uint64_t seed : seeds(10)) {
                    SCOPED_TRACE(c.name + ", " + std::to_string(workers) + ", seed " + std::to_string(seed));
                    timed::setup s = resized(c, workers, seed, pause);
                    s.barrier = seed % 2 == 0;
                    expect_phases(s);
                    s.faults = all_faults();
                    s.faults.resize_pause = pause;
                    expect_phases(s);
                }
}

// At the beginning all do but worker 0.
void let_nobody_rest(timed::pool& home) {
    timed::medium by_zero(home, home.at(0));
    while (const auto r = by_zero.take_resting())
        (void)by_zero.claim(*r, timed::request_state::resting, timed::request_state::home);
}

// Else one whose request is out would not know of it, nor anybody who could hand it on.
TEST(TimedResizing, AJobThatNobodyRestsForIsAnnouncedToAll) {
    producer p(1, 0);
    timed::pool home(setup_of({}, 4, 1, free_machine()), p);
    let_nobody_rest(home);
    timed::medium by_two(home, home.at(2));
    by_two.submit(home.store.make());
    EXPECT_TRUE(by_two.jobs_waiting());
    for (timed::worker_id w = 0; w < 4; ++w) EXPECT_NE(home.at(w).attention & timed::bits::jobs, 0U) << w;
}

TEST(TimedResizing, AJobGoesToWhoeverRests) {
    producer p(1, 0);
    timed::pool home(setup_of({}, 4, 1, free_machine()), p);
    let_nobody_rest(home);
    timed::medium by_two(home, home.at(2));
    home.at(3).requests[0].state = timed::request_state::resting;
    (void)by_two.deposit(parley::protocol::request_of(3));
    by_two.submit(home.store.make());
    EXPECT_FALSE(by_two.jobs_waiting());
    EXPECT_EQ(home.at(3).requests[0].answer.count, 1U);
    EXPECT_NE(home.at(3).attention & timed::bits::tasks, 0U);
}

// Of work that keeps all of them busy nothing else takes so long as that not all are there.
TEST(TimedResizing, WhoeverStaysDoesTheWork) {
    producer p(4000, 20 * timed::microsecond);
    const timed::run_report all = run(setup_of({}, 8, 1), p);
    producer q(4000, 20 * timed::microsecond);
    const timed::run_report some = run(resized({}, 8, 1, 500 * timed::microsecond), q);
    EXPECT_EQ(some.tasks, 4000U);
    EXPECT_GT(some.took, all.took);
    EXPECT_LT(some.took, all.work) << "one worker alone would not have been slower";
}

TEST(TimedResizing, NobodyGoesWhereRequestsCirculate) {
    choice c{"", {}};
    c.how.papers.emplace();
    producer p(1, 0);
    EXPECT_THROW((void)run(resized(c, 4, 1), p), std::invalid_argument);
}

TEST(TimedJobs, AMessageIsUnpackedOnceInTheOrderOfItsTasks) {
    timed::job_channel jobs(2);
    timed::task_store store;
    std::vector<timed::task*> tasks;
    const auto next = [&] { return tasks.emplace_back(store.make()); };
    timed::task first, second, third;
    jobs.pack(first, 2, next);
    jobs.pack(second, 1, next);
    EXPECT_EQ(first.what, timed::task_kind::message);
    ASSERT_EQ(jobs.size_of(first), 2U);
    EXPECT_EQ(jobs.unpack(first), tasks[0]);
    EXPECT_EQ(jobs.unpack(first), tasks[1]);
    jobs.pack(third, 1, next);
    EXPECT_EQ(third.words[0], first.words[0]) << "its place is free again";
    EXPECT_EQ(jobs.unpack(second), tasks[2]);
    EXPECT_EQ(jobs.unpack(third), tasks[3]);
}

TEST(TimedJobs, OneThatIsPutBackIsTheNext) {
    timed::fifo<int> waiting;
    waiting.push_front(2);
    for (int i = 3; i < 10; ++i) waiting.push(i);
    waiting.push_front(1);
    for (int i = 1; i < 10; ++i) EXPECT_EQ(waiting.take_front(), i);
    EXPECT_TRUE(waiting.empty());
}

}  // namespace
