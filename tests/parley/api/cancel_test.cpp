// cancel: from other threads and from tasks, into every kind of work.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <csignal>
#include <pthread.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::cancelled;
using parley::runtime;

// Runs work that would never end, cancels it from another thread once it has begun, and checks that
// the runtime is as new afterwards.
template <class Work>
void check_cancelled(runtime& rt, Work work) {
    for (std::size_t round = 0; round < times(20); ++round) {
        std::atomic<bool> begun{false};
        std::thread other([&] {
            while (!begun) std::this_thread::yield();
            rt.cancel();
        });
        EXPECT_THROW(rt.run([&] { work(begun); }), cancelled);
        other.join();
        ASSERT_EQ(rt.run([] { return fib(10); }), 55U) << "the next run";
    }
}

// Deep enough to last, and bounded in depth.
void long_tree(std::atomic<bool>& begun, tally& alive, int depth) {
    begun = true;
    if (depth == 0) return;
    const counted here(alive);
    parley::fork_join([&, c = here] { long_tree(begun, alive, depth - 1); },
                      [&, c = here] { long_tree(begun, alive, depth - 1); });
}

TEST(Cancel, LeavesARecursion) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        check_cancelled(rt, [&](std::atomic<bool>& begun) { long_tree(begun, alive, 60); });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Cancel, LeavesABigScopeAndDestroysEveryClosure) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        check_cancelled(rt, [&](std::atomic<bool>& begun) {
            parley::scope s;
            for (;;) {
                s.spawn([c = counted(alive)] {});
                begun = true;
            }
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Cancel, LeavesAScopeWhoseTasksSpawnOn) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        check_cancelled(rt, [&](std::atomic<bool>& begun) {
            parley::scope s;
            const std::function<void()> next = [&] {
                begun = true;
                s.spawn([&, c = counted(alive)] { next(); });
            };
            next();
            s.wait();
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Cancel, LeavesALoop) {
    with_each_size([](runtime& rt) {
        check_cancelled(rt, [](std::atomic<bool>& begun) {
            constexpr auto endless = std::numeric_limits<std::int64_t>::max();
            parley::for_each_index(std::int64_t{0}, endless,
                                   [&](std::int64_t) { begun.store(true, std::memory_order_relaxed); });
        });
    });
}

TEST(Cancel, LeavesALoopOfPolls) {
    with_each_size([](runtime& rt) {
        check_cancelled(rt, [](std::atomic<bool>& begun) {
            for (;;) {
                begun = true;
                parley::poll();
                std::this_thread::yield();
            }
        });
    });
}

TEST(Cancel, LeavesFutures) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        check_cancelled(rt, [&](std::atomic<bool>& begun) {
            std::vector<parley::future<void>> all;
            for (;;) {
                all.push_back(parley::async([c = counted(alive)] { parley::poll(); }));
                begun = true;
                if (all.size() == 1'000) all.clear();
            }
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Cancel, OfAFutureIsItsException) {
    runtime rt{{.workers = 1}};
    EXPECT_THROW(rt.run([&] {
        auto f = parley::async([] { return 1; });
        rt.cancel();
        EXPECT_THROW(f.get(), cancelled);
        parley::poll();
    }),
                 cancelled);
}

TEST(Cancel, WithoutARunDoesNothing) {
    with_each_size([](runtime& rt) {
        for (int i = 0; i < 100; ++i) {
            rt.cancel();
            ASSERT_EQ(rt.run([] { return fib(5); }), 5U);
            rt.cancel();
            rt.cancel();
        }
    });
}

TEST(Cancel, FromATaskOfTheRun) {
    with_each_size([](runtime& rt) {
        for (std::size_t i = 0; i < times(50); ++i) {
            EXPECT_THROW(rt.run([&] {
                parley::scope s;
                s.spawn([&] { rt.cancel(); });
                for (int k = 0; k < 100; ++k) s.spawn([] {});
                s.wait();  // throws if the cancellation dropped any
                parley::poll();
            }),
                         cancelled);
            ASSERT_EQ(rt.run([] { return fib(5); }), 5U);
        }
    });
}

// A run that has nothing left to leave from returns what it computed.
TEST(Cancel, AfterTheLastForkComesTooLate) {
    with_each_size([](runtime& rt) {
        EXPECT_EQ(rt.run([&] {
            rt.cancel();
            return 7;
        }),
                  7);
        EXPECT_EQ(rt.run([] { return fib(10); }), 55U);
    });
}

TEST(Cancel, DoesNotReachOtherRuntimes) {
    runtime other{{.workers = 2}};
    with_each_size([&](runtime& rt) {
        EXPECT_THROW(rt.run([&] {
            rt.cancel();
            EXPECT_EQ(other.run([] { return fib(10); }), 55U);
            parley::poll();
        }),
                     cancelled);
    });
}

TEST(Cancel, DestructorsOfFuturesAndScopesLetNothingElseOut) {
    with_each_size([](runtime& rt) {
        tally alive{0};
        for (std::size_t i = 0; i < times(50); ++i)
            EXPECT_THROW(rt.run([&] {
                parley::scope s;
                s.spawn([c = counted(alive)] {});
                const auto f = parley::async([c = counted(alive)] { parley::poll(); });
                rt.cancel();
                const auto g = [] {};
                parley::fork_join(g, g);
            }),
                         cancelled);
        EXPECT_EQ(alive, 0);
    });
}

// Whatever the moment at which it comes, the runs after the last cancel() are not cancelled.
TEST(Cancel, RacingWithTheEndOfRunsLeavesNothingBehind) {
    with_each_size([](runtime& rt) {
        for (std::size_t round = 0; round < times(10); ++round) {
            std::atomic<bool> over{false};
            std::thread other([&] {
                while (!over) {
                    rt.cancel();
                    std::this_thread::yield();
                }
            });
            for (int i = 0; i < 50; ++i) {
                try {
                    rt.run([] { fib(4); });
                } catch (const cancelled&) {}
            }
            over = true;
            other.join();
            ASSERT_NO_THROW(rt.run([] { return fib(5); })) << "round " << round;
        }
    });
}

TEST(Cancel, ARunThatBeginsMeanwhileIsRefusedAndALaterOneIsNot) {
    with_each_size([](runtime& rt) {
        std::atomic<bool> inside{false}, left{false};
        std::thread first([&] {
            EXPECT_THROW(rt.run([&] {
                inside = true;
                std::this_thread::sleep_for(100ms);  // does not look up
                left = true;
                parley::poll();
            }),
                         cancelled);
        });
        while (!inside) std::this_thread::yield();
        rt.cancel();
        EXPECT_THROW(rt.run([] {}), cancelled);
        EXPECT_FALSE(left) << "refused at once, not after the other";
        first.join();
        EXPECT_EQ(rt.run([] { return fib(5); }), 5U);
    });
}

// The cancelled run() waits for a thread that calls run() itself.
TEST(Cancel, ARunThatTheCancelledOneNeedsIsNotKeptWaiting) {
    runtime rt{{.workers = 2}};
    EXPECT_THROW(rt.run([&] {
        rt.cancel();
        std::thread([&] {
            try {
                rt.run([] {});
            } catch (const cancelled&) {}
        }).join();
        parley::poll();
    }),
                 cancelled);
}

TEST(Poll, OutsideDoesNothing) {
    for (int i = 0; i < 100; ++i) parley::poll();
}

runtime* interrupted = nullptr;

// As it is written first: a handler of SIGINT that cancels, whatever its thread was doing.
TEST(Cancel, InASignalHandler) {
    runtime rt{{.workers = 3}};
    interrupted = &rt;
    struct sigaction cancels{}, before{};
    cancels.sa_handler = [](int) { interrupted->cancel(); };
    ASSERT_EQ(sigaction(SIGUSR1, &cancels, &before), 0);
    const pthread_t here = pthread_self();
    std::atomic<bool> end{false};
    std::thread sender([&] {
        while (!end) {
            pthread_kill(here, SIGUSR1);
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    });
    std::size_t whole = 0, cut = 0;
    for (std::size_t i = 0; i < times(20'000); ++i) {
        try {
            rt.run([] { (void)parley::fork_join([] { return fib(5); }, [] { return fib(5); }); });
            ++whole;
        } catch (const parley::cancelled&) {
            ++cut;
        }
    }
    end = true;
    sender.join();
    sigaction(SIGUSR1, &before, nullptr);
    EXPECT_EQ(whole + cut, times(20'000));
    EXPECT_EQ(rt.run([] { return fib(10); }), serial_fib(10));
}

}  // namespace
