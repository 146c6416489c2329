// What weighing must survive in virtual time: clocks that stand still or jump, and work of which the past tells nothing.
// Results are right, and no run takes much longer than that of one worker.
#include "tests/lab/sim/timed_rounds.hpp"
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"
#include "tests/seeds.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace parley_tests;
using timed::as_clock_point;
using timed::microsecond;
using timed::moment;

struct wrong_clock {
    const char* name;
    timed::clock_point (*says)(moment);
};

// As clocks of virtual machines, and those that have no small units.
constexpr wrong_clock wrong_clocks[] = {
    {"never goes on", [](moment) { return as_clock_point(5 * microsecond); }},
    {"stands still for a millisecond and catches up",
     [](moment t) { return as_clock_point(t % (2 * millisecond) < millisecond ? t - t % (2 * millisecond) : t); }},
    {"has milliseconds", [](moment t) { return as_clock_point(t - t % millisecond); }},
    {"jumps a second each 3 ms", [](moment t) { return as_clock_point(t + t / (3 * millisecond) * timed::second); }},
    {"jumps 40 us each 50 us", [](moment t) { return as_clock_point(t + t / (50 * microsecond) * 40 * microsecond); }},
};

TEST(TimedSurprises, WithAWrongClockEachTaskRunsOnce) {
    for (const wrong_clock& clock : wrong_clocks)
        for (const choice& c : resting_choices())
            for (const std::uint32_t workers : {2U, 7U}) {
                timed::setup s = setup_of(c, workers, workers);
                s.weighs = true;
                s.clock = clock.says;
                expect_each_task_once({s, std::string(clock.name) + ", " + c.name});
            }
}

TEST(TimedSurprises, WithAWrongClockNothingTakesMuchLongerThanAlone) {
    constexpr int rounds = 100;
    for (const wrong_clock& clock : wrong_clocks)
        for (const auto kind : all_kinds)
            for (const timed::duration total : {2 * microsecond, 20 * microsecond, 500 * microsecond}) {
                const auto took = [&](std::uint32_t workers) {
                    timed::setup s = weighing(workers);
                    s.clock = clock.says;
                    parts_now_and_then p(kind, 20, 300 * microsecond, std::vector(rounds, total / 20));
                    return run(s, p).took - rounds * p.pause;
                };
                const timed::duration alone = took(1);
                EXPECT_LT(took(4), alone + alone / 20 + rounds * microsecond)
                    << clock.name << ", " << static_cast<int>(kind) << ", " << total / microsecond;
            }
}

// A loop whose iterations take what a function says of their numbers.
struct uneven_loop : timed::shape {
    using length_of = timed::duration (*)(std::uint64_t i, std::uint64_t n);
    uneven_loop(std::uint64_t iterations, length_of each) : n(iterations), length(each) {}
    next_deed next(activity& a, bool) override {
        return a.step++ == 0 ? next_deed{.what = deed::loop, .words = {n}} : next_deed{};
    }
    timed::duration iteration(std::uint32_t, std::uint64_t i) override {
        ++done;
        return length(i, n);
    }
    std::uint64_t n;
    length_of length;
    std::uint64_t done = 0;
};

struct uneven_case {
    const char* name;
    std::uint64_t n;
    uneven_loop::length_of length;
    int least_speedup_of_4;  // tenths
};

constexpr uneven_case uneven_loops[] = {
    {"1 ns and 1 s in turns", 64,
     [](std::uint64_t i, std::uint64_t) { return i % 2 == 0 ? timed::nanosecond : timed::second; }, 30},
    {"1 us each, the first one a second", 100'000,
     [](std::uint64_t i, std::uint64_t) { return i == 0 ? timed::second : microsecond; }, 10},
    {"1 ns each, the last one a second", 100'000,
     [](std::uint64_t i, std::uint64_t n) { return i + 1 == n ? timed::second : timed::nanosecond; }, 10},
    {"the second half a thousand times as long", 200'000,
     [](std::uint64_t i, std::uint64_t n) { return i < n / 2 ? timed::nanosecond : microsecond; }, 30},
    {"the first half a thousand times as long", 200'000,
     [](std::uint64_t i, std::uint64_t n) { return i < n / 2 ? microsecond : timed::nanosecond; }, 30},
    {"longer and longer", 2000, [](std::uint64_t i, std::uint64_t) { return static_cast<timed::duration>(i) * microsecond; },
     30},
};

TEST(TimedSurprises, LoopsOfWhichThePastTellsNothing) {
    for (const uneven_case& u : uneven_loops) {
        uneven_loop one(u.n, u.length), four(u.n, u.length);
        const timed::duration alone = run(weighing(1), one).took, took = run(weighing(4), four).took;
        EXPECT_EQ(four.done, u.n) << u.name;
        EXPECT_LT(took * u.least_speedup_of_4, 10 * alone + 100 * microsecond) << u.name;
    }
}

// Rounds of 1 ns and of a second in turns: each is taken for what the one before was.
TEST(TimedSurprises, WorkThatIsShortAndLongInTurns) {
    for (const auto kind : all_kinds) {
        std::vector<timed::duration> lengths;
        for (int i = 0; i < 20; ++i) lengths.push_back(i % 2 == 0 ? timed::nanosecond : timed::second);
        parts_now_and_then p(kind, 4, 300 * microsecond, lengths);
        const std::vector<timed::duration> took = rounds_of(weighing(4), p);
        ASSERT_EQ(took.size(), lengths.size());
        for (std::size_t i = 0; i < took.size(); ++i)
            EXPECT_LT(took[i], lengths[i] + (i % 2 == 0 ? 30 * microsecond : 10 * millisecond))
                << static_cast<int>(kind) << ", " << i;
    }
}

// As algorithm/forward_loop.hpp goes through a list: one walk to find marks, then a loop that has an index for each mark.
// How many elements lie between two marks, and that a step to the next one may be dear, no number of indices tells.
struct list_walk : timed::shape {
    list_walk(std::uint64_t elements, timed::duration of_a_step, timed::duration of_an_element)
        : n(elements), step(of_a_step), element(of_an_element) {
        while (n / distance > 4096) distance *= 2;
    }
    next_deed next(activity& a, bool) override {
        switch (a.step++) {
            case 0: return {.what = deed::work, .length = static_cast<timed::duration>(n) * step};
            case 1: return {.what = deed::loop, .words = {n / distance}};
            default: return {};
        }
    }
    timed::duration iteration(std::uint32_t, std::uint64_t) override {
        ++done;
        return static_cast<timed::duration>(distance) * (step + element);
    }
    std::uint64_t n, distance = 1;
    timed::duration step, element;
    std::uint64_t done = 0;
};

TEST(TimedSurprises, ListsWhoseStepsAreDearTakeAtMostTwiceAsLongAsAlone) {
    for (const std::uint64_t n : {16U, 1024U, 65'536U})
        for (const timed::duration step : {timed::nanosecond, microsecond, 50 * microsecond})
            for (const timed::duration element : {timed::nanosecond, 20 * microsecond}) {
                list_walk p(n, step, element);
                const timed::duration alone = static_cast<timed::duration>(n) * (step + element);
                EXPECT_LT(run(weighing(4), p).took, 2 * alone + 10 * microsecond) << n << ", " << step << ", " << element;
                EXPECT_EQ(p.done, n / p.distance);
                if (n > 1000 && element >= 20 * step) {
                    list_walk again(n, step, element);
                    EXPECT_LT(run(weighing(4), again).took, alone / 3) << n << ", " << step << ", " << element;
                }
            }
}

}  // namespace
