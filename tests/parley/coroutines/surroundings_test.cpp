// What goes on inside isolated(), in blocking(), and beside workers that have nothing to do.
#include "tests/parley/coroutines/support.hpp"

#include <atomic>
#include <chrono>
#include <latch>
#include <mutex>
#include <tuple>
#include <utility>

namespace {

using namespace coroutine_test;
using namespace std::chrono_literals;
using parley::async;
using parley::future;
using parley::promise;
using parley::sync_wait;
using parley::task;

// Calls body() inside isolated() in as many tasks as there are workers.
template <class Body>
void isolated_everywhere(parley::runtime& rt, Body body) {
    rt.run([&] {
        parley::scope s;
        for (unsigned i = 0; i < rt.workers(); ++i) s.spawn([&body] { parley::isolated(body); });
    });
}

int from_then() {
    const auto adds_one = [](int x) {
        EXPECT_TRUE(parley::threading::current->is_isolated());
        return x + 1;
    };
    return async([] { return 1; }).then(adds_one).get();
}

TEST(ContinuationsInside, ThenGoesOnInsideIsolated) {
    with_each_size([](parley::runtime& rt) {
        isolated_everywhere(rt, [] {
            for (int i = 0; i < 100; ++i) EXPECT_EQ(from_then(), 2);
        });
    });
}

task<int> adds_one_to(future<int> f) { co_return 1 + co_await f; }

// A thief does what the region awaits. Meanwhile a job comes that wants the lock of the region. The thief has to go on with
// what awaits it first, because nobody else can.
template <class GoesOn>
void beside_a_job_that_wants_the_lock(GoesOn goes_on) {
    parley::runtime rt{{.workers = 2}};
    std::mutex lock;
    std::atomic<bool> awaits{false}, may_end{false};
    parley::scope outside(rt);
    std::jthread other([&] {
        while (!awaits) std::this_thread::yield();
        std::this_thread::sleep_for(5ms);  // most likely the region waits by then
        outside.spawn([&] { const std::scoped_lock guard(lock); });
        may_end = true;
    });
    rt.run([&] {
        parley::isolated([&] {
            const std::scoped_lock guard(lock);
            std::atomic<bool> begun{false};
            future<int> f = async([&] {
                begun = true;
                while (!may_end) std::this_thread::yield();
                return 1;
            });
            while (!begun) parley::poll();
            future<int> g = goes_on(std::move(f));
            awaits = true;
            EXPECT_EQ(g.get(), 2);
        });
    });
    other.join();
    outside.wait();
}

TEST(ContinuationsInside, ThenGoesOnAtTheThiefThatHasDoneWhatItAwaits) {
    beside_a_job_that_wants_the_lock([](future<int> f) { return std::move(f).then([](int x) { return x + 1; }); });
}

TEST(ContinuationsInside, CoroutinesGoOnAtTheThiefThatHasDoneWhatTheyAwait) {
    beside_a_job_that_wants_the_lock([](future<int> f) { return async(adds_one_to(std::move(f))); });
}

TEST(ContinuationsInside, ThenGoesOnInAVisitThatBeganInsideIsolated) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime there{{.workers = 1, .complain_after = parley_tests::complain_after}};
        rt.run([&] { parley::isolated([&] { EXPECT_EQ(there.run(from_then), 2); }); });
    });
}

TEST(ContinuationsInside, CoroutinesAwaitWhatIsMadeInside) {
    const auto awaits = [](parley::shared_future<int> f) -> task<int> { co_return co_await f; };
    with_each_size([&](parley::runtime& rt) {
        isolated_everywhere(rt, [&] {
            for (std::size_t i = 0; i < times(100); ++i) {
                const parley::shared_future<int> source = async([] { return 1; }).share();
                EXPECT_EQ(async(awaits(source)).get(), 1);
            }
        });
    });
}

// Lets a thread outside set the promise, when the coroutine has most likely come to its co_await.
template <class Coroutine>
void await_a_thread_outside(parley::runtime& home_of_promise, Coroutine coroutine) {
    promise<int> p(home_of_promise);
    std::latch begun(1);
    const std::jthread other = thread_outside([&] {
        begun.wait();
        std::this_thread::sleep_for(1ms);
        p.set_value(3);
    });
    EXPECT_EQ(sync_wait(coroutine(p.get_future(), begun)), 3);
}

