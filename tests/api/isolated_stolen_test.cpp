// Isolation goes with the tasks: what was made inside is isolated on every worker that runs it.
#include "tests/api/support.hpp"

#include <chrono>
#include <mutex>
#include <optional>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::isolated;
using parley::options;
using parley::priority;

bool is_isolated() { return parley::threading::current->isolated; }

// Two workers, whose requests rest or circulate.
template <class Body>
void with_each_termination(Body body) {
    for (const parley::termination_by how : {parley::termination_by::scan, parley::termination_by::manager}) {
        SCOPED_TRACE(parley::to_string(how));
        parley::runtime rt{{.workers = 2, .termination = how}};
        rt.run([&] { body(); });
    }
}

TEST(IsolatedStolen, PartsOfLoops) {
    with_each_termination([] {
        const auto here = std::this_thread::get_id();
        std::atomic<int> elsewhere{0}, isolated_there{0};
        isolated([&] {
            parley::for_each_index(0, 100, [&](int) {
                if (std::this_thread::get_id() == here) return poll_until([&] { return elsewhere > 0; });
                isolated_there += is_isolated() ? 1 : 0;
                ++elsewhere;
            });
        });
        EXPECT_EQ(isolated_there, elsewhere.load());
    });
}

TEST(IsolatedStolen, BranchesOfForks) {
    with_each_termination([] {
        isolated([] { EXPECT_TRUE(std::get<1>(forked_elsewhere([] {}, is_isolated))); });
        EXPECT_FALSE(std::get<1>(forked_elsewhere([] {}, is_isolated)));
    });
}

TEST(IsolatedStolen, TasksOfScopesAndFuturesOfBothPriorities) {
    with_each_termination([] {
        for (const priority p : {priority::normal, priority::high}) {
            std::atomic<int> ran{0}, inside{0};
            const auto note = [&] {
                inside += is_isolated() ? 1 : 0;
                ++ran;
            };
            isolated([&] {
                parley::scope s;
                s.spawn(p, note);
                poll_until([&] { return ran == 1; });
                auto f = async(p, note);
                poll_until([&] { return ran == 2; });
                f.get();
                s.wait();
            });
            EXPECT_EQ(inside, 2);
        }
    });
}

// The maker only polls: all that is in its deque is stolen. What was made before the region is not isolated.
TEST(IsolatedStolen, MessagesOfHalfOfTheTasks) {
    parley::runtime rt{{.workers = 2, .steal = parley::stealing::half}};
    for (const int outside : {1, 2, 7}) {
        std::atomic<int> ran{0}, wrong{0};
        rt.run([&] {
            parley::scope before;
            for (int i = 0; i < outside; ++i)
                before.spawn([&] {
                    wrong += is_isolated() ? 1 : 0;
                    ++ran;
                });
            isolated([&] {
                parley::scope inside;
                for (int i = 0; i < 20; ++i)
                    inside.spawn([&] {
                        wrong += is_isolated() ? 0 : 1;
                        ++ran;
                    });
                poll_until([&] { return ran == outside + 20; });
                inside.wait();
            });
            before.wait();
        });
        EXPECT_EQ(wrong, 0);
    }
}

// Each waits for the one before, which came with the same message and has not begun.
TEST(IsolatedStolen, TasksOfOneMessageMayWaitForEachOther) {
    parley::runtime rt{{.workers = 2, .steal = parley::stealing::half}};
    rt.run([] {
        isolated([] {
            std::vector<parley::future<int>> chain;
            chain.reserve(40);
            chain.push_back(async([] { return 0; }));
            for (int i = 1; i < 40; ++i) chain.push_back(async([&before = chain.back()] { return before.get() + 1; }));
            poll_until([&] { return chain.back().is_ready(); });
            EXPECT_EQ(chain.back().get(), 39);
        });
    });
}

// Sets the flag, and wakes whoever has slept through what it waits for.
void set_and_wake(std::atomic<bool>& flag) {
    flag = true;
    parley::threading::current->home.notify(parley::threading::waiter_anybody);
}

