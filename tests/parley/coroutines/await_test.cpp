// co_await of futures: where and when a coroutine goes on.
#include "tests/parley/coroutines/support.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace coroutine_test;
using namespace std::chrono_literals;
using parley::async;
using parley::future;
using parley::promise;
using parley::sync_wait;
using parley::task;

template <class T>
task<T> awaits(future<T> f) {
    co_return co_await f;
}

TEST(Await, TakesReadyAndPendingFutures) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            future<int> ready = async([] { return 1; });
            ready.wait();
            EXPECT_EQ(sync_wait(awaits(std::move(ready))), 1);
            EXPECT_EQ(*sync_wait(awaits(async([] { return std::make_unique<int>(2); }))), 2);
            int x = 0;
            sync_wait(awaits(async([&x] { x = 3; })));
            EXPECT_EQ(x, 3);
            EXPECT_EQ(&sync_wait(awaits(async([&x]() -> int& { return x; }))), &x);
        });
    });
}

TEST(Await, ThrowsWhatTheTaskHasThrown) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] { EXPECT_THROW((void)sync_wait(awaits(async([]() -> int { throw boom(1); }))), boom); });
    });
}

TEST(Await, RefusesAFutureWithoutAResultToCome) {
    EXPECT_THROW((void)sync_wait(awaits(future<int>())), parley::usage_error);
}

// The coroutine is suspended when the value is set by a thread outside.
TEST(Await, GoesOnInItsRuntimeAfterAThreadOutside) {
    with_each_size([](parley::runtime& rt) {
        promise<int> p(rt);
        const auto goes_on = [](future<int> f, parley::runtime& home) -> task<int> {
            const int x = co_await f;
            EXPECT_NE(parley::worker_index(), std::nullopt);
            EXPECT_EQ(parley::workers(), home.workers());
            co_return x;
        };
        const std::jthread other = thread_outside([&] {
            std::this_thread::sleep_for(1ms);  // most likely it is suspended by then
            p.set_value(5);
        });
        EXPECT_EQ(sync_wait(rt, goes_on(p.get_future(), rt)), 5);
    });
}

TEST(Await, HoldsNoWorker) {
    parley::runtime rt{{.workers = 1, .complain_after = parley_tests::complain_after}};
    promise<int> p(rt);
    constexpr int waiting = 1'000;
    rt.run([&] {
        const parley::shared_future<int> s = p.get_future().share();
        const auto waits = [](parley::shared_future<int> f) -> task<int> { co_return co_await f; };
        std::vector<future<int>> all;
        for (int i = 0; i < waiting; ++i) all.push_back(async(waits(s)));
        // All of them have begun: the newest of what one worker has queued comes last.
        async([] {}).get();
        while (rt.counters()[0].tasks < waiting) EXPECT_FALSE(all.front().wait_for(0s) == std::future_status::ready);
        p.set_value(2);
        int sum = 0;
        for (future<int>& f : all) sum += f.get();
        EXPECT_EQ(sum, 2 * waiting);
    });
}

task<int> all_of_three(future<int> a, future<void> b, future<std::string> c) {
    auto [x, nothing, text] = co_await parley::when_all(std::move(a), std::move(b), std::move(c));
    co_return x + static_cast<int>(text.size());
}

TEST(Await, TakesSeveralTogether) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            EXPECT_EQ(
                sync_wait(all_of_three(async([] { return 1; }), async([] {}), async([] { return std::string("abc"); }))), 4);
            EXPECT_THROW((void)sync_wait(all_of_three(async([] { return 1; }), async([] { throw boom(1); }),
                                                      async([] { return std::string(); }))),
                         boom);
        });
    });
}

TEST(Await, TakesAVectorWithinATuple) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<future<int>> some;
            for (int i = 0; i < 200; ++i) some.push_back(async(value_of(i)));
            const auto sums = [](std::vector<future<int>> v, future<int> last) -> task<int> {
                auto [all, one] = co_await parley::when_all(parley::when_all(std::move(v)), std::move(last));
                int sum = one;
                for (const int x : all) sum += x;
                co_return sum;
            };
            EXPECT_EQ(sync_wait(sums(std::move(some), async([] { return 100; }))), 20'000);
            EXPECT_EQ(sync_wait(sums({}, async([] { return 100; }))), 100);
        });
    });
}

TEST(Await, TakesPromisesTogetherWhoseResultsComeInAnyOrder) {
    with_each_size([](parley::runtime& rt) {
        std::vector<promise<int>> promises;
        for (int i = 0; i < 20; ++i) promises.emplace_back(rt);
        std::vector<future<int>> all;
        for (promise<int>& p : promises) all.push_back(p.get_future());
        const auto sums = [](std::vector<future<int>> v) -> task<int> {
            int sum = 0;
            for (const int x : co_await parley::when_all(std::move(v))) sum += x;
            co_return sum;
        };
        const std::jthread other = thread_outside([&] {
            for (std::size_t i = 0; i < promises.size(); ++i) promises[(i * 7 + 3) % promises.size()].set_value(1);
        });
        EXPECT_EQ(sync_wait(rt, sums(std::move(all))), 20);
    });
}

TEST(Await, SharedFuturesAreAwaitedByManyAtATime) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const parley::shared_future<std::string> s = async([] { return std::string("text"); }).share();
            const auto reads = [](parley::shared_future<std::string> f) -> task<std::size_t> {
                const std::string& text = co_await f;
                co_return text.size();
            };
            std::vector<future<std::size_t>> all;
            for (int i = 0; i < 50; ++i) all.push_back(async(reads(s)));
            all.push_back(async([s] { return s.get().size(); }));  // a wait that keeps its stack
            for (future<std::size_t>& f : all) EXPECT_EQ(f.get(), 4u);
        });
    });
}

TEST(Await, OfAFutureOfAnotherRuntimeGoesOnInItsOwn) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime other{{.workers = 2}};
        future<int> f = other.run([] {
            return async([] {
                std::this_thread::sleep_for(1ms);
                return 3;
            });
        });
        const auto goes_on = [](future<int> there, parley::runtime& home) -> task<int> {
            const int x = co_await there;
            EXPECT_EQ(&parley::threading::current->home(), &parley::detail::pool_of(home));
            co_return x;
        };
        EXPECT_EQ(sync_wait(rt, goes_on(std::move(f), rt)), 3);
    });
}

task<int> goes_there_and_back(parley::runtime& here, parley::runtime& there) {
    const auto at = [] { return &parley::threading::current->home(); };
    EXPECT_EQ(at(), &parley::detail::pool_of(here));
    co_await parley::spawn_on(there);
    EXPECT_EQ(at(), &parley::detail::pool_of(there));
    const int x = co_await async(value_of(3));  // a task of that runtime
    EXPECT_EQ(at(), &parley::detail::pool_of(there));
    co_await parley::spawn_on(here);
    EXPECT_EQ(at(), &parley::detail::pool_of(here));
    co_await parley::spawn_on(here);
    EXPECT_EQ(at(), &parley::detail::pool_of(here));
    co_await parley::spawn_on(there);  // and ends there
    co_return x;
}

TEST(SpawnOn, GoesOnInThatRuntime) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime other{{.workers = 2}};
        for (int i = 0; i < 20; ++i) EXPECT_EQ(sync_wait(rt, goes_there_and_back(rt, other)), 3);
    });
}

}  // namespace
