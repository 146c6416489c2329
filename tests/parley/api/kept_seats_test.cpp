// Threads outside that use the default runtime keep their seat between two words.
#include "tests/parley/api/support.hpp"

#include <vector>

namespace {

using namespace api_test;

TEST(KeptSeats, WhatIsLeftBehindRunsThoughItsMakerDoesNotComeBack) {
    for (std::size_t round = 0; round < times(50); ++round) {
        std::atomic<int> ran{0};
        std::thread([&] {
            for (int i = 0; i < 20; ++i) parley::spawn([&] { ++ran; });
        }).join();
        const parley::future<void> later = parley::async([] {});
        while (ran < 20) {
            if (parley::options::from_environment().workers == 1) parley::async([] {}).get();
            std::this_thread::yield();
        }
        later.wait();
        EXPECT_EQ(ran, 20);
    }
}

TEST(KeptSeats, AnotherThreadWaitsForWhatIsLeft) {
    for (std::size_t round = 0; round < times(200); ++round) {
        parley::future<unsigned> made = parley::async([] { return 41U; });
        unsigned got = 0;
        std::thread([&] { got = made.get() + 1; }).join();  // this thread does nothing meanwhile
        EXPECT_EQ(got, 42U);
    }
}

TEST(KeptSeats, ManyThreadsEachWithEveryWord) {
    std::atomic<std::uint64_t> sum{0};
    in_threads(6, [&](unsigned) {
        for (std::size_t i = 0; i < times(100); ++i) {
            std::vector<parley::future<std::uint64_t>> made;
            for (unsigned k = 0; k < 5; ++k) made.push_back(parley::async(fib, k));
            parley::scope s;
            for (unsigned k = 0; k < 5; ++k) s.spawn([&] { ++sum; });
            const auto [x, y] = parley::fork_join([] { return fib(3); }, [] { return fib(4); });
            sum += x + y;
            parley::for_each_index(0, 10, [&](int) { ++sum; });
            s.wait();
            for (auto& f : made) sum += f.get();
        }
    });
    EXPECT_EQ(sum, 6 * times(100) * (5 + 2 + 3 + 10 + 7));
}

TEST(KeptSeats, ScopesThatEndInAnyOrder) {
    auto first = std::make_unique<parley::scope>();
    auto second = std::make_unique<parley::scope>();
    std::atomic<int> ran{0};
    first->spawn([&] { ++ran; });
    second->spawn([&] { ++ran; });
    first->wait();
    first.reset();
    second->spawn([&] { ++ran; });
    second->wait();
    EXPECT_EQ(ran, 3);
}

TEST(KeptSeats, OutsideAWordTheThreadIsNoWorker) {
    parley::async([] {}).get();
    EXPECT_FALSE(parley::worker_index().has_value());
    EXPECT_THROW(parley::barrier(), parley::usage_error);
    parley::runtime other{{.workers = 2}};
    EXPECT_EQ(other.run([] { return fib(10); }), serial_fib(10));
}

TEST(KeptSeats, ThreadsComeAndGo) {
    std::atomic<std::uint64_t> sum{0};
    for (std::size_t i = 0; i < times(300); ++i) std::thread([&] { sum += parley::async(fib, 6U).get(); }).join();
    EXPECT_EQ(sum, times(300) * serial_fib(6));
}

TEST(KeptSeats, ExceptionsComeOut) {
    EXPECT_THROW(parley::async([] { throw boom{1}; }).get(), boom);
    EXPECT_THROW((void)parley::fork_join([] { throw boom{2}; }, [] {}), boom);
    parley::scope s;
    s.spawn([] { throw boom{3}; });
    EXPECT_THROW(s.wait(), boom);
    EXPECT_EQ(parley::async([] { return 5; }).get(), 5);
}

}  // namespace
