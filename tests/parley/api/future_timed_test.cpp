// wait_for and wait_until: a wait ends when the result is there, or soon after its time, wherever it waits.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <cstdlib>
#include <future>
#include <latch>
#include <ratio>
#include <vector>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::future;
using status = std::future_status;
using steady = std::chrono::steady_clock;

// A task that another worker runs until `end`, and a wait that cannot run it itself any more.
future<int> begun_elsewhere(std::atomic<bool>& end) {
    auto begun = std::make_shared<std::atomic<bool>>(false);
    auto made = async([begun, &end] {
        *begun = true;
        block_until([&] { return end.load(); });
        return 1;
    });
    poll_until([&] { return begun->load(); });
    return made;
}

TEST(FutureTimed, ATimeIsOverAndTheFutureIsAsBefore) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            std::atomic<bool> end{false};
            auto f = begun_elsewhere(end);
            const auto before = steady::now();
            EXPECT_EQ(f.wait_for(2ms), status::timeout);
            EXPECT_GE(steady::now() - before, 2ms);
            EXPECT_EQ(f.wait_until(before), status::timeout);
            EXPECT_EQ(f.wait_until(steady::time_point::min()), status::timeout);
            EXPECT_EQ(f.wait_until(std::chrono::system_clock::now() + 1ms), status::timeout);
            EXPECT_EQ(f.wait_for(0s), status::timeout);
            EXPECT_EQ(f.wait_for(-1h), status::timeout);
            EXPECT_EQ(f.wait_for(std::chrono::duration<double, std::micro>(0.5)), status::timeout);
            EXPECT_TRUE(f.valid());
            EXPECT_FALSE(f.is_ready());
            end = true;
            EXPECT_EQ(f.get(), 1);
        });
    }
}

TEST(FutureTimed, EndsWithTheResult) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n, .complain_after = parley_tests::complain_after}};
        for (std::size_t i = 0; i < times(50); ++i)
            rt.run([&] {
                std::atomic<bool> end{false};
                auto f = begun_elsewhere(end);
                std::thread other([&] {
                    if (i % 2 == 0) std::this_thread::sleep_for(1ms);
                    end = true;
                });
                // No time that the clock can tell is longer; and one that would be over if anything was forgotten.
                EXPECT_EQ(i % 3 == 0 ? f.wait_for(std::chrono::hours::max()) : f.wait_for(1h), status::ready);
                EXPECT_EQ(f.wait_until(steady::time_point::max()), status::ready);
                EXPECT_EQ(f.wait_until(std::chrono::time_point<steady, std::chrono::seconds>::max()), status::ready);
                EXPECT_EQ(f.wait_until(std::chrono::time_point<std::chrono::system_clock, std::chrono::hours>::max()),
                          status::ready);
                EXPECT_EQ(f.get(), 1);
                other.join();
            });
    }
}

TEST(FutureTimed, WhatIsThereIsReadyWithoutTime) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            auto f = async([] { throw boom{}; });
            f.wait();
            EXPECT_EQ(f.wait_for(0s), status::ready);
            EXPECT_EQ(f.wait_until(std::chrono::system_clock::now() - 1h), status::ready);
            EXPECT_THROW(f.get(), boom);
            EXPECT_THROW((void)f.wait_for(0s), parley::usage_error);
            EXPECT_THROW((void)f.wait_until(steady::now()), parley::usage_error);
        });
    });
}

TEST(FutureTimed, ATimeThatWasOverLongAgoIsOver) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<bool> end{false};
    auto f = rt.run([&] { return begun_elsewhere(end); });
    EXPECT_EQ(f.wait_until(std::chrono::time_point<std::chrono::system_clock, std::chrono::hours>::min()), status::timeout);
    EXPECT_EQ(f.wait_until(std::chrono::time_point<steady, std::chrono::seconds>::min()), status::timeout);
    end = true;
    EXPECT_EQ(f.get(), 1);
}

// What main has left in the seat that it keeps nobody else would take.
TEST(FutureTimedDeathTest, WhoeverAsksAgainAndAgainGetsWhatLiesInAKeptSeat) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("PARLEY_WORKERS", "1", 1);
            parley::async([] {}).get();  // keeps the seat
            parley_tests::end_after(60);
            const auto f = parley::async([] { return 1; });
            std::thread([&] {
                while (f.wait_for(0s) != status::ready) {}
            }).join();
            std::_Exit(0);
        },
        testing::ExitedWithCode(0), "");
}

