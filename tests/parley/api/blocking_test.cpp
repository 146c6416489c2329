// blocking_region: what is queued does not wait for a task that blocks.
#include "tests/parley/api/support.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;
using parley::async;
using parley::blocking;
using parley::blocking_region;

TEST(Blocking, OutsideARuntimeItDoesNothing) {
    const blocking_region outer;
    const blocking_region inner;
    EXPECT_EQ(blocking([] { return 1; }), 1);
    EXPECT_EQ(async([] { return fib(5); }).get(), serial_fib(5));
}

TEST(Blocking, ReturnsWhatTheFunctionReturnsAndThrowsWhatItThrows) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            int x = 0;
            EXPECT_EQ(&blocking([&]() -> int& { return x; }), &x);
            EXPECT_EQ(*blocking([] { return std::make_unique<int>(2); }), 2);
            static_assert(std::is_void_v<decltype(blocking([] {}))>);
            EXPECT_THROW(blocking([] { throw boom{}; }), boom);
            EXPECT_EQ(blocking([p = std::make_unique<int>(3)] { return *p; }), 3);
            EXPECT_EQ(fib(10), serial_fib(10));
        });
    });
}

TEST(Blocking, SpawnedTasksRunElsewhereMeanwhile) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(100); ++round)
            rt.run([&] {
                std::atomic<std::size_t> ran{0};
                const std::size_t many = round % 10 == 0 ? 5000 : round;
                parley::scope s;
                for (std::size_t i = 0; i < many; ++i) s.spawn([&] { ++ran; });
                blocking([&] { block_until([&] { return ran == many; }); });
                s.wait();
            });
    }
}

TEST(Blocking, FuturesBecomeReadyMeanwhile) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(100); ++round)
            rt.run([] {
                const auto one = async([] { return fib(5); });
                const auto two = async([] { return fib(5); });
                const blocking_region here;
                block_until([&] { return one.is_ready() && two.is_ready(); });
            });
    }
}

TEST(Blocking, ForkedCallsRunElsewhereMeanwhile) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(100); ++round)
            rt.run([] {
                std::atomic<int> ran{0};
                const auto [a, b, c] = parley::fork_join(
                    [&] {
                        return parley::fork_join(
                            [&] {
                                blocking([&] { block_until([&] { return ran == 2; }); });
                                return 1;
                            },
                            [&] {
                                ++ran;
                                return 2;
                            });
                    },
                    [&] {
                        ++ran;
                        return 3;
                    },
                    [] { return 4; });
                EXPECT_EQ(a, std::make_tuple(1, 2));
                EXPECT_EQ(b + c, 7);
            });
    }
}

// The first forks of a runtime start its threads; a loop may block before that.
TEST(Blocking, WhatALoopHasNotBegunRunsElsewhereMeanwhile) {
    for (const unsigned n : several)
        for (std::size_t round = 0; round < times(50); ++round) {
            parley::runtime rt{{.workers = n}};
            rt.run([&] {
                std::atomic<int> ran{0};
                parley::for_each_index(0, 200, [&](int i) {
                    if (i == 0) blocking([&] { block_until([&] { return ran == 199; }); });
                    else ++ran;
                });
                parley::for_each_index(0, 100, [&](int) { blocking([&] { ++ran; }); });
                EXPECT_EQ(ran, 299);
            });
        }
}

TEST(Blocking, OuterLoopsAreHandedOnToo) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([&] {
                std::atomic<int> ran{0};
                parley::for_each_index(0, 10, [&](int i) {
                    parley::for_each_index(0, 10, [&](int k) {
                        if (i == 0 && k == 0) blocking([&] { block_until([&] { return ran == 99; }); });
                        else ++ran;
                    });
                });
                EXPECT_EQ(ran, 99);
            });
    }
}

TEST(Blocking, WithOneWorkerTheTasksRunAfterwards) {
    parley::runtime rt{{.workers = 1}};
    rt.run([&] {
        int ran = 0;
        parley::scope s;
        for (int i = 0; i < 100; ++i) s.spawn([&] { ++ran; });
        blocking([&] { EXPECT_EQ(ran, 0); });
        s.wait();
        EXPECT_EQ(ran, 100);
    });
}

TEST(Blocking, RegionsLieInsideEachOther) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([&] {
                std::atomic<int> ran{0};
                parley::scope s;
                for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
                {
                    const blocking_region outer;
                    blocking([&] { blocking([&] { block_until([&] { return ran == 10; }); }); });
                    blocking([] {});
                }
                for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
                blocking([&] { block_until([&] { return ran == 20; }); });
                s.wait();
            });
    }
}

// The worker is asked again: others take from it while it polls.
TEST(Blocking, AfterwardsTheWorkerIsAskedAgain) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([] {
                blocking([] {});
                forked_elsewhere([] { blocking([] {}); }, [] { blocking([] {}); });
                forked_elsewhere([] {}, [] {});
            });
    }
}

