// scope: made, fed and awaited by threads that are no workers, and across runtimes.
#include "tests/parley/api/support.hpp"

namespace {

using namespace api_test;
using parley::scope;

TEST(ScopeOutside, UsesTheDefaultRuntime) {
    std::atomic<int> done{0};
    scope s;
    for (int round = 1; round <= 3; ++round) {
        for (int i = 0; i < 100; ++i) s.spawn([&] { ++done; });
        s.wait();
        EXPECT_EQ(done, 100 * round);
    }
    s.spawn([] { throw boom{}; });
    EXPECT_THROW(s.wait(), boom);
}

TEST(ScopeOutside, UsesTheGivenRuntime) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        std::atomic<int> done{0};
        {
            scope s(rt);
            for (int i = 0; i < 100; ++i)
                s.spawn([&, c = counted(alive)] {
                    ++done;
                    s.spawn([&, c] { ++done; });
                });
            s.wait();
            EXPECT_EQ(done, 200);
            for (int i = 0; i < 100; ++i) s.spawn([c = counted(alive)] {});
        }  // left without wait()
        EXPECT_EQ(alive, 0);
        std::uint64_t tasks = 0;
        for (const auto& c : rt.counters()) tasks += c.tasks;
        EXPECT_EQ(tasks, 300U) << "its tasks run in the given runtime";
    });
}

TEST(ScopeOutside, OtherThreadsSpawnWhileItsMakerHasNotWaited) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<std::size_t> done{0};
        const std::size_t each = times(1'000);
        scope s(rt);
        in_threads(4, [&](unsigned) {
            for (std::size_t i = 0; i < each; ++i) s.spawn([&] { ++done; });
        });
        s.wait();
        EXPECT_EQ(done, 4 * each);
    });
}

TEST(ScopeOutside, OtherThreadsSpawnWhileATaskKeepsItOpen) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        std::atomic<std::size_t> done{0};
        std::atomic<bool> begun{false}, over{false};
        const std::size_t each = times(500);
        rt.run([&] {
            scope s;
            std::thread feeders([&] {
                while (!begun) std::this_thread::yield();
                in_threads(3, [&](unsigned) {
                    for (std::size_t i = 0; i < each; ++i) s.spawn([&] { ++done; });
                });
                over = true;
            });
            s.spawn([&] {
                begun = true;
                poll_until([&] { return over.load(); });
            });
            s.wait();
            feeders.join();
        });
        EXPECT_EQ(done, 3 * each);
    }
}

TEST(ScopeOutside, ManyThreadsEachWithAScopeOfTheirOwn) {
    with_each_size([](parley::runtime& rt) {
        in_threads(4, [&](unsigned) {
            for (std::size_t i = 0; i < times(100); ++i) {
                std::atomic<int> done{0};
                scope s(rt);
                for (int k = 0; k < 10; ++k) s.spawn([&] { ++done; });
                s.wait();
                ASSERT_EQ(done, 10);
            }
        });
    });
}

TEST(ScopeOutside, StoppedFromAnotherThread) {
    with_each_size([](parley::runtime& rt) {
        std::stop_source source;
        std::atomic<int> ran{0};
        source.request_stop();
        scope s(source.get_token());  // of the default runtime
        for (int i = 0; i < 20; ++i) s.spawn([&] { ++ran; });
        EXPECT_THROW(s.wait(), parley::cancelled);
        EXPECT_EQ(ran, 0);
        scope t(rt);
        t.request_stop();
        t.spawn([&] { ++ran; });
        EXPECT_THROW(t.wait(), parley::cancelled);
        EXPECT_EQ(ran, 0);
    });
}

// Made inside a task of one runtime, its tasks run in another one.
TEST(ScopeOutside, OfAnotherRuntimeThanItsMakers) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime other{{.workers = 2}};
        rt.run([&] {
            std::atomic<int> done{0};
            scope s(other);
            for (int i = 0; i < 20; ++i) s.spawn([&] { ++done; });
            s.wait();
            EXPECT_EQ(done, 20);
        });
    });
}

// Nobody owns it: the first one that waits does, until it is over.
TEST(ScopeOutside, AwaitedByTwoThreadsAtOnceIsAUsageErrorForOneOfThem) {
    with_each_size([](parley::runtime& rt) {
        scope s(rt);
        std::atomic<int> refused{0}, returned{0};
        s.spawn([&] { block_until([&] { return refused > 0; }); });
        in_threads(2, [&](unsigned) {
            try {
                s.wait();
                ++returned;
            } catch (const parley::usage_error&) {
                ++refused;
            }
        });
        EXPECT_EQ(refused, 1);
        EXPECT_EQ(returned, 1);
        s.spawn([] {});
        s.wait();  // one after the other they may
    });
}

// Made before run(), fed and awaited in it, by the same thread.
TEST(ScopeOutside, MadeOutsideAwaitedInside) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<int> done{0};
        scope s(rt);
        rt.run([&] {
            for (int i = 0; i < 20; ++i) s.spawn([&] { ++done; });
            s.wait();
            EXPECT_EQ(done, 20);
        });
    });
}

// The owner itself runs a task that a thread outside has spawned, inside a wait of another scope: nobody
// sends it news of that.
TEST(ScopeOutside, CompletesAlthoughItsOwnerRanTheForeignTask) {
    for (const unsigned workers : {1u, 2u}) {
        parley::runtime rt{{.workers = workers}};
        int ran = 0;
        rt.run([&] {
            parley::scope outer;
            outer.spawn([&] {
                std::thread([&] { outer.spawn([&] { ++ran; }); }).join();
                parley::scope inner;
                inner.spawn([] {});
                inner.wait();
            });
            outer.wait();
        });
        EXPECT_EQ(ran, 1) << workers;
    }
}

}  // namespace
