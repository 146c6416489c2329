// Fewer cores than threads in virtual time: who has a core, and what the protocol promises then.
#include "tests/lab/sim/timed_rounds.hpp"
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"
#include "tests/seeds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace parley_tests;

timed::setup on_cores(timed::setup s, std::uint32_t cores, std::uint32_t beside, timed::duration slice = 4 * millisecond) {
    s.cores = cores;
    s.beside = beside;
    s.slice = slice;
    return s;
}
constexpr timed::duration short_slice = 200 * timed::microsecond;

TEST(TimedCores, ThreadsHaveTheirPartsOfTheCores) {
    const auto took = [](std::uint32_t cores, std::uint32_t beside) {
        producer p(10, 40 * millisecond);
        return run(on_cores(weighing(1), cores, beside), p).took;
    };
    EXPECT_EQ(took(1, 0), took(2, 1)) << "a core is left for the worker";
    EXPECT_GT(took(1, 1), 790 * millisecond);
    EXPECT_LT(took(1, 1), 810 * millisecond) << "half of a core";
    EXPECT_GT(took(2, 2), 590 * millisecond);
    EXPECT_LT(took(2, 2), 610 * millisecond) << "two thirds";
    EXPECT_LT(took(2, 3), 815 * millisecond) << "half of each";
}

TEST(TimedCores, AsManyCoresAsWorkersChangeNothing) {
    const auto took = [](std::uint32_t cores) {
        forked_tree p(10);
        return run(on_cores(weighing(8), cores, 0), p).took;
    };
    EXPECT_EQ(took(0), took(8));
    EXPECT_EQ(took(0), took(20));
}

TEST(TimedCores, TheSameSeedGivesTheSameRun) {
    const auto text = [](std::uint64_t seed) {
        forked_tree p(10);
        timed::setup s = on_cores(weighing(8), 3, 2);
        s.seed = seed;
        return text_of(run(s, p));
    };
    EXPECT_EQ(text(1), text(1));
    EXPECT_NE(text(1), text(2));
}

TEST(TimedCores, EachTaskRunsOnceAndTheEndIsAnnounced) {
    for (const choice& c : all_choices())
        for (const auto& [workers, cores, beside] : {std::array{3U, 2U, 1U}, {4U, 1U, 0U}, {7U, 3U, 4U}}) {
            timed::setup s = on_cores(setup_of(c, workers, workers), cores, beside, short_slice);
            s.weighs = !c.how.papers;
            expect_each_task_once({s, c.name + ", cores " + std::to_string(cores)});
        }
}

TEST(TimedCores, AlsoWithStallsLateMessagesAndSlowCores) {
    for (const choice& c : all_choices())
        for (const std::uint64_t seed : seeds(2)) {
            timed::setup s = on_cores(setup_of(c, 5 + static_cast<std::uint32_t>(seed % 3), seed), 2, seed % 2, short_slice);
            s.faults = all_faults();
            s.weighs = !c.how.papers;
            expect_each_task_once({s, c.name + ", cores, faults, seed " + std::to_string(seed)});
        }
}

TEST(TimedCores, WorkersGoAndComeBackOnFewCores) {
    for (const std::uint64_t seed : seeds(4)) {
        timed::setup s = on_cores(weighing(6), 2, 1);
        s.seed = seed;
        s.faults.resize_pause = 100 * timed::microsecond;
        expect_each_task_once({s, "resizes, seed " + std::to_string(seed)});
    }
}

struct crowd {
    std::uint32_t workers, cores, beside;
};

// Rounds of 14 us in all.
std::vector<timed::duration> little_rounds(parts_now_and_then::as kind, crowd on, timed::duration apart, bool weighs) {
    parts_now_and_then p(kind, 14, apart, std::vector(weighs ? 300 : 50, timed::microsecond));
    return rounds_of(on_cores(weighing(on.workers, weighs), on.cores, on.beside), p);
}

std::ptrdiff_t longer_than_a_slice(const std::vector<timed::duration>& all) {
    return std::count_if(all.begin(), all.end(), [](timed::duration d) { return d >= timed::setup().slice; });
}

