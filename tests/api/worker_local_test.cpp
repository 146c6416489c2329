// worker_local: one object per worker, and one for threads outside.
#include "tests/api/support.hpp"

#include <set>
#include <string>

namespace {

using namespace api_test;
using parley::worker_local;

TEST(WorkerLocal, HasOnePerWorkerAndOneForTheOthers) {
    with_each_size([](parley::runtime& rt) {
        worker_local<int> mine(rt);
        EXPECT_EQ(mine.size(), rt.workers() + 1);
        rt.run([&] { EXPECT_EQ(worker_local<int>().size(), rt.workers() + 1); });
        std::set<const int*> all;
        for (const int& i : mine) {
            EXPECT_EQ(i, 0) << "value-initialised";
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&i) % 64, 0U) << "not on a line of its own";
            all.insert(&i);
        }
        EXPECT_EQ(all.size(), mine.size());
    });
}

TEST(WorkerLocal, CombineFoldsWhatTheWorkersCounted) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            worker_local<long> sum;
            parley::for_each_index(0, 10'000, [&](int i) { sum.local() += i; });
            EXPECT_EQ(sum.combine(0L, std::plus<>{}), 49'995'000L);
            EXPECT_EQ(sum.combine(0U, [](unsigned n, long) { return n + 1; }), rt.workers() + 1);
        });
    });
}

TEST(WorkerLocal, CopiesTheInitialValue) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            worker_local<std::string> texts(std::string("abc"));
            for (const std::string& t : texts) EXPECT_EQ(t, "abc");
            texts.local() += "d";
            EXPECT_EQ(texts.combine(std::size_t{0}, [](std::size_t n, const std::string& t) {
                return n + t.size();
            }),
                      3 * (rt.workers() + 1) + 1);
        });
    });
}

TEST(WorkerLocal, LocalIsTheOneOfTheCallingWorker) {
    with_each_size([](parley::runtime& rt) {
        worker_local<int> mine(rt);
        rt.run([&] {
            parley::scope s;
            for (int i = 0; i < 1'000; ++i)
                s.spawn([&] {
                    auto own = mine.begin();
                    for (unsigned w = 0; w < parley::worker_index().value(); ++w) ++own;
                    EXPECT_EQ(&mine.local(), &*own);
                });
            s.wait();
        });
    });
}

TEST(WorkerLocal, ThreadsOutsideAndWorkersOfOthersShareTheLast) {
    with_each_size([](parley::runtime& rt) {
        parley::runtime other{{.workers = 2}};
        worker_local<int> mine(rt);
        int* const outside = &mine.local();
        std::thread([&] { EXPECT_EQ(&mine.local(), outside); }).join();
        other.run([&] { EXPECT_EQ(&mine.local(), outside); });
        rt.run([&] { EXPECT_NE(&mine.local(), outside); });
        int* last = nullptr;
        for (int& i : mine) last = &i;
        EXPECT_EQ(last, outside);
    });
}

TEST(WorkerLocal, OutsideAnyRuntimeBelongsToTheDefaultOne) {
    worker_local<long> sum;
    EXPECT_EQ(sum.size(), parley::default_workers() + 1);
    parley::for_each_index(0, 10'000, [&](int i) { sum.local() += i; });
    EXPECT_EQ(sum.combine(0L, std::plus<>{}), 49'995'000L);
}

TEST(WorkerLocal, DestroysThemAll) {
    struct noisy {
        noisy() { ++count(); }
        ~noisy() { --count(); }
        noisy(const noisy&) = delete;
        noisy& operator=(const noisy&) = delete;
        static int& count() {
            static int n = 0;
            return n;
        }
    };
    {
        parley::runtime rt{{.workers = 3}};
        const worker_local<noisy> all(rt);
        EXPECT_EQ(noisy::count(), 4);
    }
    EXPECT_EQ(noisy::count(), 0);
}

}  // namespace
