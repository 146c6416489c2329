// Workers come and go while tasks run: nothing is lost, nothing runs twice, and who has gone does nothing.
#include <parley/parley.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

namespace {

using parley::fork_join;
using parley::options;
using parley::runtime;
using parley::scope;

std::uint64_t fib_of(unsigned n) {
    if (n < 2) return n;
    auto [a, b] = fork_join([n] { return fib_of(n - 1); }, [n] { return fib_of(n - 2); });
    return a + b;
}

options workers(unsigned n) {
    options o;
    o.workers = n;
    return o;
}

std::uint64_t tasks_of(const runtime& r, unsigned worker) { return r.counters()[worker].tasks; }

// Until nothing has reached the workers from `first` on for a while: each has heard of it, and has ended what it had begun.
std::uint64_t settled_tasks_of_others(const runtime& r, unsigned first) {
    const auto sum = [&] {
        std::uint64_t all = 0;
        for (unsigned w = first; w < r.workers(); ++w) all += tasks_of(r, w);
        return all;
    };
    std::uint64_t before = sum();
    for (int same = 0; same < 10;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::uint64_t now = sum();
        same = now == before ? same + 1 : 0;
        before = now;
    }
    return before;
}

TEST(Resize, AllWorkAtFirst) {
    runtime r(workers(3));
    EXPECT_EQ(r.active_workers(), 3u);
    r.resize(2);
    EXPECT_EQ(r.active_workers(), 2u);
    EXPECT_EQ(r.workers(), 3u);
}

TEST(Resize, RefusesWhatCannotBe) {
    runtime r(workers(3));
    EXPECT_THROW(r.resize(0), parley::usage_error);
    EXPECT_THROW(r.resize(4), parley::usage_error);
    EXPECT_EQ(r.active_workers(), 3u);
}

TEST(Resize, BeforeTheThreadsStart) {
    runtime r(workers(4));
    r.resize(1);
    EXPECT_EQ(r.run([] { return fib_of(15); }), 610u);
    r.resize(4);
    EXPECT_EQ(r.run([] { return fib_of(15); }), 610u);
}

TEST(Resize, WhoHasGoneRunsNothing) {
    runtime r(workers(4));
    EXPECT_EQ(r.run([] { return fib_of(20); }), 6765u);
    r.resize(2);
    const std::uint64_t before = settled_tasks_of_others(r, 2);
    EXPECT_EQ(r.run([] { return fib_of(22); }), 17711u);
    EXPECT_EQ(settled_tasks_of_others(r, 2), before);
}

TEST(Resize, TheBarrierOpensWithoutItsManager) {
    for (const unsigned left : {1u, 2u}) {
        runtime r(workers(3));
        for (int i = 0; i < 20; ++i) {
            std::atomic<int> ran = 0;
            r.run([&] {
                // Nobody but the barrier waits for these before they are counted.
                std::vector<parley::future<void>> tasks;
                for (int t = 0; t < 50; ++t) tasks.push_back(parley::async([&] { ++ran; }));
                r.resize(i % 2 == 0 ? left : 3);
                parley::barrier();
                EXPECT_EQ(ran, 50);
            });
        }
    }
}

TEST(Resize, EndsWithWorkersAway) {
    for (int i = 0; i < 20; ++i) {
        runtime r(workers(4));
        EXPECT_EQ(r.run([] { return fib_of(12); }), 144u);
        r.resize(1 + static_cast<unsigned>(i) % 3);
    }
}

// What a suspended worker had begun it ends; what it had not, others do.
TEST(Resize, FromInsideATask) {
    runtime r(workers(3));
    const auto sum = r.run([&] {
        std::atomic<std::uint64_t> all = 0;
        scope s;
        for (int i = 0; i < 200; ++i)
            s.spawn([&, i] {
                if (i % 20 == 0) r.resize(1 + static_cast<unsigned>(i / 20) % 3);
                all += fib_of(10);
            });
        s.wait();
        return all.load();
    });
    EXPECT_EQ(sum, 200u * 55);
}

TEST(Resize, AtAnyMomentLosesNothing) {
    runtime r(workers(4));
    std::atomic<bool> over = false;
    std::thread other([&] {
        for (unsigned i = 0; !over; ++i) {
            r.resize(1 + (i * 7 + i / 5) % 4);
            std::this_thread::sleep_for(std::chrono::microseconds(i % 3 == 0 ? 0 : 50 * (i % 7)));
        }
    });
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(r.run([] { return fib_of(18); }), 2584u);
        std::atomic<std::uint64_t> sum = 0;
        r.run([&] {
            parley::for_each_index(0, 2000, [&](int k) { sum += static_cast<std::uint64_t>(k); });
            scope s;
            for (int k = 0; k < 300; ++k)
                s.spawn([&] {
                    scope inner;
                    for (int j = 0; j < 3; ++j) inner.spawn([&] { ++sum; });
                    inner.wait();
                });
            s.wait();
        });
        EXPECT_EQ(sum, 1999u * 1000 + 900);
    }
    over = true;
    other.join();
}