TEST(TimedCores, LittleWorkIsNoSlowerThanAloneWithMoreWorkersThanCores) {
    for (const crowd on : {crowd{3, 2, 1}, {2, 2, 1}, {8, 2, 0}, {4, 1, 0}, {2, 2, 2}})
        for (const auto kind : all_kinds)
            for (const timed::duration apart : {2 * timed::microsecond, 2 * millisecond}) {
                const auto alone = little_rounds(kind, {1, on.cores, on.beside}, apart, true);
                const auto took = little_rounds(kind, on, apart, true);
                const std::string where = std::to_string(on.workers) + " on " + std::to_string(on.cores) + " beside " +
                                          std::to_string(on.beside) + ", " + std::to_string(static_cast<int>(kind));
                EXPECT_LE(percentile_of(took, 50), percentile_of(alone, 50) * 11 / 10) << where;
                EXPECT_LE(percentile_of(took, 90), percentile_of(alone, 90) * 13 / 10) << where;
                if (on.beside < on.cores) {
                    EXPECT_LE(longer_than_a_slice(took), longer_than_a_slice(alone)) << where;
                }
            }
}

// What the test above is about: who is given a part, and has no core, is awaited until it has one.
TEST(TimedCores, LittleWorkThatIsGivenUnweighedWaitsForCores) {
    for (const auto kind : all_kinds) {
        const auto alone = little_rounds(kind, {1, 2, 1}, 2 * millisecond, true),
                   took = little_rounds(kind, {3, 2, 1}, 2 * millisecond, false);
        EXPECT_GT(percentile_of(took, 50), 2 * percentile_of(alone, 50));
    }
}

TEST(TimedCores, LongWorkIsSharedWithMoreWorkersThanCores) {
    for (const crowd on : {crowd{3, 2, 1}, {8, 2, 0}, {4, 3, 2}})
        for (const auto kind : all_kinds) {
            const auto took = [&](std::uint32_t workers) {
                parts_now_and_then p(kind, 2000, 0, std::vector(1, 100 * timed::microsecond));
                return run(on_cores(weighing(workers), on.cores, on.beside), p).took;
            };
            EXPECT_LT(took(on.workers), took(1) * 9 / 10) << on.workers << ", " << static_cast<int>(kind);
        }
}

// A loop of 1 us each, and nobody else awake: it costs what it costs alone.
TEST(TimedAsleep, NobodyIsWokenForALittleLoop) {
    for (const std::uint64_t n : {1U, 3U, 10U, 30U})
        for (const std::uint32_t workers : {2U, 16U, 48U, 240U}) {
            const auto of = [&](std::uint32_t among) {
                parts_now_and_then p(parts_now_and_then::as::loop, n, 0, {timed::microsecond});
                timed::setup s = weighing(among);
                s.asleep = true;
                return run(s, p);
            };
            const timed::run_report r = of(workers);
            EXPECT_EQ(r.total().steals, 0U) << n << ", " << workers;
            EXPECT_LE(r.total().wakes, 1U) << n << ", " << workers << ": by whoever finds the end";
            EXPECT_LT(r.took, of(1).took + usual_machine().wake) << n << ", " << workers;
        }
}

TEST(TimedAsleep, ALongLoopWakesThem) {
    parts_now_and_then p(parts_now_and_then::as::loop, 20'000, 0, {timed::microsecond});
    timed::setup s = weighing(16);
    s.asleep = true;
    const timed::run_report r = run(s, p);
    EXPECT_GE(r.total().wakes, 15U);
    EXPECT_LT(r.took, 20 * millisecond / 12);
}

TEST(TimedAsleep, WhatWasBeforeTheRootTaskDoesNotCount) {
    for (const choice& c : resting_choices()) {
        if (c.how.failed == parley::threading::failed_requests::backoff) continue;  // they do not sleep until they are woken
        timed::setup s = setup_of(c, 5, 1);
        s.asleep = true;
        expect_each_task_once({s, c.name + ", asleep"});
        s.barrier = true;
        phases p(3, 20, true);
        expect_in_order(run(s, p));
    }
    producer p(1, millisecond);
    timed::setup s = weighing(3);
    s.asleep = true;
    const timed::run_report r = run(s, p);
    EXPECT_LT(r.took, millisecond + 10 * timed::microsecond);
    EXPECT_EQ(r.total().sleeps, 0U);
    for (const timed::worker_report& w : r.workers) {
        timed::duration sum = 0;
        for (const timed::duration d : w.time) sum += d;
        EXPECT_LE(sum, r.released);
    }
}

}  // namespace
