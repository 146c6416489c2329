// runtime: what the counters and dump_state tell.
#include "tests/parley/api/support.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace api_test;
using parley::runtime;

parley::worker_counters sum_of(const runtime& rt) {
    parley::worker_counters sum;
    for (const parley::worker_counters& c : rt.counters()) {
        sum.tasks += c.tasks;
        sum.steals += c.steals;
        sum.failed += c.failed;
        sum.messages += c.messages;
        sum.splits += c.splits;
        sum.sleeps += c.sleeps;
        sum.wakes += c.wakes;
    }
    return sum;
}

TEST(Counters, StartAtZeroOnePerWorker) {
    with_each_size([](runtime& rt) {
        EXPECT_EQ(rt.counters().size(), rt.workers());
        EXPECT_EQ(sum_of(rt).tasks, 0U);
    });
}

TEST(Counters, TasksAreTheForksAndSpawnsOfTheRun) {
    with_each_size([](runtime& rt) {
        const std::uint64_t forks = rt.run([] {
            fib(15);
            return 986U;  // calls of fib(15) that fork: fib(16) - 1
        });
        EXPECT_EQ(sum_of(rt).tasks, forks);
        rt.run([] {
            parley::scope s;
            for (int i = 0; i < 1'000; ++i) s.spawn([] {});
            s.wait();
        });
        EXPECT_EQ(sum_of(rt).tasks, forks + 1'000);
        rt.run([] {
            for (int i = 0; i < 100; ++i) parley::async([] {}).get();
        });
        EXPECT_EQ(sum_of(rt).tasks, forks + 1'100);
        rt.run([] { EXPECT_THROW(parley::fork_join([] { throw boom{}; }, [] {}), boom); });
        if (rt.workers() == 1) {
            EXPECT_EQ(sum_of(rt).tasks, forks + 1'100) << "never called";
        }
    });
}

TEST(Counters, AForkThatIsCancelledIsNoTask) {
    runtime rt{{.workers = 1}};
    EXPECT_THROW(rt.run([&] {
        rt.cancel();
        fib(2);
    }),
                 parley::cancelled);
    EXPECT_EQ(sum_of(rt).tasks, 0U);
}

TEST(Counters, StealsComeByMessages) {
    with_each_size([](runtime& rt) {
        for (int i = 0; i < 10; ++i) rt.run([] { fib(14); });
        if (rt.workers() > 1) rt.run([] { forked_elsewhere([] {}, [] {}); });
        const auto sum = sum_of(rt);
        EXPECT_LE(sum.steals, sum.messages);
        EXPECT_LE(sum.wakes, sum.sleeps + rt.workers());
        if (rt.workers() == 1) {
            EXPECT_EQ(sum.steals, 0U);
        } else {
            EXPECT_GE(sum.steals, 1U);
        }
    });
}

TEST(Counters, DoNotGoBackWhileWorkersRun) {
    with_each_size([](runtime& rt) {
        std::atomic<bool> over{false};
        std::thread watcher([&] {
            std::vector<parley::worker_counters> before = rt.counters();
            while (!over) {
                const std::vector<parley::worker_counters> now = rt.counters();
                for (std::size_t w = 0; w < now.size(); ++w) {
                    ASSERT_GE(now[w].steals, before[w].steals);
                    ASSERT_GE(now[w].failed, before[w].failed);
                    ASSERT_GE(now[w].messages, before[w].messages);
                    ASSERT_GE(now[w].sleeps, before[w].sleeps);
                    ASSERT_GE(now[w].wakes, before[w].wakes);
                    // A fork that is taken is taken off again by its owner: one at a time.
                    ASSERT_GE(now[w].tasks + 1'000, before[w].tasks);
                }
                before = now;
            }
        });
        for (std::size_t i = 0; i < times(20); ++i) rt.run([] { fib(14); });
        over = true;
        watcher.join();
    });
}

std::string dump_of(const runtime& rt) {
    char* text = nullptr;
    std::size_t length = 0;
    std::FILE* out = open_memstream(&text, &length);
    rt.dump_state(out);
    std::fclose(out);
    std::string result(text, length);
    std::free(text);
    return result;
}

TEST(DumpState, NamesEachWorker) {
    with_each_size([](runtime& rt) {
        for (int used = 0; used < 2; ++used) {
            const std::string text = dump_of(rt);
            EXPECT_NE(text.find(std::to_string(rt.workers()) + " workers"), std::string::npos);
            for (unsigned w = 0; w < rt.workers(); ++w)
                EXPECT_NE(text.find("worker " + std::to_string(w) + ":"), std::string::npos);
            EXPECT_EQ(text.find("worker " + std::to_string(rt.workers()) + ":"), std::string::npos);
            rt.run([] { fib(10); });
        }
    });
}

TEST(DumpState, SaysWhereRequestsAre) {
    runtime rt{{.workers = 2}};
    EXPECT_NE(dump_of(rt).find("request home"), std::string::npos);
}

TEST(DumpState, ByAnotherThreadWhileWorkersRun) {
    with_each_size([](runtime& rt) {
        std::atomic<bool> over{false};
        std::thread watcher([&] {
            while (!over) ASSERT_NE(dump_of(rt).find("worker 0:"), std::string::npos);
        });
        for (std::size_t i = 0; i < times(20); ++i) rt.run([] { fib(13); });
        over = true;
        watcher.join();
    });
}

}  // namespace