TEST(Blocking, WaitsInsideARegionWork) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([] {
                std::atomic<int> ran{0};
                parley::scope s;
                for (int i = 0; i < 50; ++i) s.spawn([&] { fib(5), ++ran; });
                auto before = async([] { return fib(8); });
                const blocking_region here;
                EXPECT_EQ(before.get(), serial_fib(8));
                EXPECT_EQ(async([] { return fib(8); }).get(), serial_fib(8));
                s.wait();
                EXPECT_EQ(ran, 50);
                EXPECT_EQ(fib(8), serial_fib(8));
                parley::for_each_index(0, 100, [&](int) { ++ran; });
                EXPECT_EQ(ran, 150);
                parley::barrier();
            });
    });
}

// What is queued after a wait inside a region does not stay: it is handed on when the wait is over.
TEST(Blocking, AfterAWaitTheRegionIsEnteredAgain) {
    parley::runtime rt{{.workers = 2}};
    for (std::size_t round = 0; round < times(100); ++round)
        rt.run([&] {
            std::atomic<bool> begun{false}, go{false};
            std::atomic<int> ran{0};
            auto elsewhere = async([&] {
                begun = true;
                poll_until([&] { return go.load(); });
            });
            poll_until([&] { return begun.load(); });
            const blocking_region here;
            parley::scope s;
            for (int i = 0; i < 100; ++i) s.spawn([&] { ++ran; });
            // Only the wait can run this one: the other worker is busy. When it ends the wait is over, with
            // the older tasks still queued.
            const auto newest = async([&] {
                go = true;
                block_until([&] { return elsewhere.is_ready(); });
            });
            elsewhere.wait();
            block_until([&] { return ran == 100; });
            s.wait();
        });
}

TEST(Blocking, WhatAWaitInsideARegionRunsMayHaveRegionsOfItsOwn) {
    parley::runtime rt{{.workers = 2}};
    for (std::size_t round = 0; round < times(100); ++round)
        rt.run([&] {
            std::atomic<int> ran{0};
            const blocking_region here;
            parley::scope s;
            for (int i = 0; i < 100; ++i) s.spawn([&] { ++ran; });
            async([&] { blocking([&] { block_until([&] { return ran == 100; }); }); }).wait();
            s.wait();
        });
}

// Tasks that were asked for ahead of time come while the worker blocks, or just before.
TEST(Blocking, AnswersOnTheirWayAreHandedOn) {
    for (const unsigned requests : {1U, 2U}) {
        parley::runtime rt{{.workers = 2}, {.requests = requests, .early = 100}};
        for (std::size_t round = 0; round < times(200); ++round)
            rt.run([&] {
                std::atomic<int> done{0};
                std::atomic<bool> blocked{false};  // one task only: the other worker must remain
                forked_elsewhere(
                    [&] {
                        parley::scope s;
                        for (int i = 0; i < 4; ++i)
                            s.spawn([&] {
                                for (int k = 0; k < 100 && done < 100; ++k) parley::poll();
                                if (blocked.exchange(true)) return;
                                blocking([&] { block_until([&] { return done == 100; }); });
                            });
                        s.wait();
                    },
                    [&] {
                        parley::scope s;
                        for (int i = 0; i < 100; ++i)
                            s.spawn([&] {
                                fib(6);
                                ++done;
                            });
                        s.wait();
                    });
            });
    }
}

TEST(Blocking, ALockThatAnotherThreadHasIsNoTrouble) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(20); ++round) {
            std::mutex m;
            std::condition_variable changed;
            int left = 50;
            rt.run([&] {
                parley::scope s;
                for (int i = 0; i < 50; ++i)
                    s.spawn([&] {
                        const std::scoped_lock guard(m);
                        --left;
                        changed.notify_all();
                    });
                {
                    const blocking_region here;
                    std::unique_lock guard(m);
                    changed.wait(guard, [&] { return left == 0; });
                }
                s.wait();
            });
        }
    }
}

TEST(Blocking, EveryWorkerMayBlockAtOnce) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(20); ++round)
            rt.run([&] {
                std::atomic<unsigned> blocked{0};
                std::atomic<int> ran{0};
                parley::scope s;
                for (unsigned i = 0; i < n; ++i)
                    s.spawn([&] {
                        for (int k = 0; k < 10; ++k) s.spawn([&] { ++ran; });
                        ++blocked;
                        blocking([&] { block_until([&] { return blocked == n; }); });
                    });
                s.wait();
                EXPECT_EQ(ran, static_cast<int>(10 * n));
            });
    }
}

// It would lie with a thread that blocks, perhaps until the job has run.
TEST(Blocking, ALookInsideARegionTakesNoJob) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n, .watchdog = parley::watchdogs::off}};
        for (std::size_t round = 0; round < times(20); ++round) {
            std::atomic<bool> ran{false}, looked{false};
            std::atomic<unsigned> busy{1};
            parley::scope outside(rt);
            rt.run([&] {
                // Nobody rests: all others are in tasks until this one has looked.
                parley::scope s;
                for (unsigned i = 1; i < n; ++i)
                    s.spawn([&] {
                        ++busy;
                        block_until([&] { return looked.load(); });
                    });
                poll_until([&] { return busy == n; });
                blocking([&] {
                    std::thread([&] { outside.spawn([&] { ran = true; }); }).join();
                    parley::poll();
                    looked = true;
                    block_until([&] { return ran.load(); });
                });
                s.wait();
            });
            outside.wait();
        }
    }
}

// Isolated waits take no jobs: their own tasks must not be made jobs.

}  // namespace
