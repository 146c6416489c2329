// The watchdog: tasks that never poll starve nobody. Most of these tests end only if somebody is served in the middle of
// a task.
#include "tests/parley/api/support.hpp"

#include <cerrno>
#include <csignal>
#include <mutex>
#include <unistd.h>

namespace {

using namespace api_test;
using parley::watchdogs;

// ThreadSanitizer delivers signals in calls of the C library only.
template <class Condition>
void spin_until(Condition condition) {
    while (!condition())
        if (is_sanitized) usleep(50);
}

std::uint64_t interrupts(const parley::runtime& rt) {
    std::uint64_t sum = 0;
    for (const auto& c : rt.counters()) sum += c.interrupts;
    return sum;
}

// Until all other workers have gone to sleep once more. Only a hint: it makes what follows start with sleepers.
void let_the_others_sleep() { usleep(3000); }

// A fresh runtime: nobody has asked yet when the task is made.
TEST(Watchdog, ATaskThatNeverPollsGivesItsSiblings) {
    for (const unsigned n : several)
        for (std::size_t round = 0; round < times(20); ++round) {
            parley::runtime rt{{.workers = n}};
            rt.run([] {
                std::atomic<int> ran{0};
                parley::scope s;
                for (int i = 0; i < 5; ++i) s.spawn([&] { ++ran; });
                spin_until([&] { return ran == 5; });
                s.wait();
            });
        }
}

TEST(Watchdog, AFirstBranchThatNeverPollsGivesTheSecond) {
    for (const unsigned n : several)
        for (std::size_t round = 0; round < times(20); ++round) {
            parley::runtime rt{{.workers = n}};
            const auto [a, b] = rt.run([] {
                std::atomic<bool> begun{false};
                return parley::fork_join(
                    [&] {
                        spin_until([&] { return begun.load(); });
                        return 1;
                    },
                    [&] {
                        begun = true;
                        return 2;
                    });
            });
            EXPECT_EQ(a + b, 3);
        }
}

TEST(Watchdog, AFutureThatNobodyHasTakenIsTaken) {
    for (std::size_t round = 0; round < times(20); ++round) {
        parley::runtime rt{{.workers = 2}};
        rt.run([] {
            auto x = parley::async([] { return fib(5); });
            spin_until([&] { return x.is_ready(); });
            EXPECT_EQ(x.get(), serial_fib(5));
        });
    }
}

// Each task needs a worker of its own: whoever has stolen several must give them away in the middle of the first.
TEST(Watchdog, WhatAThiefHasQueuedIsTakenFromItToo) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}, {.steal = parley::threading::stealing::half}};
        for (std::size_t round = 0; round < times(20); ++round)
            rt.run([&] {
                std::atomic<unsigned> begun{0};
                parley::scope s;
                for (unsigned i = 0; i < n; ++i)
                    s.spawn([&] {
                        ++begun;
                        spin_until([&] { return begun == n; });
                    });
                s.wait();
            });
    }
}

// The body of one iteration waits for all others.
void one_iteration_waits_for_the_others(int n) {
    std::atomic<int> ran{0};
    parley::for_each_index(0, n, [&](int i) {
        if (i == 0) spin_until([&] { return ran == n - 1; });
        else ++ran;
    });
    EXPECT_EQ(ran, n - 1);
}

// As if one had been sent and never came.
TEST(Watchdog, ASignalThatIsLostIsSentAgain) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        (void)parley::threading::current->watched_part().called.put_up();
        one_iteration_waits_for_the_others(10);
    });
}

TEST(Watchdog, ALoopIsSplitInTheMiddleOfAnIteration) {
    for (const unsigned n : several)
        for (std::size_t round = 0; round < times(20); ++round) {
            parley::runtime rt{{.workers = n}};
            rt.run([] { one_iteration_waits_for_the_others(100); });
        }
}

// Everybody sleeps without a limit when the loop begins.
TEST(Watchdog, ALoopThatBeginsWhileAllOthersSleepIsSplit) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(20); ++round) {
            rt.run([] { one_iteration_waits_for_the_others(10); });
            let_the_others_sleep();
        }
    }
}

TEST(Watchdog, AnOuterLoopIsSplitToo) {
    for (std::size_t round = 0; round < times(20); ++round) {
        parley::runtime rt{{.workers = 2}};
        rt.run([] {
            std::atomic<int> ran{0};
            parley::for_each_index(0, 4, [&](int i) {
                parley::for_each_index(0, 2, [&](int j) {
                    if (j == 0) return;  // in the next one nothing is left of the inner loop
                    if (i == 0) spin_until([&] { return ran == 3; });
                    else ++ran;
                });
            });
        });
    }
}

TEST(Watchdog, AReductionIsSplitInTheMiddleOfAnIteration) {
    for (const unsigned n : several)
        for (std::size_t round = 0; round < times(20); ++round) {
            parley::runtime rt{{.workers = n}};
            rt.run([] {
                std::atomic<int> ran{0};
                const int sum = parley::reduce_index(0, 50, 0, std::plus<>{}, [&](int i) {
                    if (i == 0) spin_until([&] { return ran == 49; });
                    else ++ran;
                    return i;
                });
                EXPECT_EQ(sum, 49 * 50 / 2);
            });
        }
}

