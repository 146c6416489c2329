// runtime: sizes, run(), several of them, start and stop.
#include "tests/parley/api/support.hpp"

#include <memory>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;
using parley::runtime;

TEST(Runtime, HasTheWorkersThatWereAskedFor) {
    for (const unsigned n : {1U, 2U, 3U, 8U, 64U}) EXPECT_EQ(runtime({.workers = n}).workers(), n);
    EXPECT_EQ(runtime{}.workers(), parley::default_workers());
    EXPECT_EQ(runtime({.workers = 0}).workers(), parley::default_workers());
    EXPECT_GE(parley::default_workers(), 1U);
}

TEST(Runtime, TooManyWorkersAreAUsageError) {
    EXPECT_THROW(runtime({.workers = parley::max_workers + 1}), parley::usage_error);
    EXPECT_THROW(runtime({.workers = ~0U}), parley::usage_error);
}

TEST(Runtime, RunReturnsWhatTheFunctionReturns) {
    with_each_size([](runtime& rt) {
        EXPECT_EQ(rt.run([] { return 5; }), 5);
        int x = 0;
        static_assert(std::is_same_v<decltype(rt.run([&]() -> int& { return x; })), int&>);
        EXPECT_EQ(&rt.run([&]() -> int& { return x; }), &x);
        static_assert(std::is_void_v<decltype(rt.run([] {}))>);
        rt.run([&] { x = 7; });
        EXPECT_EQ(x, 7);
        EXPECT_EQ(*rt.run([] { return std::make_unique<int>(8); }), 8);
    });
}

TEST(Runtime, RunThrowsWhatTheFunctionThrowsAndWorksAgain) {
    with_each_size([](runtime& rt) {
        for (int i = 0; i < 20; ++i) {
            EXPECT_THROW(rt.run([] { throw boom{}; }), boom);
            EXPECT_EQ(rt.run([] { return fib(8); }), 21U);
        }
    });
}

TEST(Runtime, CallsTheFunctionItselfOnTheCallingThread) {
    with_each_size([](runtime& rt) {
        auto f = [n = 0]() mutable { return ++n; };
        EXPECT_EQ(rt.run(f), 1);
        EXPECT_EQ(rt.run(f), 2);
        EXPECT_EQ(rt.run([] { return std::this_thread::get_id(); }), std::this_thread::get_id());
        EXPECT_EQ(rt.run([] { return parley::worker_index(); }), 0U);
    });
}

TEST(Runtime, IndexOfEachWorkerIsBelowTheirNumber) {
    with_each_size([](runtime& rt) {
        std::atomic<unsigned> most{0};
        rt.run([&] {
            parley::for_each_index(0, 10'000, [&](int) {
                const unsigned mine = parley::worker_index().value();
                unsigned seen = most;
                while (mine > seen && !most.compare_exchange_weak(seen, mine)) {}
            });
        });
        EXPECT_LT(most, rt.workers());
    });
}

TEST(Runtime, RunInsideRunOfTheSameRuntimeIsACall) {
    with_each_size([](runtime& rt) {
        const auto inner = [&] { return rt.run([] { return fib(10); }); };
        EXPECT_EQ(rt.run([&] { return rt.run(inner); }), 55U);
        std::atomic<std::uint64_t> sum{0};
        rt.run([&] { parley::for_each_index(0, 100, [&](int) { sum += rt.run([] { return fib(5); }); }); });
        EXPECT_EQ(sum, 500U);
    });
}

TEST(Runtime, SeveralSideBySide) {
    with_each_size([](runtime& rt) {
        runtime other{{.workers = 2}}, third{{.workers = 1}};
        in_threads(3, [&](unsigned me) {
            runtime& mine = me == 0 ? rt : me == 1 ? other : third;
            for (std::size_t i = 0; i < times(50); ++i) EXPECT_EQ(mine.run([] { return fib(12); }), 144U);
        });
    });
}