TEST(Resize, OneWorkerServesSeveralThreads) {
    runtime r(workers(3));
    EXPECT_EQ(r.run([] { return fib_of(12); }), 144u);
    r.resize(1);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) right += r.run([] { return fib_of(12); }) == 144u ? 1 : 0;
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(right, 60);
}

TEST(Resize, WhoBlocksMayBeGoneWhenItComesBack) {
    runtime r(workers(3));
    std::atomic<int> ran = 0;
    r.run([&] {
        scope s;
        for (int i = 0; i < 30; ++i)
            s.spawn([&, i] {
                if (i == 5) r.resize(1);
                if (i == 20) r.resize(3);
                const parley::blocking_region here;
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                ++ran;
            });
        s.wait();
    });
    EXPECT_EQ(ran, 30);
}

TEST(Resize, InTheMiddleOfARunTheOthersStop) {
    runtime r(workers(3));
    r.run([&] {
        EXPECT_EQ(fib_of(20), 6765u);
        r.resize(1);
        const std::uint64_t before = settled_tasks_of_others(r, 1);
        for (int i = 0; i < 5; ++i) EXPECT_EQ(fib_of(20), 6765u);
        EXPECT_EQ(settled_tasks_of_others(r, 1), before);
        r.resize(3);
        EXPECT_EQ(fib_of(20), 6765u);
    });
}

// Worker 0 looks only now and then, and has tasks of its own: what others hand on they do not take back.
TEST(Resize, WhatWasHandedOnIsLeftToThoseWhoStay) {
    runtime r(workers(2));
    std::atomic<int> ran = 0, ran_elsewhere = 0;
    const std::thread::id here = std::this_thread::get_id();
    r.run([&] {
        scope s;
        for (int i = 0; i < 200; ++i)
            s.spawn([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(300));
                ++ran;
                if (r.active_workers() == 1 && std::this_thread::get_id() != here) ++ran_elsewhere;
                if (ran == 20) r.resize(1);
            });
        s.wait();
    });
    EXPECT_EQ(ran, 200);
    EXPECT_LE(ran_elsewhere, 10);  // the one that it had begun, unless its thread gets no processor for long
}

TEST(Resize, WithNobodyInsideJobsAreStillDone) {
    runtime r(workers(3));
    EXPECT_EQ(r.run([] { return fib_of(12); }), 144u);
    r.resize(1);
    std::atomic<int> ran = 0;
    scope s(r);
    for (int i = 0; i < 50; ++i) s.spawn([&] { ++ran; });
    while (ran != 50) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    s.wait();
}

// The only one who stays waits in isolation for what a thief had taken, who has handed it on.
TEST(Resize, AnIsolatedWaitGetsWhatWasHandedOn) {
    runtime r(workers(2));
    for (int i = 0; i < 20; ++i) {
        std::atomic<int> ran = 0;
        r.run([&] {
            parley::isolated([&] {
                scope s;
                for (int k = 0; k < 64; ++k)
                    s.spawn([&, k] {
                        if (k == 40) r.resize(1);
                        std::this_thread::sleep_for(std::chrono::microseconds(20));
                        ++ran;
                    });
                s.wait();
            });
        });
        EXPECT_EQ(ran, 64);
        r.resize(2);
    }
}