TEST(Watchdog, InsideIsolatedOthersStillTake) {
    for (std::size_t round = 0; round < times(20); ++round) {
        parley::runtime rt{{.workers = 2}};
        rt.run([] {
            parley::isolated([] {
                std::atomic<bool> ran{false};
                parley::scope s;
                s.spawn([&] { ran = true; });
                spin_until([&] { return ran.load(); });
                s.wait();
            });
        });
    }
}

// Waits are suspended with their stacks meanwhile: the task below runs on a stack of its own.
TEST(Watchdog, OnStacksOfTheirOwnTasksAreInterruptedToo) {
    parley::runtime rt{{.workers = 2}};
    for (std::size_t round = 0; round < times(50); ++round)
        rt.run([] {
            forked_elsewhere([] { one_iteration_waits_for_the_others(20); }, [] { fib(10); });
            forked_elsewhere([] { fib(10); }, [] { one_iteration_waits_for_the_others(20); });
        });
}

TEST(Watchdog, ErrnoIsKept) {
    for (std::size_t round = 0; round < times(50); ++round) {
        parley::runtime rt{{.workers = 2}, {.interrupts_for_every_request = true}};
        rt.run([] {
            std::atomic<bool> ran{false};
            std::mutex m;
            parley::scope s;
            s.spawn([&] { ran = true; });
            errno = 4711;
            while (!ran) {
                const std::scoped_lock a_call_that_leaves_errno_alone(m);
                ASSERT_EQ(errno, 4711);
            }
            s.wait();
        });
    }
}

TEST(Watchdog, SwitchedOffItSendsNothing) {
    parley::runtime rt{{.workers = 3, .watchdog = watchdogs::off}};
    for (std::size_t round = 0; round < times(20); ++round)
        rt.run([] {
            parley::scope s;
            for (int i = 0; i < 10; ++i) s.spawn([] { usleep(200); });
            s.wait();
        });
    EXPECT_EQ(interrupts(rt), 0U);
}

TEST(Watchdog, TasksThatPollAreLeftInPeace) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        std::atomic<bool> ran{false};
        parley::scope s;
        s.spawn([&] { ran = true; });
        poll_until([&] { return ran.load(); });
        s.wait();
        EXPECT_EQ(fib(15), serial_fib(15));
    });
}

TEST(Watchdog, SeveralRuntimesSideBySide) {
    in_threads(3, [](unsigned i) {
        for (std::size_t round = 0; round < times(20); ++round) {
            parley::runtime rt{{.workers = 2 + i % 2}};
            rt.run([] { one_iteration_waits_for_the_others(20); });
        }
    });
}

// A thread that is in two runtimes is not interrupted; nothing depends on it.
TEST(Watchdog, ARuntimeInsideAnother) {
    parley::runtime outer{{.workers = 2}, {.interrupts_for_every_request = true}};
    parley::runtime inner{{.workers = 2}, {.interrupts_for_every_request = true}};
    for (std::size_t round = 0; round < times(100); ++round)
        outer.run([&] {
            parley::for_each_index(0, 10, [&](int) { fib(8); });
            EXPECT_EQ(inner.run([] { return fib(12); }), serial_fib(12));
            one_iteration_waits_for_the_others(10);
        });
}

std::atomic<int> own_signals{0};
void count_signal(int) { ++own_signals; }

struct sigaction handle_urgent(void (*function)(int)) {
    struct sigaction mine{}, before{};
    mine.sa_handler = function;
    sigaction(SIGURG, &mine, &before);
    return before;
}

// Whoever installs a handler later is not bothered by the runtime's signals, but for one to each worker that was on its
// way.
TEST(Watchdog, AHandlerThatIsInstalledLaterSeesItsOwnSignalsOnly) {
    parley::runtime rt{{.workers = 2}, {.interrupts_for_every_request = true}};
    EXPECT_EQ(rt.run([] { return fib(10); }), serial_fib(10));
    own_signals = 0;
    const struct sigaction before = handle_urgent(&count_signal);
    for (std::size_t round = 0; round < times(50); ++round) rt.run([] { fib(12); });
    raise(SIGURG);
    EXPECT_GE(own_signals, 1);
    EXPECT_LE(own_signals, 1 + 2);
    sigaction(SIGURG, &before, nullptr);
    rt.run([] { one_iteration_waits_for_the_others(10); });
}

// In a process of its own: the handler is there before the first runtime.
void run_with_a_handler_from_before() {
    handle_urgent(&count_signal);
    parley::runtime rt{{.workers = 2}};
    rt.run([] { one_iteration_waits_for_the_others(10); });
    const bool none = own_signals == 0;
    raise(SIGURG);
    _exit(none && own_signals == 1 ? 0 : 1);
}
TEST(WatchdogDeathTest, AHandlerFromBeforeIsStillCalled) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run_with_a_handler_from_before(), testing::ExitedWithCode(0), "");
}

}  // namespace
