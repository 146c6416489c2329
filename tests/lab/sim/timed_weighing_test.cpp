// Weighing in virtual time, where nothing else takes processors away: little work wakes nobody, long work is shared, also
// where the past tells the wrong thing, and what the protocol promises holds.
#include "tests/lab/sim/timed_rounds.hpp"
#include "tests/seeds.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace parley_tests;

// The root task spawns into one scope, which it awaits each time.
TEST(TimedWeighing, LittleWorkNowAndThenWakesNobody) {
    for (const auto kind : all_kinds) {
        const auto wakes = [&](bool weighs) {
            parts_now_and_then p(kind, 20, 2000 * timed::microsecond, std::vector(200, 50 * timed::nanosecond));
            return run(weighing(4, weighs), p).total().wakes;
        };
        EXPECT_LT(wakes(true), 50U) << static_cast<int>(kind);
        EXPECT_GE(wakes(false), 200U) << static_cast<int>(kind) << ": it is the weighing that spares them";
    }
}

// Each thief would be given a part of a loop of 2 us, and would need more for it.
TEST(TimedWeighing, ShortLoopsInARowAreNotGiven) {
    const auto steals = [](bool weighs) {
        parts_now_and_then p(parts_now_and_then::as::loop, 300, 0, std::vector(1000, 7 * timed::nanosecond));
        return run(weighing(4, weighs), p).total().steals;
    };
    EXPECT_LT(steals(true), 100U);
    EXPECT_GE(steals(false), 1000U);
}

// Loops of 20 us. None is worth a wake-up, but together they are. Of few iterations only the first block is timed. More
// workers must not make the parts so small that they are not worth it.
TEST(TimedWeighing, LoopsThatFollowCloselyAreShared) {
    for (const std::uint32_t workers : {2U, 8U})
        for (const std::uint64_t iterations : {16U, 64U, 256U}) {
            parts_now_and_then p(parts_now_and_then::as::loop, iterations, timed::microsecond,
                                 std::vector(1000, 20 * timed::microsecond / static_cast<timed::duration>(iterations)));
            p.first_pause = 20'000 * timed::microsecond;  // the others sleep
            const timed::run_report r = run(weighing(workers), p);
            EXPECT_LT(r.took - p.first_pause, 1000 * 18 * timed::microsecond) << workers << ", " << iterations;
            EXPECT_GE(r.total().wakes, 1U);
            EXPECT_LT(r.total().wakes, 100U) << workers << ", " << iterations;
            if (workers == 2) {
                EXPECT_LT(r.total().splits, 1300U) << iterations << ": halves, not thirds";
            }
        }
}

TEST(TimedWeighing, LongWorkNowAndThenIsShared) {
    for (const auto kind : all_kinds) {
        parts_now_and_then p(kind, 64, 2000 * timed::microsecond, std::vector(20, 50 * timed::microsecond));
        const timed::run_report r = run(weighing(4), p);
        const timed::duration in_parallel = r.took - 20 * p.pause;
        EXPECT_LT(in_parallel, 20 * 64 * 50 * timed::microsecond / 3) << static_cast<int>(kind);
    }
}

// Work of a microsecond a hundred times, then of a second: who remembers that it was short loses little.
TEST(TimedWeighing, WorkThatWasShortIsSharedWhenItIsLong) {
    constexpr timed::duration second = 1'000'000 * timed::microsecond;
    for (const auto kind : all_kinds) {
        std::vector<timed::duration> lengths(100, timed::nanosecond);
        lengths.push_back(second);
        parts_now_and_then p(kind, 4, 300 * timed::microsecond, lengths);
        const timed::run_report r = run(weighing(4), p);
        EXPECT_LT(r.took - 101 * p.pause, second + second / 100) << static_cast<int>(kind);
    }
}

// The other way round, a wake-up or a steal is wasted now and then, and no more.
TEST(TimedWeighing, WorkThatWasLongCostsLittleWhenItIsShort) {
    for (const auto kind : all_kinds) {
        std::vector<timed::duration> lengths(3, 100 * timed::microsecond);
        lengths.resize(203, 50 * timed::nanosecond);
        const auto took = [&](std::uint32_t workers) {
            parts_now_and_then p(kind, 20, 300 * timed::microsecond, lengths);
            return run(weighing(workers), p).took - 203 * p.pause;
        };
        EXPECT_LT(took(4), took(1) + 200 * 2 * timed::microsecond) << static_cast<int>(kind);
    }
}

// Tasks of 1 to 5 us, all told, and a pause behind them in which others still look. The pause is no part of them.
TEST(TimedWeighing, LittleWorkIsKeptAlsoWhereAPauseFollows) {
    for (const auto kind : {parts_now_and_then::as::forks, parts_now_and_then::as::spawns})
        for (const timed::duration length : {timed::microsecond, 3 * timed::microsecond, 5 * timed::microsecond})
            for (const timed::duration pause : {2 * timed::microsecond, 10 * timed::microsecond}) {
                const auto took = [&](std::uint32_t workers) {
                    parts_now_and_then p(kind, 8, pause, std::vector(1000, length / 8));
                    return run(weighing(workers), p).took - 1000 * pause;
                };
                const timed::duration alone = took(1);
                for (const std::uint32_t workers : {2U, 16U})
                    EXPECT_LT(took(workers), alone + alone / 8)
                        << static_cast<int>(kind) << ", " << length << ", " << pause << ", " << workers;
            }
}

// All forks are made at once, and the leaves take long. Each is shorter than the time after which somebody interrupts it.
TEST(TimedWeighing, AFewForksWithLongLeavesAreShared) {
    for (const timed::duration length : {20 * timed::microsecond, 50 * timed::microsecond, 90 * timed::microsecond}) {
        const auto took = [&](std::uint32_t workers) {
            parts_now_and_then p(parts_now_and_then::as::forks, 8, 10 * timed::microsecond, std::vector(200, length / 8));
            return run(weighing(workers), p).took - 200 * p.pause;
        };
        EXPECT_LT(took(4), took(1) * 2 / 3) << length;
    }
}

TEST(TimedWeighing, EachTaskRunsOnceAndTheEndIsAnnounced) {
    for (const choice& c : resting_choices())
        for (const std::uint32_t workers : {2U, 3U, 8U, 31U}) {
            timed::setup s = setup_of(c, workers, workers);
            s.weighs = true;
            expect_each_task_once({s, c.name + ", weighing, " + std::to_string(workers)});
        }
}

TEST(TimedWeighing, AlsoWithStallsLateMessagesAndSlowCores) {
    for (const choice& c : resting_choices())
        for (const std::uint64_t seed : seeds(6)) {
            timed::setup s = setup_of(c, 5 + static_cast<std::uint32_t>(seed % 7) * 7, seed);
            s.faults = all_faults();
            s.barrier = seed % 2 == 0;
            s.weighs = true;
            expect_each_task_once({s, c.name + ", weighing, faults, seed " + std::to_string(seed)});
        }
}

}  // namespace
