// Fewer cores than threads in virtual time: who has a core, and what the protocol promises then.
#include "tests/lab/sim/timed_rounds.hpp"
#include "tests/lab/sim/timed_runs.hpp"
#include "tests/lab/sim/timed_shapes.hpp"
#include "tests/seeds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace parley_tests;
constexpr timed::duration ms = 1000 * timed::microsecond;

timed::setup on_cores(timed::setup s, std::uint32_t cores, std::uint32_t beside) {
    s.cores = cores;
    s.beside = beside;
    return s;
}

TEST(TimedCores, ThreadsHaveTheirPartsOfTheCores) {
    const auto took = [](std::uint32_t cores, std::uint32_t beside) {
        producer p(10, 40 * ms);
        return run(on_cores(weighing(1), cores, beside), p).took;
    };
    EXPECT_EQ(took(1, 0), took(2, 1)) << "a core is left for the worker";
    EXPECT_GT(took(1, 1), 790 * ms);
    EXPECT_LT(took(1, 1), 810 * ms) << "half of a core";
    EXPECT_GT(took(2, 2), 590 * ms);
    EXPECT_LT(took(2, 2), 610 * ms) << "two thirds";
    EXPECT_LT(took(2, 3), 815 * ms) << "half of each";
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
            timed::setup s = on_cores(setup_of(c, workers, workers), cores, beside);
            s.weighs = !c.how.papers;
            expect_each_task_once({s, c.name + ", cores " + std::to_string(cores)});
        }
}

TEST(TimedCores, AlsoWithStallsLateMessagesAndSlowCores) {
    for (const choice& c : all_choices())
        for (const std::uint64_t seed : seeds(2)) {
            timed::setup s = on_cores(setup_of(c, 5 + static_cast<std::uint32_t>(seed % 3), seed), 2, seed % 2);
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

}  // namespace
