// task: a coroutine that another one awaits, or that ordinary code runs.
#include "tests/parley/coroutines/support.hpp"

#include <memory>
#include <string>
#include <utility>

namespace {

using namespace coroutine_test;
using parley::sync_wait;
using parley::task;

task<> sets(bool& begun) {
    begun = true;
    co_return;
}

TEST(Task, BeginsWhenItIsAwaited) {
    bool begun = false;
    task<> t = sets(begun);
    EXPECT_TRUE(t.valid());
    EXPECT_FALSE(begun);
    sync_wait(std::move(t));
    EXPECT_TRUE(begun);
    EXPECT_FALSE(t.valid());  // NOLINT: that is what is tested
}

task<std::unique_ptr<int>> makes_pointer() { co_return std::make_unique<int>(7); }
task<int&> refers_to(int& x) { co_return x; }
task<const std::string> makes_text() { co_return "text"; }

task<> takes_values_nothing_and_references(int& x) {
    EXPECT_EQ(*co_await makes_pointer(), 7);
    int& same = co_await refers_to(x);
    EXPECT_EQ(&same, &x);
    bool begun = false;
    co_await sets(begun);
    EXPECT_TRUE(begun);
    EXPECT_EQ(co_await makes_text(), "text");
}

TEST(Task, ReturnsValuesNothingAndReferences) {
    with_each_size([](parley::runtime& rt) {
        int x = 0;
        sync_wait(rt, takes_values_nothing_and_references(x));
        EXPECT_EQ(&sync_wait(rt, refers_to(x)), &x);
        EXPECT_EQ(*sync_wait(rt, makes_pointer()), 7);
        EXPECT_EQ(sync_wait(rt, makes_text()), "text");
    });
}

task<int> throws_boom(int n) {
    if (n >= 0) throw boom(n);
    co_return n;
}
task<int> passes_on(int n) { co_return 1 + co_await throws_boom(n); }
task<int> catches(int n) {
    try {
        co_return co_await passes_on(n);
    } catch (const boom& b) {
        co_return 100 + b.number;
    }
}

TEST(Task, ThrowsWhereItIsAwaited) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_EQ(sync_wait(rt, catches(3)), 103);
        EXPECT_EQ(sync_wait(rt, catches(-3)), -2);
        EXPECT_THROW((void)sync_wait(rt, passes_on(3)), boom);
    });
}

task<int> sum_of_ready_tasks(int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += co_await value_of(1);
    co_return sum;
}
task<int> chain_of(int depth) {
    if (depth == 0) co_return 0;
    co_return 1 + co_await chain_of(depth - 1);
}

TEST(Task, ALoopOfAMillionAwaitsUsesNoStack) {
    parley::runtime rt{{.workers = 2}};
    const int n = static_cast<int>(times(1'000'000));
    EXPECT_EQ(sync_wait(rt, sum_of_ready_tasks(n)), n);
}

TEST(Task, AChainOfAHundredThousandUsesNoStack) {
    parley::runtime rt{{.workers = 2}};
    EXPECT_EQ(sync_wait(rt, chain_of(100'000)), 100'000);
}

task<int> chain_that_throws(int depth) {
    if (depth == 0) throw boom(7);
    co_return co_await chain_that_throws(depth - 1);
}

TEST(Task, AnExceptionPassesALongChain) { EXPECT_THROW((void)sync_wait(chain_that_throws(1'000)), boom); }

task<> holds(counted) { co_return; }

TEST(Task, DestroysACoroutineThatHasNotBegun) {
    tally alive = 0;
    {
        const task<> t = holds(counted(alive));
        EXPECT_EQ(alive, 1);
        task<> replaced = holds(counted(alive));
        EXPECT_EQ(alive, 2);
        replaced = task<>();
        EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
}

task<> holds_until_it_ends(counted, tally& alive) {
    const long before = alive;
    co_await holds(counted(alive));
    EXPECT_EQ(alive, before) << "what was awaited is gone, with what it held";
}

TEST(Task, DestroysItsParametersOnce) {
    with_each_size([](parley::runtime& rt) {
        tally alive = 0;
        sync_wait(rt, holds_until_it_ends(counted(alive), alive));
        EXPECT_EQ(alive, 0);
    });
}

task<> awaits_twice(bool& threw) {
    task<int> t = value_of(1);
    EXPECT_EQ(co_await t, 1);
    try {
        (void)co_await t;
    } catch (const parley::usage_error&) {
        threw = true;
    }
}

TEST(Task, AwaitedTwiceIsAnError) {
    bool threw = false;
    sync_wait(awaits_twice(threw));
    EXPECT_TRUE(threw);
    task<int> t = value_of(1);
    EXPECT_EQ(sync_wait(std::move(t)), 1);
    EXPECT_THROW((void)sync_wait(std::move(t)), parley::usage_error);  // NOLINT: that is what is tested
    EXPECT_THROW((void)parley::async(task<int>()), parley::usage_error);
}

task<std::uint64_t> fib_task(unsigned n) {
    if (n < 2) co_return n;
    parley::future<std::uint64_t> a = parley::async(fib_task(n - 1));
    const std::uint64_t b = co_await fib_task(n - 2);
    co_return b + co_await a;
}

TEST(Task, ForksAndJoins) {
    with_each_size([](parley::runtime& rt) {
        const unsigned n = is_sanitized ? 12 : 20;
        EXPECT_EQ(sync_wait(rt, fib_task(n)), serial_fib(n));
    });
}

TEST(Task, RunsWhereItIsMadeInASerialRuntime) {
    parley::runtime rt{{.serial = true}};
    EXPECT_EQ(sync_wait(rt, fib_task(10)), serial_fib(10));
}

TEST(Task, MayBeGivenFromAnyThread) {
    in_threads(4, [](unsigned i) { EXPECT_EQ(sync_wait(fib_task(i + 8)), serial_fib(i + 8)); });
}

TEST(Task, WaitsInsideTasksAndCoroutines) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            parley::future<std::uint64_t> f = parley::async([] { return sync_wait(fib_task(8)); });
            const auto nested = [](parley::future<std::uint64_t> g) -> task<std::uint64_t> {
                const std::uint64_t b = sync_wait(fib_task(7));  // a wait that keeps its stack
                co_return b + co_await g;
            };
            EXPECT_EQ(sync_wait(nested(std::move(f))), serial_fib(9));
        });
    });
}

}  // namespace
