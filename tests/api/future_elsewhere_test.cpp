// Futures that are fetched by another thread, in another task or after the run that made them.
#include "tests/api/support.hpp"

#include <chrono>
#include <memory>
#include <optional>

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::future;

TEST(FutureElsewhere, OutsideAnyRuntimeTheDefaultOneRunsIt) {
    EXPECT_EQ(async([] { return 5; }).get(), 5);
    EXPECT_THROW(async([] { throw boom{}; }).get(), boom);
    const auto f = async([] {});
    f.wait();
    EXPECT_TRUE(f.is_ready());
    tally alive{0};
    for (int i = 0; i < 100; ++i)
        static_cast<void>(async([c = counted(alive)] { return c; }));
    EXPECT_EQ(alive, 0);
}

TEST(FutureElsewhere, FetchedByAThreadThatIsNoWorker) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(100); ++i) {
            std::optional<future<std::uint64_t>> f;
            rt.run([&] { f = async(fib, 8U); });
            std::thread([&] { EXPECT_EQ(f->get(), 21U); }).join();
        }
    });
}

TEST(FutureElsewhere, FetchedByAThreadWhileTheRunGoesOn) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<bool> fetched{false};
        std::atomic<future<int>*> made{nullptr};
        std::thread other([&] {
            while (made == nullptr) std::this_thread::yield();
            EXPECT_EQ(made.load()->get(), 5);
            fetched = true;
        });
        rt.run([&] {
            auto f = async([] { return 5; });
            if (rt.workers() == 1) f.wait();  // nobody else runs it while this thread is inside
            made = &f;
            poll_until([&] { return fetched.load(); });
        });
        other.join();
    });
}

TEST(FutureElsewhere, OutlivesTheRunThatMadeIt) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::vector<future<std::uint64_t>> all;
        for (int round = 0; round < 20; ++round)
            rt.run([&] {
                for (int i = 0; i < 10; ++i)
                    all.push_back(async([c = counted(alive)] { return fib(7); }));
            });
        for (auto& f : all) EXPECT_EQ(f.get(), 13U);
        EXPECT_EQ(alive, 0);
    });
}

TEST(FutureElsewhere, FetchedInTheNextRun) {
    with_each_size([](parley::runtime& rt) {
        auto f = rt.run([] { return async(fib, 9U); });
        EXPECT_EQ(rt.run([&] { return f.get(); }), 34U);
    });
}

TEST(FutureElsewhere, FetchedInARunOfAnotherRuntime) {
    parley::runtime here{{.workers = 2}};
    with_each_size([&](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(50); ++i) {
            auto f = rt.run([] { return async(fib, 9U); });
            EXPECT_EQ(here.run([&] { return f.get(); }), 34U);
        }
    });
}

TEST(FutureElsewhere, ForgottenAfterTheRun) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> ran{0};
        for (int i = 0; i < 50; ++i) {
            auto f = rt.run([&] { return async([&, c = counted(alive)] { ++ran; }); });
        }
        EXPECT_EQ(ran, 50);
        EXPECT_EQ(alive, 0);
    });
}

// Each task fetches the one before it.
void check_chain(parley::runtime& rt) {
    const int length = is_sanitized ? 100 : 1'000;
    rt.run([&] {
        future<int> last = async([] { return 0; });
        for (int i = 0; i < length; ++i)
            last = async([before = std::move(last)]() mutable { return before.get() + 1; });
        EXPECT_EQ(last.get(), length);
    });
}

TEST(FutureElsewhere, TasksThatWaitForEachOtherInAChain) {
    for (const unsigned n : {1U, 2U}) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t i = 0; i < times(10); ++i) check_chain(rt);
    }
}

// A third worker, waiting in the middle of the chain, may help with a later part of it.
TEST(FutureElsewhere, ChainsWithMoreThanTwoWorkers) {
    for (const unsigned n : {3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t i = 0; i < times(10); ++i) check_chain(rt);
    }
}

// A future is handed down to the grandchildren of its maker.
TEST(FutureElsewhere, FetchedDeepInsideOtherTasks) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t i = 0; i < times(100); ++i)
            rt.run([] {
                auto f = async([] { return 8; });
                auto g = async([f = std::move(f)]() mutable {
                    auto h = async([f = std::move(f)]() mutable { return f.get() + 1; });
                    return h.get() + 1;
                });
                EXPECT_EQ(g.get(), 10);
            });
    });
}

// A task that waits for its own child helps meanwhile. What it helps with must not wait for the
// task itself: that lies below it on the same stack.
TEST(FutureElsewhere, HelpingNeverWaitsForTheTaskBelow) {
    parley::runtime rt{{.workers = 3}};
    rt.run([] {
        std::atomic<bool> forked{false}, fetching{false};
        auto below = async([&] {
            forked_elsewhere([] {}, [&] {
                forked = true;
                poll_until([&] { return fetching.load(); });
            });
            return 1;
        });
        poll_until([&] { return forked.load(); });
        // One worker is in the forked call, this one polls: the third, in `below`, takes the next.
        auto above = async([&, below = std::move(below)]() mutable {
            fetching = true;
            return below.get();
        });
        poll_until([&] { return fetching.load(); });
        EXPECT_EQ(above.get(), 1);
    });
}

TEST(FutureElsewhere, WaitsForATaskThatSleeps) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<bool> begun{false};
        rt.run([&] {
            auto f = async([&] {
                begun = true;
                std::this_thread::sleep_for(20ms);
                return 1;
            });
            poll_until([&] { return begun.load(); });
            EXPECT_EQ(f.get(), 1);  // asleep meanwhile
        });
    }
}

TEST(FutureElsewhere, ManyThreadsMakeAndFetch) {
    in_threads(8, [](unsigned me) {
        for (std::size_t i = 0; i < times(500); ++i) {
            auto f = async([me, i] { return me + i; });
            auto g = async([i] { return i; });
            EXPECT_EQ(f.get() - g.get(), me);
        }
    });
}

}  // namespace
