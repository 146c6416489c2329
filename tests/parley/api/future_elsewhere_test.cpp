// Futures that are fetched by another thread, in another task or after the run that made them.
#include "tests/parley/api/support.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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
    for (int i = 0; i < 100; ++i) static_cast<void>(async([c = counted(alive)] { return c; }));
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
                for (int i = 0; i < 10; ++i) all.push_back(async([c = counted(alive)] { return fib(7); }));
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

// What a future needs, its result among it, is there when its runtime is gone.
TEST(FutureElsewhere, OutlivesTheRuntime) {
    using bytes = std::array<char, 200>;
    for (const unsigned n : worker_counts) {
        tally alive{0};
        std::vector<future<std::uint64_t>> small;
        std::vector<future<bytes>> large;
        std::vector<future<void>> failed;
        std::vector<future<counted>> forgotten;
        {
            parley::runtime rt{{.workers = n}};
            rt.run([&] {
                for (std::size_t i = 0; i < times(1'000); ++i) {
                    small.push_back(async(fib, 5U));
                    if (i % 10 != 0) continue;
                    large.push_back(async([kept = bytes{'x'}] { return kept; }));
                    failed.push_back(async([] { throw boom{}; }));
                    forgotten.push_back(async([c = counted(alive)] { return c; }));
                }
                for (std::size_t i = 0; i < small.size(); i += 2) EXPECT_EQ(small[i].get(), 5U);
            });
        }
        for (std::size_t i = 1; i < small.size(); i += 2) EXPECT_EQ(small[i].get(), 5U);
        for (auto& f : large) EXPECT_EQ(f.get()[0], 'x');
        for (auto& f : failed) EXPECT_THROW(f.get(), boom);
        EXPECT_EQ(alive, static_cast<long>(forgotten.size()));
        parley::runtime later{{.workers = n}};
        later.run([&] { forgotten.clear(); });
        EXPECT_EQ(alive, 0);
    }
}

// Several threads outside, and the workers of another runtime, free at the same time what this one's workers go on to
// make: nothing is lost, and nothing is used twice.
TEST(FutureElsewhere, FreedElsewhereWhileMoreAreMade) {
    parley::runtime other{{.workers = 2}};
    for (const unsigned n : several) {
        std::vector<std::vector<future<std::uint64_t>>> made(4);
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(20); ++round) {
            auto before = std::exchange(made, std::vector<std::vector<future<std::uint64_t>>>(4));
            std::thread maker([&] {
                rt.run([&] {
                    for (std::uint64_t i = 0; i < 1'200; ++i) made[i % 4].push_back(async([i] { return i; }));
                });
            });
            std::atomic<std::size_t> wrong{0};
            const auto fetch = [&](std::size_t k) {
                for (std::uint64_t i = 0; i < before[k].size(); ++i)
                    if (before[k][i].get() != 4 * i + k) ++wrong;
            };
            std::thread visitor([&] { other.run([&] { parley::fork_join([&] { fetch(0); }, [&] { fetch(1); }); }); });
            in_threads(2, [&](unsigned t) { fetch(2 + t); });
            visitor.join();
            maker.join();
            EXPECT_EQ(wrong, 0U);
        }
    }
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
        for (int i = 0; i < length; ++i) last = async([before = std::move(last)]() mutable { return before.get() + 1; });
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
            forked_elsewhere([] {},
                             [&] {
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

// The diamond of each graph of dependencies. The waits are on stacks of their own, on several workers, outside, and
// isolated.
TEST(FutureElsewhere, AnyNumberOfTasksAndThreadsWaitForOne) {
    for (const unsigned workers : {1U, 2U, 4U, 8U}) {
        parley::runtime rt{{.workers = workers}};
        for (std::size_t round = 0; round < times(50); ++round) {
            std::atomic<unsigned> went_on{0};
            rt.run([&] {
                std::atomic<bool> opens{workers == 1};
                const auto shared = parley::async([&] {
                    poll_until([&] { return opens.load(); });
                    return 7;
                });
                std::vector<parley::future<void>> waiters;
                for (unsigned i = 0; i < 10; ++i)
                    waiters.push_back(parley::async([&, i] {
                        if (i == 3) opens = true;
                        if (i % 3 == 0) shared.wait();
                        else parley::fork_join([&] { shared.wait(); }, [&] { shared.wait(); });
                        ++went_on;
                    }));
                std::thread outside([&] {
                    shared.wait();
                    ++went_on;
                });
                opens = true;
                for (auto& w : waiters) w.wait();
                parley::blocking([&] { outside.join(); });
                EXPECT_TRUE(shared.is_ready());
            });
            EXPECT_EQ(went_on, 11U);
        }
    }
}

}  // namespace
