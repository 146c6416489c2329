#include "lab/programs/spc.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

template <class S>
std::uint64_t run_tasks(std::uint64_t n, const busy_work& work, typename S::pool& pool) {
    single_producer<S> tasks(n, work, pool);
    return pool.run([&] { return tasks(); });
}

TEST(Spc, EachTaskRuns) {
    for (const std::uint64_t n : {0U, 1U, 5000U}) {
        parley_peers::serial::pool plain({});
        EXPECT_EQ(run_tasks<parley_peers::serial>(n, busy_work(1.0), plain), n);
        for (const unsigned workers : {1U, 2U, 3U}) {
            parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
            EXPECT_EQ(run_tasks<parley_peers::parley>(n, busy_work(1.0), pool), n);
            EXPECT_EQ(parley_tests::tasks_of(pool), n) << workers;
        }
    }
}

TEST(Spc, TasksOfThe2014Paper) {
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    EXPECT_EQ(run_tasks<parley_peers::parley>(100'000, busy_work(0.0), pool), 100'000U);
    EXPECT_EQ(parley_tests::tasks_of(pool), 100'000U);
}

TEST(Spc, CountsAfreshEachTime) {
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    single_producer<parley_peers::parley> tasks(1000, busy_work(1.0, 0.5), pool);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(pool.run([&] { return tasks(); }), 1000U);
        EXPECT_EQ(tasks.so_far(), 1000U);
    }
}

TEST(Spc, TasksComputeAndPoll) {
    watched::pool pool({});
    watched::begin();
    EXPECT_EQ(run_tasks<watched>(10, busy_work(4.0, 1.0), pool), 10U);
    EXPECT_EQ(watched::spawns, 10U);
    EXPECT_GE(watched::polls, 30U);
    EXPECT_LE(watched::polls, 40U);
}

TEST(Spc, LostTaskShows) {
    watched::pool pool({});
    const json known = find_program("spc")->known({{"n", 10}, {"t", 0}, {"poll", 0}});
    for (std::uint64_t lost = 1; lost <= 10; ++lost) {
        watched::begin(lost);
        EXPECT_NE((json{{"tasks", run_tasks<watched>(10, busy_work(0.0), pool)}}), known) << lost;
    }
    watched::begin();
    EXPECT_EQ((json{{"tasks", run_tasks<watched>(10, busy_work(0.0), pool)}}), known);
}

TEST(Spc, SizesAreThoseOfThePapers) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("spc")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"n", 20'000}, {"t", 10}, {"poll", 0}}));
    EXPECT_EQ(of("ch"), (json{{"n", 100'000}, {"t", 10}, {"poll", 0}}));
    EXPECT_EQ(of("thesis"), (json{{"n", 1'000'000}, {"t", 10}, {"poll", 0}}));
    EXPECT_EQ(of("ch6"), (json{{"n", 1'000'000}, {"t", 1}, {"poll", 0}}));
    request r;
    r.given = {{"n", "7"}, {"t", "8"}, {"poll", "9"}};
    EXPECT_EQ(find_program("spc")->parameters(r), (json{{"n", 7}, {"t", 8}, {"poll", 9}}));
}

}  // namespace