// The thief is asleep in a wait whose condition holds when it is woken by the task. If that task did not begin at
// once, the thief would block first on what only the region's end brings.
TEST(IsolatedStolen, BeginsBeforeTheWaitThatReceivedItGoesOn) {
    parley::runtime rt{{.workers = 2, .watchdog = parley::watchdogs::off}};
    std::atomic<bool> waits{false}, may_go_on{false}, over{false};
    rt.run([&] {
        forked_elsewhere(
            [&] {
                poll_until([&] { return waits.load(); });
                std::this_thread::sleep_for(50ms);  // it falls asleep, or the test finds less
                isolated([&] {
                    auto inside = async(is_isolated);
                    may_go_on = true;
                    parley::poll();
                    EXPECT_TRUE(inside.get());
                });
                set_and_wake(over);
            },
            [&] {
                waits = true;
                parley::threading::wait_until(*parley::threading::current, [&] { return may_go_on.load(); });
                block_until([&] { return over.load(); });
            });
    });
}

// The task may be on its way at the moment at which the thief's wait is over.
TEST(IsolatedStolen, BeginsBeforeTheWaitThatItComesLateForIsOver) {
    parley::runtime rt{{.workers = 2, .watchdog = parley::watchdogs::off}};
    for (std::size_t i = 0; i < times(10'000); ++i) {
        std::atomic<bool> waits{false}, may_go_on{false}, over{false};
        rt.run([&] {
            forked_elsewhere(
                [&] {
                    poll_until([&] { return waits.load(); });
                    isolated([&] {
                        auto inside = async(is_isolated);
                        for (std::size_t k = i % 64; k > 0; --k) parley::poll();
                        may_go_on = true;
                        parley::poll();
                        EXPECT_TRUE(inside.get());
                    });
                    set_and_wake(over);
                },
                [&] {
                    waits = true;
                    parley::threading::wait_until(*parley::threading::current, [&] { return may_go_on.load(); });
                    block_until([&] { return over.load(); });
                });
        });
    }
}

// What an outer region has made is stolen while an inner one runs.
TEST(IsolatedStolen, RegionsInsideEachOther) {
    parley::runtime rt{{.workers = 3}};
    for (std::size_t i = 0; i < times(50); ++i)
        rt.run([] {
            isolated([] {
                std::atomic<bool> begun{false};
                auto outer = async([&] {
                    begun = true;
                    return is_isolated();
                });
                isolated([&] {
                    const auto inner = [&] {
                        poll_until([&] { return begun.load(); });
                        return is_isolated();
                    };
                    EXPECT_TRUE(std::get<1>(forked_elsewhere([] {}, inner)));
                });
                EXPECT_TRUE(is_isolated());
                EXPECT_TRUE(outer.get());
            });
            EXPECT_FALSE(is_isolated());
        });
}

TEST(IsolatedStolen, BlockingRegionsInside) {
    parley::runtime rt{{.workers = 3}};
    for (std::size_t i = 0; i < times(50); ++i)
        rt.run([] {
            isolated([] {
                forked_elsewhere([] {}, [] {
                    auto child = async(is_isolated);
                    { const parley::blocking_region here; }
                    EXPECT_TRUE(child.get());
                    EXPECT_TRUE(is_isolated());
                });
            });
        });
}

// More than a block of the deque holds.
TEST(IsolatedStolen, WhatIsLeftOverStaysIsolated) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> inside{0};
            const auto note = [&] { inside += is_isolated() ? 1 : 0; };
            parley::scope s;
            s.spawn([] { EXPECT_FALSE(is_isolated()); });
            auto f = isolated([&] {
                for (int i = 0; i < 3'000; ++i) s.spawn(i % 2 == 0 ? priority::normal : priority::high, note);
                for (int i = 0; i < 3'000; ++i) s.spawn(note);
                return async(is_isolated);
            });
            EXPECT_TRUE(f.get());
            s.wait();
            EXPECT_EQ(inside, 6'000);
        });
    });
}

TEST(IsolatedStolen, WhatIsLeftOverByAnException) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::optional<parley::future<bool>> left;
            EXPECT_THROW(isolated([&] {
                             parley::fork_join(
                                 [&] {
                                     left = async(is_isolated);
                                     throw boom{};
                                 },
                                 [] {});
                         }),
                         boom);
            EXPECT_TRUE(left->get());
        });
    });
}

