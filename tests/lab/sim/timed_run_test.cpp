// Runs in virtual time: what they take, that they repeat, and that what the protocol promises holds in each of them.
#include "tests/build_kind.hpp"
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"
#include "tests/seeds.hpp"

#include <gtest/gtest.h>

namespace {

using namespace parley_tests;

TEST(TimedRun, OneWorkerTakesWhatItsTasksAndTheDequeTake) {
    timed::costs c = free_machine();
    c.push = 7 * timed::nanosecond;
    c.pop = 5 * timed::nanosecond;
    c.poll = 2 * timed::nanosecond;
    producer p(1000, 3 * timed::microsecond);
    const timed::run_report r = run(setup_of({}, 1, 1, c), p);
    EXPECT_EQ(r.took, 1000 * (3 * timed::microsecond + (7 + 5 + 2) * timed::nanosecond));
    EXPECT_EQ(r.work, 1000 * 3 * timed::microsecond);
    EXPECT_EQ(r.tasks, 1000U);
    EXPECT_EQ(r.total().steals, 0U);
}

TEST(TimedRun, ForksThatNobodyTakesArePushedAndPopped) {
    timed::costs c = free_machine();
    c.push = 7 * timed::nanosecond;
    c.pop = 5 * timed::nanosecond;
    forked_tree tree(6);
    const timed::run_report r = run(setup_of({}, 1, 1, c), tree);
    EXPECT_EQ(tree.leaves, 64U);
    EXPECT_EQ(r.tasks, 63U);
    EXPECT_EQ(r.took, 64 * timed::microsecond + 63 * 12 * timed::nanosecond);
}

TEST(TimedRun, ThreadsOfACoreShareIt) {
    timed::costs c = free_machine();
    c.places = {1, 1, 1, 2};
    c.thread_percent = {100, 50};
    producer p(1000, timed::microsecond);
    const timed::run_report one = run(setup_of({}, 1, 1, c), p);
    producer q(1000, timed::microsecond);
    const timed::run_report two = run(setup_of({}, 2, 1, c), q);
    EXPECT_EQ(one.took, 1000 * timed::microsecond);
    EXPECT_GE(two.took, 1000 * timed::microsecond) << "two threads at half speed are not faster than one";
}

TEST(TimedRun, WhereNothingCostsAnythingWorkersShareTheWork) {
    for (const choice& c : all_choices()) {
        if (c.how.papers && c.how.papers->detects == parley::protocol::detection::by_dedicated_manager)
            continue;  // one of them does nothing
        producer p(4000, 100 * timed::microsecond);
        p.poll = timed::microsecond;
        const timed::run_report r = run(setup_of(c, 8, 1, free_machine()), p);
        EXPECT_LT(r.took, r.work / 6) << c.name;
        EXPECT_GE(r.took, r.work / 8) << c.name;
    }
}

TEST(TimedRun, TheSameSettingsGiveTheSameRun) {
    for (const choice& c : all_choices()) {
        timed::setup s = setup_of(c, 9, 5);
        s.faults = all_faults();
        std::vector<std::string> found;
        for (const std::uint64_t seed : {5U, 5U, 6U}) {
            s.seed = seed;
            awaited_tree tree(8);
            found.push_back(text_of(run(s, tree)));
        }
        EXPECT_EQ(found[0], found[1]) << c.name;
        EXPECT_NE(found[0], found[2]) << c.name << ": the seed changes nothing";
    }
}

// The run itself throws if the end is announced too early or never, or if a task is lost or doubled.
TEST(TimedRun, EachTaskRunsOnceAndTheEndIsAnnounced) {
    for (const choice& c : all_choices())
        for (const std::uint32_t workers : {3U, 8U, 31U})
            for (const bool barrier : {false, true}) {
                timed::setup s = setup_of(c, workers, workers);
                s.barrier = barrier;
                expect_each_task_once({s, c.name + (barrier ? ", barrier, " : ", ") + std::to_string(workers)});
            }
}

TEST(TimedRun, AlsoWithStallsLateMessagesAndSlowCores) {
    for (const choice& c : all_choices())
        for (const std::uint64_t seed : seeds(6)) {
            timed::setup s = setup_of(c, 5 + static_cast<std::uint32_t>(seed % 7) * 7, seed);
            s.faults = all_faults();
            s.barrier = seed % 2 == 0;
            expect_each_task_once({s, c.name + ", faults, seed " + std::to_string(seed)});
        }
}

TEST(TimedRun, OneAndTwoWorkersToo) {
    for (const choice& c : all_choices()) {
        if (c.how.papers && c.how.papers->detects == parley::protocol::detection::by_dedicated_manager) continue;
        for (const std::uint32_t workers : {1U, 2U}) expect_each_task_once({setup_of(c, workers, 3), c.name});
    }
}

TEST(TimedRun, NothingToDoIsAnEnd) {
    for (const choice& c : all_choices()) {
        producer p(0, 0);
        const timed::run_report r = run(setup_of(c, 17, 1), p);
        EXPECT_EQ(r.tasks, 0U) << c.name;
        EXPECT_LT(r.released, timed::second) << c.name;
    }
}

TEST(TimedRun, AnEndThatComesTooEarlyIsSeen) {
    producer p(1, 0);
    timed::pool home(setup_of({}, 2, 1), p);
    EXPECT_NO_THROW(home.require_nothing_left());
    (void)home.next_serial();
    EXPECT_THROW(home.require_nothing_left(), timed::broken_promise);
}

TEST(TimedRun, IsStoppedOnRequest) {
    timed::setup s = setup_of({}, 1, 1, free_machine());
    s.stops = [] { return true; };
    producer p(1'000'000'000, timed::nanosecond);
    EXPECT_THROW((void)run(s, p), timed::stopped);
}

// Thesis §3.4.1: of n victims of which one has tasks, (n - 1) / 2 are asked in vain.
TEST(TimedRun, RandomVictimsFailHalfOfTheTimeWhereOneHasTasks) {
    choice c{"", {}};
    c.how.papers.emplace();
    c.how.steal = parley::threading::stealing::one;
    timed::setup s = setup_of(c, 48, 1);
    s.barrier = true;
    producer p(4000, 50 * timed::microsecond);
    const timed::worker_report t = run(s, p).total();
    const double failed = static_cast<double>(t.hops) / static_cast<double>(t.steals) - 1;
    EXPECT_GT(failed, 0.85 * 23);
    EXPECT_LT(failed, 1.15 * 23);
}

// Thesis figures 3.8 and 3.15: where one worker has all tasks, and they are short, those who all ask it stand in each
// other's way at its channel, if that has a lock; with longer tasks it is better to ask it than to look for it.
TEST(TimedRun, AskingTheLastVictimIsWorseForShortTasksIfChannelsHaveLocks) {
    const auto took = [](timed::duration length, parley::threading::victims victim, bool locks) {
        choice c{"", {}, locks};
        c.how.papers.emplace();
        c.how.steal = parley::threading::stealing::one;
        c.how.victim = victim;
        timed::costs slow = usual_machine();
        slow.send_request = slow.receive_request = slow.send_tasks = slow.receive_tasks = 400 * timed::nanosecond;
        timed::setup s = setup_of(c, 48, 1, slow);
        s.barrier = true;
        producer p(5000, length);
        return run(s, p).took;
    };
    using parley::threading::victims;
    constexpr timed::duration us = timed::microsecond;
    EXPECT_GT(took(10 * us, victims::last, true), took(10 * us, victims::random, true));
    EXPECT_LT(took(100 * us, victims::last, true), took(100 * us, victims::random, true));
    EXPECT_LT(took(10 * us, victims::last, false), took(10 * us, victims::last, true) * 4 / 5);
}

// How often it is split among 16 workers, whose requests circulate.
std::uint64_t splits_of(single_loop& loop, parley::threading::splitting split) {
    choice c{"", {}};
    c.how.papers.emplace();
    c.how.split = split;
    timed::setup s = setup_of(c, 16, 1);
    s.barrier = true;
    const timed::run_report r = run(s, loop);
    EXPECT_EQ(loop.done, loop.n);
    return r.total().splits;
}

// Guided splitting makes a chunk for each worker first, and halves chunks after that (thesis figure 5.10): not a part of
// the whole loop for each thief.
TEST(TimedRun, GuidedSplittingSplitsFewTimesMoreOftenThanHalving) {
    single_loop first(200'000);
    single_loop second(200'000);
    const std::uint64_t half = splits_of(first, parley::threading::splitting::half);
    const std::uint64_t guided = splits_of(second, parley::threading::splitting::guided);
    EXPECT_GT(guided, half);
    EXPECT_LT(guided, 4 * half);
}

// Thesis figure 5.13: a worker counts the requests that have come; those who asked while it computed get equal parts.
TEST(TimedRun, AdaptiveSplittingCountsTheRequestsThatHaveCome) {
    single_loop first(512);
    single_loop second(512);
    first.unit = second.unit = 30 * timed::microsecond;
    EXPECT_LT(splits_of(first, parley::threading::splitting::adaptive),
              splits_of(second, parley::threading::splitting::half));
}

// Who waits too short a time queues for the lobby's line instead: see policy/patience.hpp.
TEST(TimedRun, ManyWorkersShareFineTasksIfTheyArePatient) {
    const auto took = [](const choice& c) {
        forked_tree tree(13);
        const timed::run_report r = run(setup_of(c, 240, 1, usual_machine()), tree);
        EXPECT_EQ(tree.leaves, 8192U);
        return r.took;
    };
    choice ten_microseconds{"10 us", {}};
    ten_microseconds.how.patience = 10;
    const timed::duration patient = took({});
    EXPECT_LT(patient, 8192 * timed::microsecond / 10) << "a tenth of what one worker takes";
    EXPECT_LT(patient, took(ten_microseconds));
}

// A hundred times: the root computes alone, then four tasks do.
struct steps_of_the_root : timed::shape {
    explicit steps_of_the_root(timed::duration length) : alone(length) {}
    next_deed next(activity& a, bool) override {
        constexpr timed::duration together = 20 * timed::microsecond;
        if (a.kind == 1) return a.step++ == 0 ? next_deed{.what = deed::work, .length = together} : next_deed{};
        if (a.count == 100) return {};
        switch (a.step++) {
            case 0: return {.what = deed::work, .length = alone};
            case 5:
                a.step = 0;
                ++a.count;
                return {.what = deed::wait};
            default: return {.what = deed::spawn, .kind = 1};
        }
    }
    timed::duration alone;
};

// Nobody learns to stay awake who would have to for longer than that, or who wakes itself by interrupting others.
TEST(TimedRun, ShortGapsBetweenPhasesAreNotSleptThrough) {
    const auto sleeps = [](timed::duration alone, parley::threading::failed_requests failed) {
        choice c{"", {}};
        c.how.failed = failed;
        steps_of_the_root steps(alone);
        const timed::run_report r = run(setup_of(c, 2, 1, usual_machine()), steps);
        EXPECT_EQ(r.tasks, 400U);
        return r.total().sleeps;
    };
    constexpr timed::duration us = timed::microsecond;
    using parley::threading::failed_requests;
    EXPECT_LT(sleeps(100 * us, failed_requests::rest), 10U);
    EXPECT_LT(sleeps(1000 * us, failed_requests::rest), 15U);
    EXPECT_GT(sleeps(3000 * us, failed_requests::rest), 90U);
    EXPECT_GT(sleeps(100 * us, failed_requests::backoff), 90U);
}

// Thieves that spin look at every turn: of them only those that have not heard the bell yet, which rings whenever a
// request is put to rest. The task is over before anybody sleeps, and would interrupt again.
TEST(TimedRun, HardlyAnybodyIsInterruptedWhoOnlyLooksForTasks) {
    for (const std::uint32_t workers : {2U, 3U, 8U, 16U, 32U}) {
        producer p(1, 35 * timed::microsecond);
        const timed::run_report r = run(setup_of({}, workers, 1, usual_machine()), p);
        EXPECT_EQ(r.tasks, 1U);
        EXPECT_GE(r.total().interrupts, 1U) << "the one that computes";
        EXPECT_LE(r.total().interrupts, (workers + 1) / 2) << workers;
    }
}

// ThreadSanitizer maps memory of its own for each of their stacks: more than a process may have.
TEST(TimedRun, ThousandsOfWorkersRun) {
    constexpr std::uint32_t workers = parley_tests::has_thread_sanitizer ? 2'000 : 10'000;
    producer p(300, 100 * timed::microsecond);
    timed::setup impatient = setup_of({}, workers, 1);
    impatient.how.patience = 1;  // else all but a twentieth of the time goes into requests that are handed on
    const timed::run_report r = run(impatient, p);
    EXPECT_EQ(r.tasks, 300U);
    EXPECT_EQ(r.workers.size(), workers);
}

// Who begins something that it can give makes sure that it is watched. While nobody sleeps it need not look at each worker.
TEST(TimedRun, WhoIsGivenAPartOfALoopLooksAtNoOtherWorkerWhileNobodySleeps) {
    timed::costs machine = free_machine();
    machine.poll = timed::microsecond;
    single_loop program(64);
    program.unit = 100 * timed::microsecond;
    const timed::worker_report all = run(setup_of({}, 16, 1, machine), program).total();
    ASSERT_GE(all.steals, 15U);
    constexpr auto requests = static_cast<std::size_t>(timed::spent::requests);
    EXPECT_LT(all.time[requests], static_cast<timed::duration>(5 * all.steals) * timed::microsecond);
}

}  // namespace
