// barrier: waits for everything, in the root task only.
#include "tests/parley/api/support.hpp"

namespace {

using namespace api_test;
using parley::barrier;
using parley::usage_error;

TEST(Barrier, WaitsForFuturesThatNobodyFetched) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round)
            rt.run([&] {
                std::atomic<int> done{0};
                std::vector<parley::future<void>> left;
                const auto task = [&] { fib(5), ++done; };
                for (int i = 0; i < 200; ++i) left.push_back(parley::async(task));
                barrier();
                EXPECT_EQ(done, 200);
                for (const auto& f : left) EXPECT_TRUE(f.is_ready());
            });
    });
}

// Tasks make tasks, which nobody waits for: the barrier sees them all.
void litter(std::atomic<int>& done, std::vector<std::atomic<void*>>& kept, std::size_t at) {
    if (2 * at + 1 < kept.size())
        for (const std::size_t child : {2 * at + 1, 2 * at + 2}) {
            auto* f = new parley::future<void>(parley::async([&, child] { litter(done, kept, child); }));
            kept[child] = f;
        }
    ++done;
}

TEST(Barrier, WaitsForTasksOfTasks) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round)
            rt.run([&] {
                std::atomic<int> done{0};
                std::vector<std::atomic<void*>> kept(255);
                litter(done, kept, 0);
                barrier();
                EXPECT_EQ(done, 255);
                for (auto& f : kept) delete static_cast<parley::future<void>*>(f.load());
            });
    });
}

TEST(Barrier, TwiceInARowAndWithNothingToDo) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([] {
                barrier();
                barrier();
                const auto f = parley::async([] {});
                barrier();
                EXPECT_TRUE(f.is_ready());
                barrier();
            });
    });
}

TEST(Barrier, WaitsForAScopeWithoutEndingIt) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> done{0};
            parley::scope s;
            for (int i = 0; i < 100; ++i) s.spawn([&] { ++done; });
            barrier();
            EXPECT_EQ(done, 100);
            s.spawn([&] { ++done; });
            s.wait();
            EXPECT_EQ(done, 101);
        });
    });
}

TEST(Barrier, WaitsForTasksFromOutside) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        for (std::size_t round = 0; round < times(20); ++round) {
            std::atomic<int> done{0};
            rt.run([&] {
                parley::scope s;
                std::thread([&] {
                    for (int i = 0; i < 50; ++i) s.spawn([&] { ++done; });
                }).join();
                barrier();
                EXPECT_EQ(done, 50);
            });
        }
    }
}

TEST(Barrier, OutsideARuntimeIsAUsageError) {
    EXPECT_THROW(barrier(), usage_error);
    std::thread([] { EXPECT_THROW(barrier(), usage_error); }).join();
}

TEST(Barrier, InAChildTaskIsAUsageError) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(50); ++round)
            rt.run([] {
                EXPECT_THROW(parley::async([] { barrier(); }).get(), usage_error);
                parley::scope s;
                s.spawn([] { barrier(); });
                EXPECT_THROW(s.wait(), usage_error);
                barrier();  // and the root task still may
            });
    });
}

TEST(Barrier, InATaskThatAnotherWorkerRunsIsAUsageError) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        rt.run([] { EXPECT_THROW(forked_elsewhere([] {}, [] { barrier(); }), usage_error); });
    }
}

// What was made outside could not run while it waits, so it would wait for ever.
TEST(Barrier, InsideIsolatedIsAUsageError) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const auto outside = parley::async([] {});
            parley::isolated([] {
                const auto inside = parley::async([] {});
                EXPECT_THROW(barrier(), usage_error);
            });
            barrier();
            EXPECT_TRUE(outside.is_ready());
        });
        EXPECT_EQ(rt.run([] { return parley::isolated([] { return fib(8); }); }), 21U);
    });
}

// The second run() from outside is carried out by some worker, but is a root task all the same.
TEST(Barrier, InARunThatAWorkerCarriesOutSaysWhy) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<bool> inside{false}, over{false};
    std::thread first([&] {
        rt.run([&] {
            inside = true;
            poll_until([&] { return over.load(); });
        });
    });
    while (!inside) std::this_thread::yield();
    EXPECT_THROW(rt.run([] { barrier(); }), usage_error);  // it would wait for the other run
    over = true;
    first.join();
}

TEST(Barrier, LeavesWhenTheWorkIsCancelled) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_THROW(rt.run([&] {
            parley::scope s;
            for (int i = 0; i < 1'000; ++i) s.spawn([&] { rt.cancel(); });
            barrier();
            parley::poll();
        }),
                     parley::cancelled);
        rt.run([] { barrier(); });
    });
}

}  // namespace
