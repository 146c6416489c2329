#include "lab/programs/spawns.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

template <class S>
std::uint64_t run_tasks(std::uint64_t n, typename S::pool& pool) {
    empty_spawns<S> tasks(n, pool);
    return pool.run([&] { return tasks(); });
}

TEST(Spawns, EachTaskRuns) {
    for (const std::uint64_t n : {0U, 1U, 50'000U}) {
        parley_peers::serial::pool plain({});
        EXPECT_EQ(run_tasks<parley_peers::serial>(n, plain), n);
        for (const unsigned workers : {1U, 2U, 3U}) {
            parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
            EXPECT_EQ(run_tasks<parley_peers::parley>(n, pool), n);
            EXPECT_EQ(parley_tests::tasks_of(pool), n) << workers;
        }
    }
}

TEST(Spawns, LostTaskShows) {
    watched::pool pool({});
    const json known = find_program("spawns")->known({{"n", 10}});
    for (std::uint64_t lost = 1; lost <= 10; ++lost) {
        watched::begin(lost);
        EXPECT_NE((json{{"tasks", run_tasks<watched>(10, pool)}}), known) << lost;
    }
    watched::begin();
    EXPECT_EQ((json{{"tasks", run_tasks<watched>(10, pool)}}), known);
}

TEST(Spawns, AMillionWhateverTheSize) {
    for (const std::string& size : size_names()) {
        request r;
        r.size = size;
        EXPECT_EQ(find_program("spawns")->parameters(r), (json{{"n", 1'000'000}}));
    }
    request r;
    r.given = {{"n", "7"}};
    EXPECT_EQ(find_program("spawns")->parameters(r), (json{{"n", 7}}));
}

TEST(Spawns, RemarksAreTimesPerTask) {
    const program* p = find_program("spawns");
    figures f;
    f.seconds = 0.3;
    f.serial_seconds = 0.1;
    const auto one = p->remarks({{"n", 100'000'000}}, f);
    ASSERT_EQ(one.size(), 3U);
    EXPECT_NE(one[0].find("3.00 ns = T1/n"), std::string::npos);
    EXPECT_NE(one[1].find("2.00 ns = (T1 - TS)/n"), std::string::npos);
    EXPECT_NE(one[2].find("3.00 = T1/TS"), std::string::npos);
    f.workers = 2;
    EXPECT_NE(p->remarks({{"n", 100'000'000}}, f)[0].find("6.00 ns = 2*T2/n"), std::string::npos);
    EXPECT_TRUE(p->remarks({{"n", 0}}, f).empty());
}

}  // namespace