TEST(Runtime, OneInsideATaskOfAnother) {
    with_each_size([](runtime& rt) {
        runtime other{{.workers = 2}};
        std::atomic<std::uint64_t> sum{0};
        rt.run([&] {
            parley::scope s;
            for (int i = 0; i < 20; ++i) s.spawn([&] { sum += other.run([] { return fib(9); }); });
            s.wait();
            EXPECT_EQ(other.run([] { return fib(9); }), 34U);
            EXPECT_EQ(fib(9), 34U) << "back in the first";
            runtime own{{.workers = 2}};
            EXPECT_EQ(own.run([] { return fib(9); }), 34U);
        });
        EXPECT_EQ(sum, 20 * 34U);
    });
}

TEST(Runtime, InEachOthersTasks) {
    for (const unsigned n : {2U, 3U, 8U}) {
        runtime a{{.workers = n}}, b{{.workers = n}};
        const auto there_and_back = [&] { return b.run([&] { return a.run([] { return fib(8); }); }); };
        EXPECT_EQ(a.run(there_and_back), 21U);
    }
}

// A runtime of one worker is entered again by the thread that is its worker already, by a detour.
TEST(Runtime, ThereAndBackWithOneWorkerEach) {
    runtime a{{.workers = 1}}, b{{.workers = 1}};
    EXPECT_EQ(a.run([&] { return b.run([&] { return a.run([] { return fib(8); }); }); }), 21U);
}

TEST(Runtime, EndsWithoutHavingBeenUsed) {
    with_each_size([](runtime&) {});
}

TEST(Runtime, DestructorDoesWhatIsStillPending) {
    for (const unsigned n : worker_counts) {
        tally alive{0};
        std::atomic<int> ran{0};
        std::vector<parley::future<void>> pending;
        {
            runtime rt{{.workers = n}};
            rt.run([&] {
                for (int i = 0; i < 500; ++i) pending.push_back(parley::async([&ran, c = counted(alive)] { ++ran; }));
            });
        }
        EXPECT_EQ(ran, 500);
        for (const auto& f : pending) EXPECT_TRUE(f.is_ready());
        pending.clear();
        EXPECT_EQ(alive, 0);
    }
}

TEST(Runtime, StartsAndStopsManyTimes) {
    for (const unsigned n : worker_counts)
        for (std::size_t i = 0; i < times(200); ++i) {
            runtime rt{{.workers = n}};
            ASSERT_EQ(rt.run([] { return fib(7); }), 13U);
        }
}

TEST(Runtime, StopsWhileItsThreadsAreStillStarting) {
    for (const unsigned n : worker_counts)
        for (std::size_t i = 0; i < times(200); ++i) {
            runtime rt{{.workers = n}};
            rt.run([] { parley::fork_join([] {}, [] {}); });
        }
}

TEST(Runtime, KeepsTheSizeOfStackThatWasAskedFor) {
    // A thief that recurses deeper than 8 MiB, the usual default, would allow.
    runtime rt{{.workers = 2, .stack_size = 64 << 20}};
    struct deep {
        static int down(int n) {
            volatile char frame[1 << 10];  // 1 KiB each
            frame[0] = 1;
            return n == 0 ? 0 : down(n - 1) + frame[0];
        }
    };
    static constexpr int frames = is_sanitized ? 1'000 : 20'000;
    rt.run([] {
        const auto [a, b] = forked_elsewhere([] { return 0; }, [] { return deep::down(frames); });
        EXPECT_EQ(a + b, frames);
    });
}

TEST(Runtime, EveryStrategyOfStealingComputesTheSame) {
    for (const auto strategy :
         {parley::threading::stealing::one, parley::threading::stealing::half, parley::threading::stealing::adaptive})
        for (const unsigned n : worker_counts) {
            runtime rt{{.workers = n, .seed = n}, {.steal = strategy}};
            EXPECT_EQ(rt.run([] { return fib(15); }), serial_fib(15));
        }
}

TEST(Runtime, BoundThreadsComputeTheSame) {
    for (const auto how : {parley::binding::cores, parley::binding::threads})
        for (const unsigned n : worker_counts) {
            runtime rt{{.workers = n, .bind = how}};
            EXPECT_EQ(rt.run([] { return fib(12); }), 144U);
        }
}

}  // namespace