task<int> awaits_one(future<int> f, std::latch& begun) {
    begun.count_down();
    co_return co_await f;
}
task<int> awaits_shared(future<int> f, std::latch& begun) {
    const parley::shared_future<int> s = f.share();
    begun.count_down();
    co_return co_await s;
}
task<int> awaits_joint(future<int> f, std::latch& begun) {
    begun.count_down();
    auto [three, nothing] = co_await parley::when_all(std::move(f), async([] {}));
    co_return three;
}

TEST(CoroutinesInside, AwaitAThreadOutside) {
    with_each_size([](parley::runtime& rt) {
        isolated_everywhere(rt, [&] {
            await_a_thread_outside(rt, awaits_one);
            await_a_thread_outside(rt, awaits_shared);
            await_a_thread_outside(rt, awaits_joint);
        });
    });
}

TEST(CoroutinesInside, AwaitAnotherRuntime) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime there{{.workers = 2, .complain_after = parley_tests::complain_after}};
        isolated_everywhere(rt, [&] {
            await_a_thread_outside(there, awaits_one);
            const auto awaits = [](future<int> f) -> task<int> { co_return co_await f; };
            EXPECT_EQ(sync_wait(awaits(there.run([] {
                          return async([] {
                              std::this_thread::sleep_for(1ms);
                              return 4;
                          });
                      }))),
                      4);
        });
    });
}

task<void> awaits_and_tells(future<int> f, std::latch& begun, std::atomic<bool>& gone_on) {
    begun.count_down();
    (void)co_await f;
    gone_on = true;
    gone_on.notify_all();
}

// The task that sets the promise does not look up. It ends when the coroutine has gone on, which another worker lets it do.
template <class SetAndWait>
void goes_on_elsewhere(SetAndWait set_and_wait) {
    for (const unsigned n : {2u, 3u, 8u}) {
        parley::runtime rt{{.workers = n, .complain_after = parley_tests::complain_after}};
        rt.run([&] {
            promise<int> p;
            std::latch begun(1);
            std::atomic<bool> gone_on{false};
            const future<void> f = async(awaits_and_tells(p.get_future(), begun, gone_on));
            poll_until([&] { return begun.try_wait(); });
            std::this_thread::sleep_for(1ms);  // most likely it is suspended by then
            set_and_wait(p, gone_on);
        });
    }
}

TEST(GoesOn, WhileItsSetterBlocks) {
    goes_on_elsewhere([](promise<int>& p, const std::atomic<bool>& gone_on) {
        parley::blocking([&] {
            p.set_value(1);
            gone_on.wait(false);
        });
    });
}

TEST(GoesOn, InAWorkerWithNothingToDoWhileItsSetterIsBusy) {
    goes_on_elsewhere([](promise<int>& p, const std::atomic<bool>& gone_on) {
        p.set_value(1);
        while (!gone_on) std::this_thread::sleep_for(10us);  // a sanitizer delivers the watchdog's signals here
    });
}

// Nothing interrupts the task that asks. So it has to give away the one that sets the promise, or to run it.
TEST(Promise, IsSetWhileATaskAsksAgainAndAgain) {
    for (const unsigned n : worker_counts) {
        parley::runtime rt{
            {.workers = n, .watchdog = parley::watchdogs::off, .complain_after = parley_tests::complain_after}};
        rt.run([] {
            promise<int> p;
            const future<int> f = p.get_future();
            const future<void> setter = async([&p] { p.set_value(1); });
            while (f.wait_for(0s) != std::future_status::ready) {}
        });
    }
}

// The scope throws at its end, when the value is already in its place.
TEST(Task, DestroysItsValueIfALocalVariableThrowsAfterwards) {
    tally alive = 0;
    with_each_size([&](parley::runtime& rt) {
        const auto throws_late = [](tally& t) -> task<counted> {
            parley::scope s;
            s.spawn([] { throw boom(1); });
            co_return counted(t);
        };
        EXPECT_THROW((void)sync_wait(rt, throws_late(alive)), boom);
        EXPECT_EQ(alive, 0);
    });
}

}  // namespace
