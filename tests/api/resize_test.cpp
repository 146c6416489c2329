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
    options papers = workers(3);
    papers.termination = parley::termination_by::manager;
    runtime circulating(papers);
    EXPECT_THROW(circulating.resize(2), parley::usage_error);
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
    // Each has heard of it once it has been woken and sleeps again; then nothing reaches it any more.
    const auto of_the_gone = [&] { return tasks_of(r, 2) + tasks_of(r, 3); };
    std::uint64_t before = of_the_gone();
    for (int same = 0; same < 10;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::uint64_t now = of_the_gone();
        same = now == before ? same + 1 : 0;
        before = now;
    }
    EXPECT_EQ(r.run([] { return fib_of(22); }), 17711u);
    EXPECT_EQ(of_the_gone(), before);
}

TEST(Resize, TheBarrierOpensWithoutItsManager) {
    for (const unsigned left : {1u, 2u}) {
        runtime r(workers(3));
        for (int i = 0; i < 20; ++i) {
            std::atomic<int> ran = 0;
            r.run([&] {
                std::vector<parley::future<void>> forgotten;
                for (int t = 0; t < 50; ++t) forgotten.push_back(parley::async([&] { ++ran; }));
                r.resize(i % 2 == 0 ? left : 3);
                forgotten.clear();
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

}  // namespace
