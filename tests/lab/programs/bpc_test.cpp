#include "lab/programs/bpc.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

template <class S>
std::uint64_t run_tasks(std::uint32_t d, std::uint32_t n, const busy_work& work, typename S::pool& pool) {
    bouncing_producers<S> tasks(d, n, work, pool);
    return pool.run([&] { return tasks(); });
}

std::uint64_t known_tasks(std::uint32_t d, std::uint32_t n) {
    return find_program("bpc")->known({{"d", d}, {"n", n}, {"t", 0}, {"poll", 0}}).at("tasks").get<std::uint64_t>();
}

TEST(Bpc, EachTaskRuns) {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> shapes{{1, 0}, {1, 5}, {5, 0}, {300, 9}, {3, 500}};
    for (const auto& [d, n] : shapes) {
        const std::uint64_t tasks = known_tasks(d, n);
        EXPECT_EQ(tasks, std::uint64_t{d} * (n + 1));
        parley_peers::serial::pool plain({});
        EXPECT_EQ(run_tasks<parley_peers::serial>(d, n, busy_work(1.0), plain), tasks);
        for (const unsigned workers : {1U, 2U, 3U}) {
            parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
            EXPECT_EQ(run_tasks<parley_peers::parley>(d, n, busy_work(1.0), pool), tasks);
            EXPECT_EQ(parley_tests::tasks_of(pool), tasks) << workers;
        }
    }
}

// 100,000 of d = 10,000 and n = 9 (2014 paper; thesis, figure 5.16); 10^6 of figure 6.2.
TEST(Bpc, TasksOfThePapers) {
    EXPECT_EQ(known_tasks(10'000, 9), 100'000U);
    EXPECT_EQ(known_tasks(1000, 999), 1'000'000U);
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    EXPECT_EQ(run_tasks<parley_peers::parley>(10'000, 9, busy_work(0.0), pool), 100'000U);
    EXPECT_EQ(parley_tests::tasks_of(pool), 100'000U);
}

TEST(Bpc, CountsAfreshEachTime) {
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    bouncing_producers<parley_peers::parley> tasks(100, 9, busy_work(1.0, 0.5), pool);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(pool.run([&] { return tasks(); }), 1000U);
        EXPECT_EQ(tasks.so_far(), 1000U);
    }
}

TEST(Bpc, ConsumersComputeAndPoll) {
    watched::pool pool({});
    watched::begin();
    EXPECT_EQ(run_tasks<watched>(5, 2, busy_work(4.0, 1.0), pool), 15U);
    EXPECT_EQ(watched::spawns, 15U);
    EXPECT_GE(watched::polls, 30U);
    EXPECT_LE(watched::polls, 40U);
}

TEST(Bpc, LostTaskShows) {
    watched::pool pool({});
    for (std::uint64_t lost = 1; lost <= 15; ++lost) {
        watched::begin(lost);
        EXPECT_LT(run_tasks<watched>(5, 2, busy_work(0.0), pool), known_tasks(5, 2)) << lost;
    }
    watched::begin();
    EXPECT_EQ(run_tasks<watched>(5, 2, busy_work(0.0), pool), known_tasks(5, 2));
}

TEST(Bpc, SizesAreThoseOfThePapers) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("bpc")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"d", 1000}, {"n", 9}, {"t", 10}, {"poll", 0}}));
    EXPECT_EQ(of("ch"), (json{{"d", 10'000}, {"n", 9}, {"t", 10}, {"poll", 1}}));
    EXPECT_EQ(of("thesis"), (json{{"d", 10'000}, {"n", 9}, {"t", 100}, {"poll", 1}}));
    EXPECT_EQ(of("ch6"), (json{{"d", 1000}, {"n", 999}, {"t", 1}, {"poll", 0}}));
    request r;
    r.given = {{"d", "6"}, {"n", "7"}, {"t", "8"}, {"poll", "9"}};
    EXPECT_EQ(find_program("bpc")->parameters(r), (json{{"d", 6}, {"n", 7}, {"t", 8}, {"poll", 9}}));
}

}  // namespace