TEST(Resize, ALoopGoesOnWithThoseWhoStay) {
    runtime r(workers(4));
    for (int i = 0; i < 20; ++i) {
        std::vector<int> times(20000);
        r.run([&] {
            parley::for_each_index(0, 20000, [&](int k) {
                ++times[static_cast<std::size_t>(k)];
                if (k % 4000 == 2000) r.resize(1 + static_cast<unsigned>(i + k / 4000) % 4);
            });
        });
        for (const int t : times) ASSERT_EQ(t, 1);
        r.resize(4);
    }
}

TEST(Resize, CancelledWhileSomeAreSuspended) {
    runtime r(workers(4));
    for (int i = 0; i < 30; ++i) {
        std::atomic<int> begun = 0;
        EXPECT_THROW(r.run([&] {
            scope s;
            for (int k = 0; k < 500; ++k)
                s.spawn([&, k] {
                    ++begun;
                    if (k % 50 == 10) r.resize(1 + static_cast<unsigned>(k / 50 + i) % 4);
                    if (begun > 100) r.cancel();
                    (void)fib_of(8);
                });
            s.wait();
        }),
                     parley::cancelled);
        r.resize(4);
        EXPECT_EQ(r.run([] { return fib_of(12); }), 144u);
    }
}

TEST(Resize, WhoHasLentAHandGoesAgain) {
    runtime r(workers(2));
    EXPECT_EQ(r.run([] { return fib_of(20); }), 6765u);
    r.resize(1);
    std::atomic<bool> begun = false, may_end = false;
    std::thread outside([&] {
        scope s(r);
        s.spawn([&] {  // nobody sits in worker 0's seat
            begun = true;
            while (!may_end) std::this_thread::yield();
        });
        while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        s.wait();
    });
    while (!begun) std::this_thread::yield();
    r.resize(2);
    may_end = true;
    outside.join();
    r.run([&] {
        EXPECT_EQ(fib_of(20), 6765u);
        r.resize(1);
        const std::uint64_t before = settled_tasks_of_others(r, 1);
        for (int i = 0; i < 5; ++i) EXPECT_EQ(fib_of(20), 6765u);
        EXPECT_EQ(settled_tasks_of_others(r, 1), before);
    });
}

TEST(Resize, WhoHasComeBackWorks) {
    runtime r(workers(2));
    r.resize(1);
    EXPECT_EQ(r.run([] { return fib_of(15); }), 610u);
    r.resize(2);
    std::atomic<bool> has_run = false;
    r.run([&] {
        const std::thread::id here = std::this_thread::get_id();
        scope s;
        s.spawn([&] { has_run = std::this_thread::get_id() != here; });
        while (!has_run) parley::poll();  // nobody else does it
        s.wait();
    });
    EXPECT_TRUE(has_run);
}

// The only worker who stays has looked, and then waits in another runtime for what only a job of this one can end.
TEST(Resize, AWaitInAnotherRuntimeEnds) {
    runtime a(workers(2)), b(workers(2));
    EXPECT_EQ(a.run([] { return fib_of(12); }), 144u);
    EXPECT_EQ(b.run([] { return fib_of(12); }), 144u);
    a.resize(1);
    std::thread outside;
    a.run([&] {
        std::atomic<bool> sent = false;
        outside = std::thread([&] {
            scope s(a);
            for (int i = 0; i < 4; ++i) s.spawn([] {});
            sent = true;
            s.wait();
        });
        while (!sent) parley::poll();
        for (int i = 0; i < 100; ++i) {
            parley::poll();
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        b.run([&] {
            scope of_b;
            std::atomic<bool> begun = false;
            of_b.spawn([&] {
                begun = true;
                scope of_a(a);
                of_a.spawn([] {});
                of_a.wait();
            });
            while (!begun) parley::poll();
            of_b.wait();
        });
    });
    outside.join();
}

}  // namespace