TEST(IsolatedStolen, WhatIsHandedOnByABlockingRegion) {
    parley::runtime rt{{.workers = 2}};
    rt.run([] {
        auto left = isolated([] { return async(is_isolated); });
        {
            const parley::blocking_region here;
            block_until([&] { return left.is_ready(); });
        }
        EXPECT_TRUE(left.get());
    });
}

TEST(IsolatedStolen, WhatIsHandedOnByAWorkerThatGoes) {
    parley::runtime rt{{.workers = 2}};
    rt.run([&] {
        forked_elsewhere([] {}, [&] {
            auto left = isolated([] { return async(is_isolated); });
            rt.resize(1);
            poll_until([&] { return left.is_ready(); });
            EXPECT_TRUE(left.get());
        });
    });
}

// Nothing that is suspended may go on before the region ends: entering must not wait for that.
TEST(IsolatedStolen, AnotherRuntimeIsEnteredOnTopOfSuspendedWaits) {
    parley::runtime rt{{.workers = 2}};
    parley::runtime other{{.workers = 2}};
    std::atomic<bool> waits{false}, may_go_on{false};
    std::atomic<int> result{0};
    rt.run([&] {
        forked_elsewhere(
            [&] {
                poll_until([&] { return waits.load(); });
                parley::scope s;
                s.spawn([&] { result = isolated([&] { return other.run([] { return is_isolated() ? 1 : 2; }); }); });
                poll_until([&] { return result != 0; });
                set_and_wake(may_go_on);
                s.wait();
            },
            [&] {
                waits = true;
                parley::threading::wait_until(*parley::threading::current, [&] { return may_go_on.load(); });
            });
    });
}

void work(std::chrono::microseconds how_long) {
    const auto until = std::chrono::steady_clock::now() + how_long;
    poll_until([&] { return std::chrono::steady_clock::now() >= until; });
}

// Thieves of the loop wait inside it, while tasks that want the lock are there to be run.
TEST(IsolatedStolen, LocksAreKeptOverWaits) {
    for (const unsigned n : {1U, 2U, 6U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::mutex m;
        int done = 0;
        const auto update = [&] {
            isolated([&] {
                const std::scoped_lock guard(m);
                parley::for_each_index(0, 2,
                                       [](int) { parley::fork_join([] { work(300us); }, [] { work(2'000us); }); });
                ++done;
            });
        };
        const int rounds = is_sanitized ? 5 : 10;
        for (int round = 0; round < rounds; ++round)
            rt.run([&] {
                parley::scope s;
                s.spawn(update);
                work(500us);
                for (int i = 0; i < 6; ++i) s.spawn(update);
                work(1'000us);
                s.wait();
            });
        EXPECT_EQ(done, 7 * rounds);
    }
}

// While its initialiser runs a static variable is a lock: whoever else comes there blocks.
template <int>
int initialised_in_parallel() {
    static const int value = isolated([] {
        std::atomic<int> sum{0};
        parley::for_each_index(0, 4, [&](int i) {
            parley::fork_join([] { work(20us); }, [] { work(200us); });
            sum += i;
        });
        return sum.load();
    });
    return value;
}

TEST(IsolatedStolen, StaticVariablesWithParallelInitialisers) {
    std::atomic<int> right{0};
    parley::runtime rt{{.workers = 6}};
    const auto round = [&]<int N>(std::integral_constant<int, N>) {
        rt.run([&] {
            parley::scope s;
            for (int i = 0; i < 8; ++i)
                s.spawn([&] {
                    parley::fork_join([] { work(30us); }, [] { work(60us); });
                    right += initialised_in_parallel<N>() == 6 ? 1 : 0;
                });
            s.wait();
        });
    };
    [&]<int... N>(std::integer_sequence<int, N...>) {
        (round(std::integral_constant<int, N>{}), ...);
    }(std::make_integer_sequence<int, 50>{});
    EXPECT_EQ(right, 8 * 50);
}

}  // namespace
