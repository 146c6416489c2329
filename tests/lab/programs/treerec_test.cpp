#include "lab/programs/treerec.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "lab/programs/fib.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::watched;

TEST(Treerec, ValueIsAFibonacciNumber) {
    const busy_work nothing(0.0);
    for (unsigned n = 0; n <= 20; ++n) {
        EXPECT_EQ(treerec<serial>(n, nothing), fib_by_iteration(n)) << n;
    }
}

TEST(Treerec, ParleyFindsTheSameWithATaskForEachFork) {
    const busy_work leaf(0.2);
    for (const unsigned workers : {1U, 2U, 3U}) {
        parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
        EXPECT_EQ(pool.run([&] { return treerec<parley_peers::parley>(20, leaf); }), fib_by_iteration(20));
        EXPECT_EQ(parley_tests::tasks_of(pool), forks_of_fib(20)) << workers;
    }
}

TEST(Treerec, TasksAreThoseOfThePapers) {
    watched::begin();
    EXPECT_EQ(treerec<watched>(25, busy_work(0.0)), fib_by_iteration(25));
    EXPECT_EQ(2 * watched::forks, 242'784U);
    EXPECT_EQ(calls_of_treerec(25), 242'784U);
    EXPECT_EQ(forks_of_fib(32), 3'524'577U);
}

TEST(Treerec, LeavesCompute) {
    watched::begin();
    EXPECT_EQ(treerec<watched>(6, busy_work(4.0, 1.0)), 8U);
    EXPECT_GE(watched::polls, 13U * 3U) << "three polls or more in each of 13 leaves";
}

TEST(Treerec, LostCallShows) {
    const json known = find_program("treerec")->known({{"n", 10}, {"t", 0}});
    std::uint64_t unseen = 0;
    for (std::uint64_t lost = 1; lost <= forks_of_fib(10); ++lost) {
        watched::begin(lost);
        const json found{{"value", treerec<watched>(10, busy_work(0.0))}};
        unseen += found == known ? 1U : 0U;
    }
    EXPECT_EQ(unseen, fib_by_iteration(9)) << "only the leaves of value 0";
}

TEST(Treerec, SizesAreThoseOfThePapers) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("treerec")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"n", 25}, {"t", 1}}));
    EXPECT_EQ(of("ch"), (json{{"n", 25}, {"t", 10}}));
    EXPECT_EQ(of("thesis"), (json{{"n", 32}, {"t", 1}}));
    EXPECT_EQ(of("ch6"), (json{{"n", 32}, {"t", 1}}));
    request r;
    r.size = "ch";
    r.given = {{"t", "1000"}};
    EXPECT_EQ(find_program("treerec")->parameters(r), (json{{"n", 25}, {"t", 1000}}));
}

}  // namespace