// With one worker, too: nobody else would ever run it.
TEST(FutureTimed, WhoeverAsksAgainAndAgainGetsIt) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<future<std::uint64_t>> all;
            for (int i = 0; i < 20; ++i) all.push_back(async(fib, 9U));
            for (auto& f : all) {
                while (f.wait_for(0s) != status::ready) {}
                EXPECT_EQ(f.get(), 34U);
            }
            auto late = async([] { return async(fib, 9U).get(); });
            while (late.wait_for(10us) != status::ready) {}
            EXPECT_EQ(late.get(), 34U);
        });
        auto outside = rt.run([] { return async(fib, 9U); });
        while (outside.wait_for(0s) != status::ready) {}
        EXPECT_EQ(outside.get(), 34U);
    });
    for (const auto longest : {0us, 100us}) {
        auto f = async(fib, 9U);
        while (f.wait_for(longest) != status::ready) {}
        EXPECT_EQ(f.get(), 34U);
    }
}

TEST(FutureTimed, ALookBeginsNothingWhereOthersCould) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        std::atomic<bool> end{false};
        auto f = begun_elsewhere(end);  // keeps the other worker
        const auto here = std::this_thread::get_id();
        std::atomic<bool> ran_here{false};
        auto g = async([&] { ran_here = std::this_thread::get_id() == here; });
        for (int i = 0; i < 1000; ++i) EXPECT_EQ(g.wait_for(0s), status::timeout);
        EXPECT_FALSE(ran_here);
        end = true;
        g.wait();
        f.wait();
    });
}

TEST(FutureTimed, WorksMeanwhile) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> ran{0};
            parley::scope tasks;
            for (int i = 0; i < 100; ++i) tasks.spawn([&] { ++ran; });
            auto f = async([] { return 1; });
            EXPECT_EQ(f.wait_for(1h), status::ready);
            tasks.wait();
            EXPECT_EQ(ran, 100);
        });
    });
}

// A thread outside comes in for the wait.
TEST(FutureTimed, OutsideTheRuntimeToo) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        std::atomic<bool> end{false};
        auto f = rt.run([&] { return begun_elsewhere(end); });
        EXPECT_EQ(f.wait_for(0s), status::timeout);
        EXPECT_EQ(f.wait_for(2ms), status::timeout);
        in_threads(4, [&](unsigned) { EXPECT_EQ(f.wait_for(2ms), status::timeout); });
        std::thread later([&] {
            std::this_thread::sleep_for(1ms);
            end = true;
        });
        in_threads(4, [&](unsigned) { EXPECT_EQ(f.wait_for(1h), status::ready); });
        later.join();
        EXPECT_EQ(f.get(), 1);
    }
}

// It has come in for the wait alone. What it has made itself, the awaited task among it, others do.
TEST(FutureTimed, AThreadOutsideBeginsNothing) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(20); ++round) {
            const auto here = std::this_thread::get_id();
            std::atomic<int> ran_here{0};
            std::vector<future<void>> all;
            rt.run([&] {
                for (int i = 0; i < 20; ++i) all.push_back(async([&] { ran_here += std::this_thread::get_id() == here; }));
                ran_here = 0;
            });
            ran_here = 0;
            for (auto& f : all) EXPECT_EQ(f.wait_for(1h), status::ready);
            EXPECT_EQ(ran_here, 0);
        }
    }
}

TEST(FutureTimedDeathTest, NorDoesOneThatKeepsItsSeat) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("PARLEY_WORKERS", "2", 1);
            parley::async([] {}).get();
            parley_tests::end_after(60);
            const auto here = std::this_thread::get_id();
            int wrong = 0;
            for (std::size_t round = 0; round < times(500); ++round) {
                auto f = async([&] { return std::this_thread::get_id() == here; });
                while (f.wait_for(std::chrono::microseconds(round % 3 == 0 ? 3600'000'000 : round % 3 * 20)) !=
                       status::ready) {}
                wrong += f.get();
            }
            std::_Exit(wrong == 0 ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

// The wait lets go of its stack for something from elsewhere. When that waits in its turn, and the worker sleeps, time ends
// the first wait.
TEST(FutureTimed, ASuspendedWaitEndsByItselfWhileItsWorkerSleeps) {
    parley::runtime rt{{.workers = 2, .complain_after = parley_tests::complain_after}};
    for (std::size_t round = 0; round < times(20); ++round) {
        std::atomic<bool> end{false}, begun{false}, timed_out{false};
        future<int> f;
        std::thread visitor;
        rt.run([&] {
            f = begun_elsewhere(end);  // keeps the other worker
            visitor = std::thread([&] {
                rt.run([&] {
                    parley::scope s;
                    s.spawn([&] {
                        begun = true;
                        f.wait();
                        EXPECT_TRUE(timed_out);
                    });
                    poll_until([&] { return begun.load(); });  // by worker 0, in its wait
                });
            });
            do EXPECT_EQ(f.wait_for(3ms), status::timeout);
            while (!begun);
            timed_out = true;
            end = true;
            EXPECT_EQ(f.wait_for(1h), status::ready);
        });  // goes on with the task
        visitor.join();
    }
}

// Many that are suspended, each with a time of its own.
TEST(FutureTimed, ManyWaitAtATime) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n, .complain_after = parley_tests::complain_after}};
        rt.run([&] {
            std::atomic<bool> end{false};
            auto f = begun_elsewhere(end);
            std::atomic<int> timed_out{0};
            parley::scope s;
            for (int i = 0; i < 200; ++i)
                s.spawn([&, i] {
                    if (f.wait_for(std::chrono::microseconds(50 * (i % 20))) == status::timeout) ++timed_out;
                });
            s.wait();
            EXPECT_EQ(timed_out, 200);
            end = true;
            f.wait();
        });
    }
}

