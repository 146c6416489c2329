// Scopes, barriers and runtimes wait for coroutines that are suspended; cancellation.
#include "tests/parley/coroutines/support.hpp"

#include <chrono>
#include <optional>
#include <stop_token>
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

task<> awaits_and_counts(future<void> f, std::atomic<int>& ended) {
    co_await f;
    ++ended;
}

// A promise that a thread outside keeps for a moment.
struct kept_for_a_moment {
    explicit kept_for_a_moment(parley::runtime& rt) : p(rt) {}
    promise<void> p;
    std::optional<std::jthread> keeper;
    future<void> begin() {
        future<void> f = p.get_future();
        keeper.emplace([this] {
            std::this_thread::sleep_for(2ms);
            p.set_value();
        });
        return f;
    }
};

TEST(CoroutineEnds, AScopeWaitsForItsCoroutines) {
    with_each_size([](parley::runtime& rt) {
        kept_for_a_moment p(rt);
        std::atomic<int> ended{0};
        rt.run([&] {
            parley::scope tasks;
            tasks.spawn(awaits_and_counts(p.begin(), ended));
            for (int i = 0; i < 100; ++i) tasks.spawn(awaits_and_counts(async([] {}), ended));
            tasks.wait();
            EXPECT_EQ(ended, 101);
        });
    });
}

TEST(CoroutineEnds, AScopeThrowsWhatACoroutineThrows) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto throws = []() -> task<> {
                co_await async([] {});
                throw boom(1);
            };
            parley::scope tasks;
            tasks.spawn(throws());
            EXPECT_THROW(tasks.wait(), boom);
            EXPECT_THROW(tasks.spawn(task<>()), parley::usage_error);
        });
    });
}

TEST(CoroutineEnds, AStoppedScopeDropsWhatHasNotBegun) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> ended{0};
            tally alive = 0;
            const auto holds = [](counted) -> task<> { co_return; };
            parley::scope tasks;
            tasks.request_stop();
            tasks.spawn(awaits_and_counts(async([] {}), ended));
            tasks.spawn(holds(counted(alive)));
            EXPECT_THROW(tasks.wait(), parley::cancelled);
            EXPECT_EQ(ended, 0);
            EXPECT_EQ(alive, 0);
        });
    });
}

TEST(CoroutineEnds, AScopeTakesCoroutinesFromOutside) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<int> ended{0};
    parley::scope tasks(rt);
    for (int i = 0; i < 100; ++i) tasks.spawn(awaits_and_counts(async([] {}), ended));
    tasks.wait();
    EXPECT_EQ(ended, 100);
}

TEST(CoroutineEnds, ABarrierWaitsForASuspendedCoroutine) {
    with_each_size([](parley::runtime& rt) {
        kept_for_a_moment p(rt);
        std::atomic<int> ended{0};
        rt.run([&] {
            parley::spawn(awaits_and_counts(p.begin(), ended));
            for (int i = 0; i < 100; ++i) parley::spawn(awaits_and_counts(async([] {}), ended));
            parley::barrier();
            EXPECT_EQ(ended, 101);
        });
    });
}

TEST(CoroutineEnds, ABarrierThrowsWhatACoroutineThrows) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto throws = []() -> task<> {
                co_await async([] {});
                throw boom(1);
            };
            parley::spawn(throws());
            EXPECT_THROW(parley::barrier(), boom);
        });
    });
}

TEST(CoroutineEnds, TheEndOfARuntimeWaitsForASuspendedCoroutine) {
    for (const unsigned n : worker_counts) {
        std::atomic<int> ended{0};
        std::optional<kept_for_a_moment> p;
        {
            parley::runtime rt{{.workers = n}};
            p.emplace(rt);
            rt.run([&] { parley::spawn(awaits_and_counts(p->begin(), ended)); });
        }
        EXPECT_EQ(ended, 1);
    }
}

