// Priorities and waiting: no wait depends on what is begun early because it is high.
#include "tests/parley/api/support.hpp"
#include "tests/parley/api/ways.hpp"

#include <random>
#include <string>
#include <vector>

namespace {

using namespace api_test;
using parley::async;
using parley::priority;

// The high task begins before the older normal one that it waits for.
TEST(PriorityWaits, HighOnesMayWaitForNormalOnes) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(200); ++round)
            rt.run([] {
                auto low = async([] { return fib(8); });
                auto high = async(priority::high, [&low] { return low.get() + 1; });
                EXPECT_EQ(high.get(), serial_fib(8) + 1);
            });
    });
}

// The high task, which has begun first, waits for what lies below the newer normal one, which waits for the high
// one: begun on top of that wait, it would wait for ever.
TEST(PriorityWaits, NormalOnesMayWaitForHighOnesThatWait) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(200); ++round)
            rt.run([] {
                auto oldest = async([] { return fib(8); });
                auto high = async(priority::high, [&oldest] { return oldest.get() + 1; });
                auto newest = async([&high] { return high.get() + 1; });
                EXPECT_EQ(newest.get(), serial_fib(8) + 2);
            });
    });
}

// Each waits for the one before; any of them may be high.
TEST(PriorityWaits, ChainsOfFuturesOfMixedPriorities) {
    with_each_size([](parley::runtime& rt) {
        for (unsigned seed = 0; seed < times(100); ++seed)
            rt.run([seed] {
                std::mt19937 random(seed);
                std::vector<parley::future<int>> chain;
                chain.reserve(200);
                chain.push_back(async([] { return 0; }));
                for (int i = 1; i < 200; ++i) {
                    auto next = [&before = chain.back()] {
                        parley::fork_join([] { parley::poll(); }, [] {});
                        return before.get() + 1;
                    };
                    chain.push_back(async(random() % 2 == 0 ? priority::high : priority::normal, next));
                }
                EXPECT_EQ(chain.back().get(), 199);
            });
    });
}

TEST(PriorityWaits, LongChainsDoNotOverflow) {
    parley::runtime rt{{.workers = 2}};
    const std::size_t length = times(100'000);
    rt.run([&] {
        std::vector<parley::future<std::size_t>> chain;
        chain.reserve(length);
        chain.push_back(async([] { return std::size_t{0}; }));
        for (std::size_t i = 1; i < length; ++i)
            chain.push_back(async(i % 3 == 0 ? priority::normal : priority::high,
                                  [&before = chain.back()] { return before.get() + 1; }));
        EXPECT_EQ(chain.back().get(), length - 1);
    });
}

// Inside, high ones that were made outside are held as well; with nobody else they wait until it ends.
TEST(PriorityWaits, IsolatedWaitsRunOnlyWhatWasMadeInside) {
    parley::runtime rt{{.workers = 1}};
    std::string ran;
    rt.run([&] {
        parley::scope outer;
        outer.spawn([&] { ran += 'a'; });
        outer.spawn(priority::high, [&] { ran += 'H'; });
        parley::isolated([&] {
            parley::scope inner;
            inner.spawn([&] { ran += 'n'; });
            inner.spawn(priority::high, [&] { ran += 'I'; });
            inner.wait();
            EXPECT_EQ(ran, "In");
        });
        outer.wait();
    });
    EXPECT_EQ(ran, "InHa");
}

TEST(PriorityWaits, WhatAnIsolatedWaitMayNotRunOthersDo) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([] {
                std::atomic<int> ran{0};
                parley::scope outer;
                for (int i = 0; i < 20; ++i) outer.spawn(priority::high, [&] { ++ran; });
                parley::isolated([&] { forked_elsewhere([] {}, [&] { block_until([&] { return ran.load() >= 10; }); }); });
                outer.wait();
                EXPECT_EQ(ran, 20);
            });
    }
}

TEST(PriorityWaits, BlockingRegionsHandThemOn) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([round] {
                std::atomic<std::size_t> ran{0};
                const std::size_t many = round % 10 == 0 ? 3000 : round;
                parley::scope s;
                for (std::size_t i = 0; i < many; ++i)
                    s.spawn(i % 2 == 0 ? priority::high : priority::normal, [&] { ++ran; });
                parley::blocking([&] { block_until([&] { return ran == many; }); });
                s.wait();
            });
    }
}

TEST(PriorityWaits, BlockingInsideIsolatedKeepsWhatWasMadeThere) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            std::atomic<int> outside{0}, inside{0};
            parley::scope outer;
            for (int i = 0; i < 20; ++i) outer.spawn(priority::high, [&] { ++outside; });
            parley::isolated([&] {
                parley::scope inner;
                for (int i = 0; i < 20; ++i) inner.spawn(i % 2 == 0 ? priority::high : priority::normal, [&] { ++inside; });
                parley::blocking([&] { block_until([&] { return outside == 20; }); });
                inner.wait();
                EXPECT_EQ(inside, 20);
            });
            outer.wait();
        });
    }
}

TEST(PriorityWaits, TheDestructorOfARuntimeRunsThem) {
    for (const unsigned n : worker_counts) {
        std::atomic<int> ran{0};
        std::vector<parley::future<void>> pending;
        {
            parley::runtime rt{{.workers = n}};
            rt.run([&] {
                for (int i = 0; i < 100; ++i)
                    pending.push_back(async(i % 2 == 0 ? priority::high : priority::normal, [&] { ++ran; }));
            });
        }
        EXPECT_EQ(ran, 100);
        for (const auto& f : pending) EXPECT_TRUE(f.is_ready());
    }
}

TEST(PriorityWaits, ABarrierWaitsForThem) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(100); ++round) {
            std::atomic<int> ran{0};
            rt.run([&] {
                std::vector<parley::future<void>> futures;
                for (int i = 0; i < 30; ++i) {
                    futures.push_back(async(priority::high, [&] {
                        auto child = async(priority::high, [&] { ++ran; });
                        child.get();
                        ++ran;
                    }));
                }
                parley::barrier();
                EXPECT_EQ(ran, 60);
            });
        }
    });
}

void tree_of_both(parley::scope& s, std::atomic<unsigned>& nodes, unsigned depth) {
    ++nodes;
    for (int i = 0; depth > 0 && i < 3; ++i)
        s.spawn(i == 1 ? priority::high : priority::normal, [&s, &nodes, depth] { tree_of_both(s, nodes, depth - 1); });
}

TEST(PriorityWaits, WhateverTheWayToAsk) {
    using parley::threading::stealing;
    for (tuning way : some_ways())
        for (const auto amount : {stealing::one, stealing::half}) {
            way.steal = amount;
            parley::runtime rt{{.workers = 3}, way};
            for (std::size_t round = 0; round < times(30); ++round) {
                std::atomic<unsigned> nodes{0};
                rt.run([&] {
                    parley::scope s;
                    tree_of_both(s, nodes, 5);
                    auto low = async([] { return fib(8); });
                    auto high = async(priority::high, [&low] { return low.get(); });
                    EXPECT_EQ(high.get(), serial_fib(8));
                    s.wait();
                    parley::barrier();
                });
                EXPECT_EQ(nodes, 364U);  // 1 + 3 + ... + 3^5
            }
        }
}

}  // namespace
