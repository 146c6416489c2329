// Whatever the strategies, the same work is done: each way to ask on real threads. Compiled with both
// machines.
#include "tests/parley/api/support.hpp"
#include "tests/parley/api/ways.hpp"

#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

namespace {

using api_test::tuning;

std::uint64_t fib(unsigned n) {
    if (n < 2) return n;
    const auto [a, b] = parley::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
    return a + b;
}

void tree(parley::scope& s, std::atomic<unsigned>& nodes, unsigned depth) {
    ++nodes;
    if (depth == 0) return;
    for (int i = 0; i < 3; ++i) s.spawn([&s, &nodes, depth] { tree(s, nodes, depth - 1); });
}

class Ways : public testing::TestWithParam<tuning> {
protected:
    parley::runtime rt{{.workers = 3}, GetParam()};
};

TEST_P(Ways, DoTheSameWork) {
    rt.run([] {
        EXPECT_EQ(fib(16), 987u);
        std::atomic<unsigned> nodes{0};
        {
            parley::scope s;
            tree(s, nodes, 6);
            s.wait();
        }
        EXPECT_EQ(nodes, 1093u);  // (3^7 - 1) / 2
        parley::barrier();
        std::atomic<std::uint64_t> sum{0};
        parley::for_each_index(0, 1000, [&](int i) { sum += static_cast<std::uint64_t>(i); });
        EXPECT_EQ(sum, 499'500u);
        auto f = parley::async([] { return fib(10); });
        EXPECT_EQ(f.get(), 55u);
    });
}

// A thief runs what its victim waits for without serving anybody: it must come by the thief's own asking.
TEST_P(Ways, FeedAThief) {
    rt.run([] {
        std::atomic<bool> begun{false};
        parley::scope s;
        s.spawn([&] { begun = true; });
        while (!begun) parley::poll();
        s.wait();
    });
}

TEST_P(Ways, BarriersWaitForEverything) {
    for (int round = 0; round < 20; ++round)
        rt.run([&] {
            std::atomic<int> done{0};
            parley::scope s;
            for (int k = 1; k <= 4; ++k) {
                for (int i = 0; i < 50; ++i)
                    s.spawn([&] {
                        (void)fib(6);
                        ++done;
                    });
                parley::barrier();
                EXPECT_EQ(done, 50 * k);
            }
            parley::barrier();  // with nothing to wait for
            s.wait();
        });
}

TEST_P(Ways, WorkersMayBlock) {
    for (int round = 0; round < 20; ++round)
        rt.run([] {
            std::atomic<int> there{0};
            parley::scope s;
            for (int i = 0; i < 2; ++i)
                s.spawn([&there] {
                    ++there;
                    const parley::blocking_region here;
                    while (there < 2) std::this_thread::yield();
                });
            s.wait();
        });
}

TEST_P(Ways, ThreadsOutsideMaySubmit) {
    std::atomic<int> ran{0};
    api_test::in_threads(3, [&](unsigned) {
        for (int i = 0; i < 50; ++i) rt.run([&] { parley::fork_join([&] { ++ran; }, [&] { ++ran; }); });
    });
    EXPECT_EQ(ran, 300);
}

INSTANTIATE_TEST_SUITE_P(All, Ways, testing::ValuesIn(api_test::all_ways()),
                         [](const auto& way) { return api_test::name_of(way.param); });

TEST(Strategies, MoreThanTwoRequestsAreRefused) {
    for (const unsigned requests : {0U, 3U})
        EXPECT_THROW(parley::runtime({.workers = 2}, {.requests = requests}), parley::usage_error);
}

#ifndef PARLEY_MACHINE  // the papers' has no watchdog
TEST(Strategies, ASignalForEveryRequestNeedsAWatchdog) {
    EXPECT_THROW(parley::runtime({.watchdog = parley::watchdogs::off}, {.interrupts_for_every_request = true}),
                 parley::usage_error);
}
#endif

}  // namespace
