// future::then(), when_any() and promise: results that come without a stack that waits.
#include "tests/parley/coroutines/support.hpp"

#include <chrono>
#include <exception>
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
using parley::when_any;

TEST(Then, GivesTheResultOn) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            int seen = 0;
            future<void> f = async([] { return std::make_unique<int>(20); })
                                 .then([](std::unique_ptr<int> p) { return *p + 1; })
                                 .then([&seen](int x) { seen = 2 * x; })
                                 .then([&seen] { ++seen; });
            f.get();
            EXPECT_EQ(seen, 43);
        });
    });
}

TEST(Then, LetsExceptionsPass) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            bool called = false;
            future<int> f = async([]() -> int {
                                throw boom(3);
                            }).then([&called](int x) {
                                  return called = true, x;
                              }).then([&called](int x) { return called = true, x; });
            EXPECT_THROW((void)f.get(), boom);
            EXPECT_FALSE(called);
            EXPECT_THROW(async([] {}).then([] { throw boom(4); }).get(), boom);
        });
    });
}

TEST(Then, EmptiesTheFuture) {
    future<int> f = async([] { return 1; });
    future<int> g = f.then([](int x) { return x; });
    EXPECT_FALSE(f.valid());
    EXPECT_THROW((void)f.then([](int x) { return x; }), parley::usage_error);
    EXPECT_EQ(g.get(), 1);
}

TEST(Then, WaitsForAThreadOutside) {
    with_each_size([](parley::runtime& rt) {
        promise<int> p(rt);
        future<int> f = rt.run([&] { return p.get_future().then([](int x) { return x + 1; }); });
        const std::jthread other = thread_outside([&] { p.set_value(4); });
        EXPECT_EQ(f.get(), 5);
    });
}

TEST(Then, DestroysWhatItHolds) {
    tally alive = 0;
    with_each_size([&](parley::runtime& rt) {
        rt.run([&] {
            async([&alive] { return counted(alive); }).then([held = counted(alive)](const counted&) {}).get();
            // Nobody fetches this one.
            (void)async([&alive] { return counted(alive); }).then([held = counted(alive)](counted c) { return c; });
        });
        EXPECT_EQ(alive, 0);
    });
}

TEST(Then, IsAwaitedByACoroutine) {
    const auto waits = [](future<int> f) -> parley::task<int> { co_return co_await f.then([](int x) { return x + 1; }); };
    EXPECT_EQ(parley::sync_wait(waits(async([] { return 1; }))), 2);
}

TEST(WhenAny, SaysWhichIsReady) {
    with_each_size([](parley::runtime& rt) {
        promise<int> never(rt);
        rt.run([&] {
            auto [index, all] = when_any(never.get_future(), async([] { return std::string("text"); })).get();
            ASSERT_EQ(index, 1u);
            EXPECT_EQ(std::get<1>(all).get(), "text");
            EXPECT_FALSE(std::get<0>(all).is_ready());
        });
        never.set_value(1);
    });
}

TEST(WhenAny, TakesAVector) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (int turn = 0; turn < 20; ++turn) {
                std::vector<future<int>> v;
                for (int i = 0; i < 30; ++i) v.push_back(async([i] { return i; }));
                auto first = when_any(std::move(v)).get();
                EXPECT_TRUE(first.futures[first.index].is_ready());
                int sum = 0;
                for (future<int>& f : first.futures) sum += f.get();
                EXPECT_EQ(sum, 435);
            }
        });
    });
}

TEST(WhenAny, RefusesNothingAndEmptyFutures) {
    EXPECT_THROW((void)when_any(), parley::usage_error);
    EXPECT_THROW((void)when_any(std::vector<future<int>>()), parley::usage_error);
    EXPECT_THROW((void)when_any(async([] { return 1; }), future<int>()), parley::usage_error);
}

TEST(WhenAny, DroppedWaitsForItsTasks) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> ended{0};
            (void)when_any(async([&] { ++ended; }), async([&] { ++ended; }));
            EXPECT_EQ(ended, 2);
        });
    });
}

TEST(Promise, GivesValuesAndExceptionsFromAnyThread) {
    with_each_size([](parley::runtime& rt) {
        promise<std::string> p(rt);
        promise<void> q(rt);
        promise<int&> r(rt);
        int x = 0;
        const std::jthread other = thread_outside([&] {
            p.set_value("text");
            q.set_exception(std::make_exception_ptr(boom(2)));
            r.set_value(x);
        });
        EXPECT_EQ(p.get_future().get(), "text");
        EXPECT_THROW(q.get_future().get(), boom);
        EXPECT_EQ(&r.get_future().get(), &x);
    });
}

TEST(Promise, GivesOneFutureAndOneResult) {
    promise<int> p;
    future<int> f = p.get_future();
    EXPECT_THROW((void)p.get_future(), parley::usage_error);
    p.set_value(1);
    EXPECT_THROW(p.set_value(2), parley::usage_error);
    EXPECT_THROW(p.set_exception(nullptr), parley::usage_error);
    EXPECT_EQ(f.get(), 1);
}

TEST(Promise, GivenUpCancelsItsFuture) {
    future<int> f;
    {
        promise<int> p;
        f = p.get_future();
        promise<int> q = std::move(p);
        q = promise<int>();
        EXPECT_TRUE(f.is_ready());
    }
    EXPECT_THROW((void)f.get(), parley::cancelled);
}

TEST(Promise, NobodyWaitsForWhatNobodyWants) {
    tally alive = 0;
    {
        promise<counted> p;
        (void)p.get_future();
        p.set_value(counted(alive));
    }
    {
        promise<counted> p;
        const future<counted> f = p.get_future();  // goes before the promise
    }
    {
        promise<counted> p;
        p.set_value(counted(alive));
    }
    EXPECT_EQ(alive, 0);
}

TEST(Promise, IsWaitedForUpToATime) {
    promise<int> p;
    future<int> f = p.get_future();
    EXPECT_EQ(f.wait_for(1ms), std::future_status::timeout);
    p.set_value(3);
    EXPECT_EQ(f.wait_for(1h), std::future_status::ready);
    EXPECT_EQ(f.get(), 3);
}

}  // namespace
