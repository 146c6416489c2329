// Tasks of one runtime that call into another: each way of coming in, in both directions, and a ring of three.
#include "tests/parley/api/support.hpp"

#include <parley/farm.hpp>

#include <array>
#include <memory>
#include <vector>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::runtime;

// Numbers of workers: of the runtime that calls, of the one that is called, of a third.
class SeveralRuntimes : public testing::TestWithParam<std::array<unsigned, 3>> {
protected:
    runtime a{{.workers = GetParam()[0]}};
    runtime b{{.workers = GetParam()[1]}};
    runtime c{{.workers = GetParam()[2]}};
    std::atomic<std::uint64_t> sum{0};

    // In a task each.
    template <class F>
    void in_tasks_of_a(std::size_t tasks, F f) {
        for (std::size_t round = 0; round < times(20); ++round) {
            sum = 0;
            a.run([&] { parley::for_each_index(std::size_t{0}, tasks, [&](std::size_t) { f(); }); });
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Sizes, SeveralRuntimes,
                         testing::Values(std::array{1U, 1U, 1U}, std::array{2U, 2U, 2U}, std::array{4U, 1U, 2U},
                                         std::array{1U, 4U, 1U}, std::array{4U, 4U, 4U}));

TEST_P(SeveralRuntimes, RunIsCalledInTasks) {
    in_tasks_of_a(40, [&] { sum += b.run([] { return fib(8); }); });
    EXPECT_EQ(sum, 40 * serial_fib(8));
}

TEST_P(SeveralRuntimes, RunCallsOnTheCallingThread) {
    in_tasks_of_a(10, [&] {
        const std::thread::id here = std::this_thread::get_id();
        sum += b.run([&] { return c.run([&] { return here == std::this_thread::get_id() ? 1U : 0U; }); });
    });
    EXPECT_EQ(sum, 10U);
}

TEST_P(SeveralRuntimes, TheyCallBack) {
    in_tasks_of_a(20,
                  [&] { b.run([&] { parley::for_each_index(0, 5, [&](int) { sum += a.run([] { return fib(5); }); }); }); });
    EXPECT_EQ(sum, 100 * serial_fib(5));
}

TEST_P(SeveralRuntimes, ThreeCallEachOtherInARing) {
    in_tasks_of_a(12, [&] {
        b.run([&] {
            const auto [x, y] = parley::fork_join([&] { return c.run([&] { return a.run([] { return fib(6); }); }); },
                                                  [&] { return c.run([] { return fib(7); }); });
            sum += x + y;
        });
    });
    EXPECT_EQ(sum, 12 * (serial_fib(6) + serial_fib(7)));
}

TEST_P(SeveralRuntimes, FuturesOfTheOtherAreAwaited) {
    for (std::size_t round = 0; round < times(20); ++round) {
        sum = 0;
        a.run([&] {
            std::vector<parley::future<std::uint64_t>> made;
            b.run([&] {
                for (unsigned i = 0; i < 10; ++i) made.push_back(parley::async(fib, i));
            });
            parley::for_each_index(std::size_t{0}, made.size(), [&](std::size_t i) { sum += made[i].get(); });
        });
        EXPECT_EQ(sum, 88U);
    }
}

TEST_P(SeveralRuntimes, OneFutureIsAwaitedByTasksOfBoth) {
    for (std::size_t round = 0; round < times(20); ++round) {
        sum = 0;
        a.run([&] {
            const auto shared = parley::async([] { return fib(12); });
            parley::for_each_index(0, 6, [&](int) {
                b.run([&] {
                    (void)parley::fork_join(
                        [&] {
                            shared.wait();
                            ++sum;
                        },
                        [&] {
                            shared.wait();
                            ++sum;
                        });
                });
            });
            shared.wait();
        });
        EXPECT_EQ(sum, 12U);
    }
}

TEST_P(SeveralRuntimes, ScopesOfTheOther) {
    in_tasks_of_a(10, [&] {
        parley::scope tasks(b);
        for (int i = 0; i < 5; ++i) tasks.spawn([&] { ++sum; });
        tasks.wait();
    });
    EXPECT_EQ(sum, 50U);
}

TEST_P(SeveralRuntimes, InsideIsolation) {
    in_tasks_of_a(10, [&] {
        parley::isolated(
            [&] { b.run([&] { parley::for_each_index(0, 4, [&](int) { sum += a.run([] { return fib(4); }); }); }); });
    });
    EXPECT_EQ(sum, 40 * serial_fib(4));
}

TEST_P(SeveralRuntimes, InThreadsThatTasksWaitFor) {
    in_tasks_of_a(4, [&] {
        parley::blocking([&] { std::thread([&] { sum += b.run([&] { return a.run([] { return fib(5); }); }); }).join(); });
    });
    EXPECT_EQ(sum, 4 * serial_fib(5));
}

TEST_P(SeveralRuntimes, StreamsRunInTheOther) {
    in_tasks_of_a(4, [&] {
        std::vector<unsigned> in(20, 1);
        (void)(parley::source(in) | parley::farm([&](unsigned x) { return x + c.run([] { return 1U; }); }) |
               parley::sink([&](unsigned x) { sum += x; }))
            .run(b);
    });
    EXPECT_EQ(sum, 160U);
}

TEST_P(SeveralRuntimes, ABarrierInARunInATask) {
    a.run([&] {
        b.run([&] {
            for (int i = 0; i < 50; ++i) parley::spawn([&] { ++sum; });
            parley::barrier();
            EXPECT_EQ(sum, 50U);
        });
    });
}

TEST_P(SeveralRuntimes, ExceptionsAndCancellationComeOut) {
    in_tasks_of_a(8, [&] {
        try {
            b.run([] { throw boom{7}; });
        } catch (const boom& thrown) {
            sum += static_cast<unsigned>(thrown.number);
        }
    });
    EXPECT_EQ(sum, 56U);
    EXPECT_THROW(a.run([&] {
        b.run([&] {
            a.cancel();
            c.run([] {});
        });
        for (;;) parley::poll();
    }),
                 parley::cancelled);
    EXPECT_EQ(a.run([&] { return b.run([] { return fib(5); }); }), serial_fib(5));
}

// The wait in the second runtime sleeps as a wait of the first one. A task of the first that runs on top of it comes into
// the second one, too, and hears what was meant for the wait below.
TEST(SeveralRuntimesWaits, HearWhatATaskOnTopHasHeard) {
    for (const unsigned workers : {1U, 2U}) {
        runtime a{{.workers = workers}};
        runtime b{{.workers = 2}};
        a.run([&] {
            parley::scope s;
            std::atomic<bool> ended{false};
            s.spawn([&] {
                poll_until([&] { return ended.load(); });
                parley::blocking([] {});
                b.run([] { parley::poll(); });
            });
            s.spawn([&] {
                b.run([&] {
                    parley::scope t;
                    std::atomic<bool> begun{false};
                    t.spawn([&] {
                        begun = true;
                        std::this_thread::sleep_for(20ms);
                        ended = true;
                    });
                    poll_until([&] { return begun.load(); });
                    t.wait();
                });
            });
            s.wait();
        });
    }
}

// More suspended visits than there are seats: who waits for one lets the others go on.
TEST(SeveralRuntimesWaits, MoreVisitsThanSeats) {
    runtime a{{.workers = 1}};
    runtime b{{.workers = 2}};
    std::atomic<bool> go{false};
    std::atomic<unsigned> begun{0}, ended{0};
    parley::future<void> all;
    b.run([&] {
        all = parley::async([&] {
            while (!go) std::this_thread::yield();
        });
        while (!go && begun == 0 && all.is_ready()) parley::poll();
    });
    std::thread opens([&] {
        std::this_thread::sleep_for(100ms);
        go = true;
    });
    parley::scope s(a);
    for (int i = 0; i < 400; ++i)
        s.spawn([&] {
            ++begun;
            all.wait();
            ++ended;
        });
    s.wait();
    opens.join();
    EXPECT_EQ(ended, 400U);
}

TEST(SeveralRuntimesWaits, EachPullsItsItemsAndStopsAtTheEnd) {
    runtime b{{.workers = 2}};
    parley::push_end<int> in(b, 4);
    parley::pull_end<int> out(b);
    std::thread stream([&] { b.run([&] { (void)(parley::source(in) | parley::sink(out)).run(); }); });
    std::atomic<int> got{0};
    std::atomic<bool> closed{false};
    const int items = static_cast<int>(times(2000));
    std::thread pulls([&] {
        in_threads(4, [&](unsigned) {
            runtime a{{.workers = 1}};
            a.run([&] {
                while (out.pull()) ++got;
                EXPECT_TRUE(closed);
            });
        });
    });
    for (int i = 0; i < items; ++i) in.push(i);
    closed = true;
    in.close();
    pulls.join();
    stream.join();
    EXPECT_EQ(got, items);
}

TEST(SeveralRuntimesWaits, WorkerLocalDuringAVisit) {
    runtime a{{.workers = 2}};
    runtime b{{.workers = 2}};
    parley::worker_local<unsigned> of_a(a), of_b(b);
    a.run([&] {
        parley::for_each_index(0, 100, [&](int) {
            ++of_a.local();
            b.run([&] { ++of_b.local(); });
            ++of_a.local();
        });
    });
    EXPECT_EQ(of_a.combine(0U, std::plus<>{}), 200U);
    EXPECT_EQ(of_b.combine(0U, std::plus<>{}), 100U);
    EXPECT_GE(of_b.size(), 3U);
}

}  // namespace