TEST(CoroutineEnds, TheEndOfARuntimeWaitsForACoroutineThatIsElsewhere) {
    parley::runtime other{{.workers = 2}};
    for (const unsigned n : worker_counts) {
        std::atomic<int> ended{0};
        {
            parley::runtime rt{{.workers = n}};
            const auto leaves = [](parley::runtime& there, std::atomic<int>& count) -> task<> {
                co_await parley::spawn_on(there);
                std::this_thread::sleep_for(1ms);
                ++count;
            };
            rt.run([&] { parley::spawn(leaves(other, ended)); });
        }
        EXPECT_EQ(ended, 1);
    }
}

TEST(CoroutineEnds, AFutureWaitsForItsCoroutine) {
    with_each_size([](parley::runtime& rt) {
        kept_for_a_moment p(rt);
        std::atomic<int> ended{0};
        rt.run([&] {
            { const future<void> f = async(awaits_and_counts(p.begin(), ended)); }
            EXPECT_EQ(ended, 1);
        });
    });
}

TEST(CoroutineStops, AStopRequestIsThrownAtTheNextAwait) {
    with_each_size([](parley::runtime& rt) {
        std::stop_source source;
        promise<void> p(rt);
        std::atomic<int> came{0};
        const auto nested = [](future<void> f, std::atomic<int>& count) -> task<> {
            EXPECT_TRUE((co_await parley::this_stop_token()).stop_possible());
            ++count;
            co_await f;
            ++count;
            co_await async([] {});  // ready or not: only a wait for it throws
            co_await parley::promise<void>().get_future();
        };
        const auto outer = [](task<> inner) -> task<> { co_await inner; };
        rt.run([&] {
            future<void> f = async(outer(nested(p.get_future(), came)), source.get_token());
            while (came == 0) (void)f.wait_for(0s);
            source.request_stop();
            p.set_value();
            EXPECT_THROW(f.get(), parley::cancelled);
            // With one worker it is suspended by then. With more it may not have come so far, and throws there.
            EXPECT_GE(came, rt.workers() == 1 ? 2 : 1);
            EXPECT_LE(came, 2);
        });
    });
}

TEST(CoroutineStops, AStopRequestIsThrownWhereATaskIsAwaited) {
    std::stop_source source;
    const auto stops_itself = [](std::stop_source& s) -> task<int> {
        EXPECT_EQ(co_await value_of(1), 1);
        s.request_stop();
        co_return co_await value_of(2);
    };
    EXPECT_THROW((void)sync_wait(stops_itself(source), source.get_token()), parley::cancelled);
}

TEST(CoroutineStops, WhatHasNotBegunIsDropped) {
    std::stop_source source;
    source.request_stop();
    bool begun = false;
    const auto sets = [](bool& b) -> task<> {
        b = true;
        co_return;
    };
    EXPECT_THROW(sync_wait(sets(begun), source.get_token()), parley::cancelled);
    EXPECT_FALSE(begun);
}

TEST(CoroutineStops, ACancelledRootTaskCancelsItsCoroutines) {
    with_each_size([](parley::runtime& rt) {
        const auto for_ever = []() -> task<> {
            for (;;) co_await async([] {});
        };
        const std::jthread other = thread_outside([&] {
            std::this_thread::sleep_for(1ms);
            rt.cancel();
        });
        EXPECT_THROW(rt.run([&] { sync_wait(for_ever()); }), parley::cancelled);
    });
}

// A wait inside an isolation runs what was made there, also after it was suspended.
TEST(CoroutineIsolated, IsResumedInsideTheIsolation) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (int i = 0; i < 20; ++i) {
                const auto waits = [](future<int> f) -> task<int> {
                    const int x = co_await f;
                    EXPECT_TRUE(is_isolated());
                    co_return x;
                };
                parley::isolated([&] {
                    future<int> inner = async([] { return 1; });
                    future<int> newer = async([] { return 2; });
                    future<int> f = async(waits(std::move(inner)));
                    EXPECT_EQ(f.get(), 1);
                    EXPECT_EQ(newer.get(), 2);
                });
            }
        });
    });
}

}  // namespace
