// What is made inside an isolation begins and ends on a thief without meeting what may block on the region's lock.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <mutex>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::isolated;

// Sets the flag, and wakes whoever has slept through what it waits for.
void set_and_wake(std::atomic<bool>& flag) {
    flag = true;
    parley::threading::current->home().notify(parley::threading::waiter_anybody);
}

// The thief is asleep in a wait whose condition holds when it is woken by the task. If that task did not begin at
// once, the thief would block first on what only the region's end brings.
TEST(IsolatedLocks, BeginsBeforeTheWaitThatReceivedItGoesOn) {
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
TEST(IsolatedLocks, BeginsBeforeTheWaitThatItComesLateForIsOver) {
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

// Nothing that is suspended may go on before the region ends: entering must not wait for that.
TEST(IsolatedLocks, AnotherRuntimeIsEnteredOnTopOfSuspendedWaits) {
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
TEST(IsolatedLocks, LocksAreKeptOverWaits) {
    for (const unsigned n : {1U, 2U, 6U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::mutex m;
        int done = 0;
        const auto update = [&] {
            isolated([&] {
                const std::scoped_lock guard(m);
                parley::for_each_index(0, 2, [](int) { parley::fork_join([] { work(300us); }, [] { work(2'000us); }); });
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

TEST(IsolatedLocks, StaticVariablesWithParallelInitialisers) {
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