// The thread sleeps as a worker of the first runtime.
TEST(FutureTimed, InATaskOfAnotherRuntime) {
    parley::runtime first{{.workers = 2}}, second{{.workers = 2}};
    first.run([&] {
        std::atomic<bool> end{false};
        auto f = second.run([&] { return begun_elsewhere(end); });
        EXPECT_EQ(f.wait_for(0s), status::timeout);
        EXPECT_EQ(f.wait_for(2ms), status::timeout);
        second.run([&] { EXPECT_EQ(f.wait_for(2ms), status::timeout); });
        end = true;
        EXPECT_EQ(f.wait_for(1h), status::ready);
        EXPECT_EQ(f.get(), 1);
    });
}

TEST(FutureTimed, InsideIsolatedAndBlockingToo) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        rt.run([] {
            std::atomic<bool> end{false};
            auto f = begun_elsewhere(end);
            parley::isolated([&] { EXPECT_EQ(f.wait_for(2ms), status::timeout); });
            parley::blocking([&] { EXPECT_EQ(f.wait_for(2ms), status::timeout); });
            end = true;
            parley::isolated([&] { EXPECT_EQ(f.wait_for(1h), status::ready); });
        });
    }
}

// Nothing that such a wait has left behind, as a waiter or on its way, is missed or comes twice.
TEST(FutureTimed, AResultMayComeAsTheTimeEnds) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n, .complain_after = parley_tests::complain_after}};
        rt.run([] {
            for (std::size_t i = 0; i < times(2000); ++i) {
                auto f = async([i] {
                    const auto until = steady::now() + std::chrono::microseconds(i % 50);
                    while (steady::now() < until) parley::poll();
                    return i;
                });
                if (f.wait_for(std::chrono::microseconds(i % 47)) == status::timeout) parley::poll();
                EXPECT_EQ(f.get(), i);
            }
        });
    }
}

TEST(FutureTimed, OfSeveralAtOnce) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        std::atomic<bool> end{false};
        auto both = parley::when_all(async([] { return 2; }), begun_elsewhere(end));
        EXPECT_EQ(both.wait_for(1ms), status::timeout);
        EXPECT_EQ(both.wait_until(steady::now()), status::timeout);
        end = true;
        EXPECT_EQ(both.wait_for(1h), status::ready);
        EXPECT_EQ(both.get(), std::tuple(2, 1));
        EXPECT_THROW((void)both.wait_for(0s), parley::usage_error);
        EXPECT_EQ(parley::when_all(std::vector<future<int>>{}).wait_for(0s), status::ready);
    });
}

TEST(FutureTimed, WithSerialAllIsThere) {
    parley::runtime rt{{.serial = true}};
    rt.run([] { EXPECT_EQ(async([] {}).wait_for(0s), status::ready); });
}

// A wait inside isolated() cannot go on with another one whose time is over: it sleeps, and does not look again and again.
TEST(FutureTimed, AWaitThatCannotEndKeepsNobodyAwake) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<bool> end{false}, begun{false};
    std::uint64_t wakes = 0;
    future<int> f;
    std::thread visitor;
    rt.run([&] {
        f = begun_elsewhere(end);  // keeps the other worker
        visitor = std::thread([&] {
            rt.run([&] {
                parley::scope s;
                s.spawn([&] {
                    const std::uint64_t before = rt.counters()[0].wakes;
                    begun = true;
                    parley::isolated([&] { f.wait(); });
                    wakes = rt.counters()[0].wakes - before;
                });
                poll_until([&] { return begun.load(); });  // by worker 0, in its wait
                std::this_thread::sleep_for(100ms);
                end = true;
            });
        });
        while (!begun) (void)f.wait_for(1ms);
    });
    visitor.join();
    EXPECT_LT(wakes, 20U);
}

}  // namespace
