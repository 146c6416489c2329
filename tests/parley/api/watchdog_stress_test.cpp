// Every steal request raises a signal, and results are right.
#include "tests/parley/api/support.hpp"

#include <unistd.h>

namespace {

using namespace api_test;

std::uint64_t interrupts(const parley::runtime& rt) {
    std::uint64_t sum = 0;
    for (const auto& c : rt.counters()) sum += c.interrupts;
    return sum;
}

// However thieves ask.
TEST(Watchdog, WithEveryStrategyATaskThatNeverPollsIsInterrupted) {
    using namespace parley;
    using namespace parley::threading;
    for (const tuning& way :
         {tuning{.victim = victims::richest}, tuning{.requests = 2, .early = 4}, tuning{.failed = failed_requests::backoff},
          tuning{.dry = dry_mailbox::closed}, tuning{.steal = stealing::one, .split = splitting::half}})
        for (std::size_t round = 0; round < times(20); ++round) {
            runtime rt{{.workers = 3}, way};
            rt.run([] {
                std::atomic<int> ran{0};
                scope s;
                for (int i = 0; i < 5; ++i) s.spawn([&] { ++ran; });
                for_each_index(0, 10, [&](int i) {
                    if (i != 0) ++ran;
                    else
                        while (ran != 14)
                            if (is_sanitized) usleep(50);
                });
                s.wait();
            });
        }
}

// Trees of all kinds of tasks, their results known.
std::uint64_t tree(unsigned n) {
    switch (n % 3) {
        case 0: {
            std::atomic<std::uint64_t> sum{0};
            parley::scope s;
            for (unsigned i = 1; i <= 3 && i <= n; ++i) s.spawn([&sum, n, i] { sum += tree(n - i); });
            s.wait();
            return sum + 1;
        }
        case 1: {
            const auto [a, b] = parley::fork_join([n] { return tree(n - 1); }, [n] { return fib(n); });
            return a + b + 1;
        }
        default:
            return parley::reduce_index(0U, n, std::uint64_t{1}, std::plus<>{},
                                        [n](unsigned i) { return i < 2 ? tree(n - 1 - i) : 1; });
    }
}
std::uint64_t serial_tree(unsigned n) {
    std::uint64_t sum = 1;
    switch (n % 3) {
        case 0:
            for (unsigned i = 1; i <= 3 && i <= n; ++i) sum += serial_tree(n - i);
            return sum;
        case 1: return sum + serial_tree(n - 1) + serial_fib(n);
        default:
            for (unsigned i = 0; i < n; ++i) sum += i < 2 ? serial_tree(n - 1 - i) : 1;
            return sum;
    }
}

TEST(Watchdog, WithASignalForEveryRequestResultsAreRight) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}, {.interrupts_for_every_request = true}};
        const std::uint64_t wanted = serial_tree(11);
        for (std::size_t round = 0; interrupts(rt) < times(3000) && round < 20'000; ++round)
            ASSERT_EQ(rt.run([] { return tree(11); }), wanted);
    }
}

// Who is cancelled at a fork leaves its frame only if nobody has been given what lies there.
TEST(Watchdog, CancelledForksLeaveNoRecordBehind) {
    parley::runtime rt{{.workers = 3}, {.interrupts_for_every_request = true}};
    std::size_t cancelled = 0;
    // On a busy machine the cancelling thread may come too late many times.
    for (std::size_t round = 0; round < times(200) || cancelled == 0; ++round) {
        std::atomic<bool> runs{false};
        std::thread other([&] {
            while (!runs) std::this_thread::yield();
            for (std::size_t i = 0; i < 50 * (round % 20); ++i) std::this_thread::yield();
            rt.cancel();
        });
        try {
            rt.run([&] {
                runs = true;
                EXPECT_EQ(fib(22), serial_fib(22));
            });
        } catch (const parley::cancelled&) {
            ++cancelled;
        }
        other.join();
    }
    EXPECT_EQ(rt.run([] { return fib(12); }), serial_fib(12));
}

}  // namespace
