// ParlayLib's four words on Parley.
#include <parley/parlaylib.hpp>

#include "tests/parley/api/support.hpp"

#include <memory>
#include <numeric>
#include <set>

namespace {

using namespace api_test;

TEST(ParlayLib, LoopsCallEachIndexOnceWhateverTheGranularity) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const long granularity : {0L, 1L, 100L, 1'000'000L})
                for (const bool conservative : {false, true}) {
                    std::vector<std::atomic<int>> calls(5'000);
                    parlay::parallel_for(10, 5'000, [&](std::size_t i) { ++calls[i]; }, granularity, conservative);
                    for (std::size_t i = 0; i < calls.size(); ++i) ASSERT_EQ(calls[i], i < 10 ? 0 : 1);
                }
            parlay::parallel_for(3, 3, [](std::size_t) { FAIL(); });
            parlay::parallel_for(3, 2, [](std::size_t) { FAIL(); });
        });
    });
}

TEST(ParlayLib, LoopsTakeWhatCannotBeCopied) {
    std::atomic<long> sum{0};
    auto f = [&sum, ten = std::make_unique<long>(10)](std::size_t) mutable { sum += *ten; };
    parlay::parallel_for(0, 100, f);
    parlay::parallel_for(0, 100, std::move(f));
    EXPECT_EQ(sum, 2'000);
}

long fibonacci(long n) {
    if (n < 2) return n;
    long a = 0, b = 0;
    parlay::par_do([&] { a = fibonacci(n - 1); }, [&] { return b = fibonacci(n - 2); });
    return a + b;
}

TEST(ParlayLib, TwoCallsAtOnceMayReturnSomethingAndMayWait) {
    with_each_size([](parley::runtime& rt) { EXPECT_EQ(rt.run([] { return fibonacci(18); }), 2'584); });
    EXPECT_EQ(fibonacci(15), 610) << "outside of any runtime";
}

TEST(ParlayLib, WorkersAreNumberedBelowTheirNumber) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            EXPECT_EQ(parlay::num_workers(), rt.workers());
            std::vector<std::atomic<int>> calls(parlay::num_workers());
            parlay::parallel_for(0, 10'000, [&](std::size_t) { ++calls.at(parlay::worker_id()); });
            EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0), 10'000);
        });
    });
    EXPECT_LT(parlay::worker_id(), parlay::num_workers());
}

TEST(ParlayLib, ExceptionsArrive) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            EXPECT_THROW(parlay::parallel_for(0, 1'000, [](std::size_t i) { i == 700 ? throw boom{} : void(); }), boom);
            EXPECT_THROW(parlay::par_do([] {}, [] { throw boom{}; }, true), boom);
        });
    });
}

TEST(ParlayLib, WhatIsBuiltOnItsWordsRunsOnParley) {
    std::vector<int> v(10'001);
    parlay::for_blocks_of(v.size(), 64, [&](std::size_t from, std::size_t to) {
        for (; from != to; ++from) ++v[from];
    });
    EXPECT_EQ(v, std::vector<int>(10'001, 1));
}

TEST(ParlayLib, ExecuteHasWorkersOfItsOwn) {
    std::size_t workers = 0;
    parlay::execute(3, [&] { workers = parlay::num_workers(); });
    EXPECT_EQ(workers, 3U);
}

}  // namespace
