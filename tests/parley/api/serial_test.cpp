// options::serial: every call at once where it is written.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stop_token>
#include <string>

namespace {

using namespace api_test;
using parley::async;
using order = std::vector<int>;

class Serial : public testing::Test {
protected:
    parley::runtime rt{{.serial = true}};
    order seen;
};

TEST_F(Serial, HasOneWorkerWhateverIsAskedFor) {
    EXPECT_EQ(rt.workers(), 1U);
    const parley::runtime eight{{.workers = 8, .serial = true}};
    EXPECT_EQ(eight.workers(), 1U);
    EXPECT_THROW(parley::runtime({.workers = parley::max_workers + 1, .serial = true}), parley::usage_error);
}

TEST_F(Serial, ForkJoinCallsInOrder) {
    rt.run([&] {
        const auto [a, b, c] = parley::fork_join(
            [&] {
                seen.push_back(1);
                return 1;
            },
            [&] {
                seen.push_back(2);
                return 2;
            },
            [&] {
                seen.push_back(3);
                return 3;
            });
        EXPECT_EQ(a + b + c, 6);
        EXPECT_EQ(seen, (order{1, 2, 3}));
        EXPECT_EQ(fib(15), serial_fib(15));
    });
}

TEST_F(Serial, ForkJoinKeepsItsOrderWhateverTheFirstCallDoes) {
    rt.run([&] {
        parley::scope outer;
        parley::fork_join(
            [&] {
                seen.push_back(1);
                async([] { return fib(5); }).get();
                outer.spawn([&] { seen.push_back(2); });
                outer.wait();
                parley::for_each_index(0, 10, [](int) {});
                parley::barrier();
                parley::poll();
                seen.push_back(3);
            },
            [&] { seen.push_back(4); });
        EXPECT_EQ(seen, (order{1, 2, 3, 4}));
    });
}

TEST_F(Serial, ForkJoinThrowsWhatTheFirstCallThrowsAndDoesNotMakeTheSecond) {
    rt.run([&] {
        bool second = false;
        EXPECT_THROW(parley::fork_join([] { throw boom{}; }, [&] { second = true; }), boom);
        EXPECT_FALSE(second);
        EXPECT_THROW(parley::fork_join([] {}, [] { throw boom{}; }), boom);
    });
}

TEST_F(Serial, AsyncCallsBeforeItReturns) {
    rt.run([&] {
        auto f = async([&] {
            seen.push_back(1);
            return 7;
        });
        seen.push_back(2);
        EXPECT_TRUE(f.is_ready());
        EXPECT_EQ(f.get(), 7);
        auto g = async(
            [&](int x) {
                seen.push_back(3);
                return x < 0 ? 0 : throw boom{x};
            },
            4);
        seen.push_back(4);
        EXPECT_THROW(g.get(), boom);
        EXPECT_EQ(seen, (order{1, 2, 3, 4}));
    });
}

TEST_F(Serial, SpawnCallsBeforeItReturns) {
    rt.run([&] {
        parley::scope s;
        s.spawn([&] {
            seen.push_back(1);
            s.spawn([&](int n) { seen.push_back(n); }, 2);
            seen.push_back(3);
        });
        seen.push_back(4);
        s.wait();
        s.spawn([&] { seen.push_back(5); });  // and again
        s.wait();
        EXPECT_EQ(seen, (order{1, 2, 3, 4, 5}));
    });
}

TEST_F(Serial, TheFirstExceptionOfAScopeDropsWhatIsSpawnedAfterIt) {
    rt.run([&] {
        parley::scope s;
        s.spawn([&] { seen.push_back(1); });
        s.spawn([] { throw boom{2}; });
        s.spawn([&] { seen.push_back(3); });
        EXPECT_THROW(s.wait(), boom);
        EXPECT_EQ(seen, (order{1}));
        s.spawn([&] { seen.push_back(4); });
        s.wait();
        EXPECT_EQ(seen, (order{1, 4}));
    });
}

TEST_F(Serial, TheEndOfAScopeThrowsWhatNobodyHasWaitedFor) {
    EXPECT_THROW(rt.run([] {
        parley::scope forgotten;
        forgotten.spawn([] { throw boom{}; });
    }),
                 boom);
}

TEST_F(Serial, ARequestedStopDropsWhatIsSpawnedAfterIt) {
    rt.run([&] {
        std::stop_source stop;
        parley::scope s(stop.get_token());
        s.spawn([&] { seen.push_back(1); });
        stop.request_stop();
        s.spawn([&] { seen.push_back(2); });
        EXPECT_THROW(s.wait(), parley::cancelled);
        EXPECT_EQ(seen, (order{1}));
    });
}

TEST_F(Serial, DestroysWhatItCalled) {
    tally alive{0};
    rt.run([&] {
        parley::scope s;
        s.spawn([c = counted(alive)] {});
        EXPECT_EQ(alive, 0);
        s.spawn([](counted) {}, counted(alive));
        s.spawn([c = counted(alive)] { throw boom{}; });
        s.spawn([c = counted(alive)] {});
        EXPECT_EQ(alive, 0);
        EXPECT_THROW(s.wait(), boom);
        {
            const auto f = async([c = counted(alive)] { return c; });
        }
        EXPECT_EQ(alive, 0);
    });
}

TEST_F(Serial, LoopsRunInOrder) {
    rt.run([&] {
        parley::for_each_index(0, 10'000, [&](int i) { seen.push_back(i); });
        ASSERT_EQ(seen.size(), 10'000U);
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
        order places;
        parley::for_each_index({3, 2}, [&](int i, int j) { places.push_back(10 * i + j); });
        EXPECT_EQ(places, (order{0, 1, 10, 11, 20, 21}));
        seen.clear();
        EXPECT_THROW(parley::for_each_index(0, 10,
                                            [&](int i) {
                                                seen.push_back(i);
                                                if (i == 3) throw boom{};
                                            }),
                     boom);
        EXPECT_EQ(seen, (order{0, 1, 2, 3}));
    });
}

TEST_F(Serial, BarrierReturnsAtOnceInTheRootTaskOnly) {
    rt.run([&] {
        parley::barrier();
        EXPECT_THROW(async([] { parley::barrier(); }).get(), parley::usage_error);
        parley::scope s;
        s.spawn([] { parley::barrier(); });
        EXPECT_THROW(s.wait(), parley::usage_error);
        parley::barrier();
    });
    EXPECT_THROW(parley::barrier(), parley::usage_error);
}

TEST_F(Serial, OtherWordsWork) {
    rt.run([&] {
        EXPECT_EQ(parley::isolated([&] { return async([] { return fib(5); }).get(); }), serial_fib(5));
        EXPECT_EQ(std::get<1>(parley::when_all(async([] {}), async([] { return 2; })).get()), 2);
        parley::worker_local<int> local;
        parley::for_each_index(0, 100, [&](int) { ++local.local(); });
        EXPECT_EQ(local.local(), 100);
        const parley::blocking_region here;
        EXPECT_EQ(async([] { return 3; }).get(), 3);
    });
}

TEST_F(Serial, CancelsAtTheNextFork) {
    EXPECT_THROW(rt.run([&] {
        parley::scope s;
        s.spawn([&] { rt.cancel(); });
        ADD_FAILURE() << "went on";
    }),
                 parley::cancelled);
    EXPECT_THROW(rt.run([&] {
        rt.cancel();
        parley::fork_join([] {}, [] {});
    }),
                 parley::cancelled);
    EXPECT_EQ(rt.run([] { return fib(5); }), 5U);
}

TEST_F(Serial, ASpawnFromOutsideRunsOnTheThreadThatSpawns) {
    parley::scope s(rt);
    std::thread::id where;
    s.spawn([&] {
        where = std::this_thread::get_id();
        EXPECT_EQ(fib(10), serial_fib(10));
    });
    EXPECT_EQ(where, std::this_thread::get_id());
    s.spawn([] { throw boom{}; });
    EXPECT_THROW(s.wait(), boom);
}

// At once, as everything: on the thread that says so.
TEST_F(Serial, ASpawnFromOutsideRunsWhereItIsMade) {
    for (std::size_t i = 0; i < times(20); ++i)
        rt.run([&] {
            std::atomic<int> ran{0};
            parley::scope s;
            std::thread([&] {
                const std::thread::id there = std::this_thread::get_id();
                for (int k = 0; k < 10; ++k) {
                    s.spawn([&] {
                        EXPECT_EQ(std::this_thread::get_id(), there);
                        ++ran;
                    });
                    EXPECT_EQ(ran, k + 1);
                }
            }).join();
            if (i % 2 == 0) s.wait();
            else parley::barrier();
            EXPECT_EQ(ran, 10);
        });
}

TEST_F(Serial, SeveralThreadsTakeTurns) {
    std::atomic<std::uint64_t> sum{0};
    in_threads(4, [&](unsigned) {
        for (std::size_t i = 0; i < times(50); ++i) {
            parley::scope s(rt);
            for (int k = 0; k < 4; ++k) s.spawn([&] { sum += fib(6); });
            s.wait();
            sum += rt.run([] { return fib(6); });
        }
    });
    EXPECT_EQ(sum, 4 * times(50) * 5 * serial_fib(6));
}

TEST_F(Serial, BesideARuntimeWithThreads) {
    parley::runtime parallel{{.workers = 2}};
    parallel.run([&] {
        std::atomic<int> ran{0};
        parley::scope s;
        for (int i = 0; i < 100; ++i)
            s.spawn([&, i] {
                ++ran;
                if (i % 10 != 0) return;
                rt.run([&] {
                    async([&] { ++ran; }).get();
                    parley::scope inner;
                    inner.spawn([&] { ++ran; });
                    s.spawn([&] { ++ran; });  // of the other one
                });
            });
        s.wait();
        EXPECT_EQ(ran, 130);
    });
}

// A process of its own: the default runtime reads the environment once.
TEST(SerialDeathTest, TheDefaultRuntimeFollowsTheEnvironment) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("PARLEY_SERIAL", "1", 1);
            bool called = false;
            const auto f = async([&] { called = true; });
            int spawned = 0;
            parley::scope s;
            s.spawn([&] { ++spawned; });
            order in;
            parley::for_each_index(0, 100, [&](int i) { in.push_back(i); });
            std::_Exit(called && spawned == 1 && std::is_sorted(in.begin(), in.end()) ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(SerialDeathTest, TheDefaultRuntimeRefusesABadValue) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("PARLEY_SERIAL", "banana", 1);
            try {
                parley::async([] {}).get();
            } catch (const parley::environment_error& e) {
                std::_Exit(e.variable == "PARLEY_SERIAL" ? 0 : 2);
            }
            std::_Exit(1);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
