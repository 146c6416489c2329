// runtime: used by threads that are no workers, more of them than it has.
#include "tests/parley/api/support.hpp"

#include <memory>

namespace {

using namespace api_test;
using parley::runtime;

TEST(RuntimeThreads, RunsFromManyThreadsAllComplete) {
    with_each_size([](runtime& rt) {
        std::atomic<std::size_t> done{0};
        in_threads(8, [&](unsigned me) {
            for (std::size_t i = 0; i < times(200); ++i) done += rt.run([&] { return fib(me + 3); }) == serial_fib(me + 3);
        });
        EXPECT_EQ(done, 8 * times(200));
    });
}

TEST(RuntimeThreads, ResultsAndExceptionsReachTheirOwnCaller) {
    with_each_size([](runtime& rt) {
        in_threads(6, [&](unsigned me) {
            int mine = 0;
            for (std::size_t i = 0; i < times(100); ++i) {
                EXPECT_EQ(&rt.run([&]() -> int& { return mine; }), &mine);
                EXPECT_EQ(*rt.run([&] { return std::make_unique<unsigned>(me); }), me);
                try {
                    rt.run([&] { throw boom{static_cast<int>(me)}; });
                    ADD_FAILURE();
                } catch (const boom& b) {
                    EXPECT_EQ(b.number, static_cast<int>(me));
                }
            }
        });
    });
}

// Eight threads, two workers, every word.
TEST(RuntimeThreads, HammeringWithEveryWord) {
    for (const unsigned workers : {2U, 8U}) {
        runtime rt{{.workers = workers}};
        tally alive{0};
        in_threads(8, [&](unsigned me) {
            for (std::size_t i = 0; i < times(150); ++i) {
                parley::scope mine(rt);
                std::atomic<int> done{0};
                for (int k = 0; k < 5; ++k) mine.spawn([&, c = counted(alive)] { ++done; });
                auto f = rt.run([&] {
                    parley::scope inner;
                    inner.spawn([&, c = counted(alive)] { ++done; });
                    auto g = parley::async([c = counted(alive), me] { return fib(me); });
                    parley::for_each_index(0, 20, [&](int) { ++done; });
                    inner.wait();
                    return g;
                });
                mine.wait();
                EXPECT_EQ(done, 26);
                EXPECT_EQ(f.get(), serial_fib(me));
            }
        });
        EXPECT_EQ(alive, 0);
    }
}

TEST(RuntimeThreads, OneWorkerForFourThreads) {
    runtime rt{{.workers = 1}};
    std::atomic<std::size_t> done{0};
    in_threads(4, [&](unsigned) {
        for (std::size_t i = 0; i < times(300); ++i) {
            auto f = rt.run([] { return parley::async(fib, 5U); });
            parley::scope s(rt);
            s.spawn([&] { ++done; });
            s.wait();
            done += f.get();
        }
    });
    EXPECT_EQ(done, 4 * 6 * times(300));
}

// A thread enters while the one before it leaves: tasks that are left behind find somebody.
TEST(RuntimeThreads, WhatOneThreadLeavesBehindOthersDo) {
    with_each_size([](runtime& rt) {
        std::atomic<std::size_t> ran{0};
        const std::size_t rounds = times(100);
        in_threads(4, [&](unsigned) {
            for (std::size_t i = 0; i < rounds; ++i) {
                std::vector<parley::future<void>> left;
                rt.run([&] {
                    for (int k = 0; k < 10; ++k) left.push_back(parley::async([&] { ++ran; }));
                });
            }  // joined outside
        });
        EXPECT_EQ(ran, 4 * 10 * rounds);
    });
}

// Two threads in one runtime that need each other: a run() must not wait for another one's end.
TEST(RuntimeThreads, TwoRunsThatWaitForEachOther) {
    for (const unsigned n : {1U, 2U, 3U, 8U}) {
        runtime rt{{.workers = n}};
        std::atomic<int> inside{0};
        in_threads(2, [&](unsigned) {
            rt.run([&] {
                ++inside;
                poll_until([&] { return inside == 2; });
            });
        });
        EXPECT_EQ(inside, 2);
    }
}

// The guest needs the scope's owner, which must not have taken it up on top of its wait.
TEST(RuntimeThreads, ARunFromOutsideDoesNotKeepAWaitFromReturning) {
    for (std::size_t i = 0; i < times(300); ++i) {
        runtime rt{{.workers = 2}};
        std::atomic<bool> inside{false}, waited{false};
        std::thread guest([&] {
            while (!inside) std::this_thread::yield();
            rt.run([&] { poll_until([&] { return waited.load(); }); });
        });
        rt.run([&] {
            parley::scope s;
            inside = true;
            for (int k = 0; k < 50; ++k) s.spawn([] {});
            s.wait();
            waited = true;
        });
        guest.join();
    }
}

// A library that is called in a task starts a thread, which uses the runtime, and waits for it.
TEST(RuntimeThreads, TasksWaitForThreadsThatUseTheRuntime) {
    for (const bool says_so : {false, true})
        with_each_size([&](runtime& rt) {
            std::atomic<std::uint64_t> sum{0};
            rt.run([&] {
                parley::for_each_index(0, 8, [&](int) {
                    const auto call = [&] { std::thread([&] { sum += rt.run([] { return fib(10); }); }).join(); };
                    if (says_so) parley::blocking(call);
                    else call();
                });
            });
            EXPECT_EQ(sum, 8 * serial_fib(10));
        });
}

}  // namespace
