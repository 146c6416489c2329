// Quicksort on virtual workers: the tasks of the real program on the same elements, each as long as it has elements.
#include <gtest/gtest.h>
#include <lab/sim/timed/pool.hpp>

#include <bit>

#include "lab/programs/quicksort.hpp"
#include "lab/programs/shapes/shapes.hpp"
#include "tests/lab/programs/awkward_elements.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;
namespace timed = parley::sim::timed;

constexpr timed::duration compare = 1000;

struct outcome {
    json result;
    timed::run_report report;
};

outcome run(std::uint64_t n, std::uint64_t seed, std::uint32_t workers = 5) {
    timed::setup s;
    s.workers = workers;
    s.machine.places = {1, 1, 8, 1};
    s.machine.push = s.machine.pop = 20 * timed::nanosecond;
    s.machine.turn = s.machine.send_request = s.machine.send_tasks = 50 * timed::nanosecond;
    s.machine.work.sort_compare = compare;
    const auto shape = shapes::shape_of("quicksort", {{"n", n}, {"seed", seed}}, s.machine);
    outcome o;
    o.report = timed::pool(s, *shape).run();
    o.result = shape->result();
    return o;
}

// A level for each element that is partitioned, log n of them for each that is sorted by insertion.
timed::duration work_on(std::span<sort_element> part) {
    const auto n = static_cast<timed::duration>(part.size());
    if (part.size() < quicksort_from) {
        return n * static_cast<timed::duration>(std::bit_width(part.size())) * compare;
    }
    const auto before =
        static_cast<std::size_t>(partition_around_median(part.data(), part.data() + part.size()) - part.data());
    return n * compare + work_on(part.first(before)) + work_on(part.subspan(before + 1));
}

TEST(QuicksortShape, HasAsManyTasksAsTheRealProgram) {
    for (const std::uint64_t n : {0U, 1U, 99U, 100U, 101U, 3'000U, 100'000U}) {
        for (const std::uint64_t seed : {1U, 2U}) {
            quicksort<watched> real(n, seed);
            real.prepare();
            watched::begin();
            std::ignore = real();
            EXPECT_EQ(run(n, seed).report.tasks, watched::forks) << n << ", seed " << seed;
        }
    }
}

TEST(QuicksortShape, SortsWhatTheRealProgramSorts) {
    for (const std::uint64_t n : {0U, 99U, 50'000U}) {
        const json parameters{{"n", n}, {"seed", 3}};
        EXPECT_EQ(run(n, 3).result, find_program("quicksort")->known(parameters)) << n;
    }
}

TEST(QuicksortShape, WorkOnAllElementsAddsUp) {
    for (const std::uint64_t n : {0U, 1U, 99U, 100U, 50'000U}) {
        parley_tests::elements all(n);
        fill_with_elements(all, 1);
        EXPECT_EQ(run(n, 1).report.work, work_on(all)) << n;
    }
    EXPECT_EQ(run(99, 1).report.work, 99 * 7 * compare) << "below 128: 7 levels";
}

TEST(QuicksortShape, TasksDoNotDependOnWhoRunsThem) {
    const outcome alone = run(20'000, 1, 1);
    for (const std::uint32_t workers : {2U, 8U}) {
        const outcome shared = run(20'000, 1, workers);
        EXPECT_EQ(shared.report.tasks, alone.report.tasks) << workers;
        EXPECT_EQ(shared.report.work, alone.report.work) << workers;
        EXPECT_LT(shared.report.took, alone.report.took) << workers;
        EXPECT_GE(shared.report.took, 20'000 * compare) << "the first partition is serial";
    }
}

}  // namespace
