// worker_local: one object per worker, and one for threads outside.
#include "tests/parley/api/support.hpp"

#include <mutex>
#include <set>
#include <string>
#include <type_traits>

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
            EXPECT_EQ(texts.combine(std::size_t{0}, [](std::size_t n, const std::string& t) { return n + t.size(); }),
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

// Neither made from nothing, nor copied, nor moved.
struct only_made {
    explicit only_made(int n) : number(n) {}
    only_made(const only_made&) = delete;
    only_made& operator=(const only_made&) = delete;
    int number;
};
struct only_copied {
    explicit only_copied(int n) : number(n) {}
    only_copied(const only_copied&) = default;
    only_copied& operator=(const only_copied&) = delete;
    int number;
};

TEST(WorkerLocal, CopiesWhatCanOnlyBeCopied) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            worker_local<only_copied> all(only_copied(3));
            EXPECT_EQ(all.local().number, 3);
            EXPECT_EQ(all.combine(0U, [](unsigned n, const only_copied& c) { return n + unsigned(c.number == 3); }),
                      rt.workers() + 1);
        });
        const worker_local<only_copied> of_rt(rt, only_copied(4));
        EXPECT_EQ(of_rt.size(), rt.workers() + 1);
    });
}

TEST(WorkerLocal, AFunctionMakesOneForEachWorkerAndOneForTheOthers) {
    with_each_size([](parley::runtime& rt) {
        unsigned calls = 0;
        // It can itself be moved only.
        const auto make = [&calls] {
            return [&calls, one = std::make_unique<int>(1)] {
                calls += static_cast<unsigned>(*one);
                return only_made(7);
            };
        };
        worker_local<only_made> of_rt(rt, make());
        EXPECT_EQ(calls, rt.workers() + 1);
        EXPECT_EQ(of_rt.size(), calls);
        for (const only_made& m : of_rt) EXPECT_EQ(m.number, 7);
        rt.run([&] {
            worker_local<only_made> here(make());
            EXPECT_EQ(here.local().number, 7);
            EXPECT_EQ(here.size(), rt.workers() + 1);
        });
        EXPECT_EQ(calls, 2 * (rt.workers() + 1));
    });
}

TEST(WorkerLocal, AVisitorsIsMadeWhenItFirstAsks) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<int> calls{0};
    worker_local<only_made> of_rt(rt, [&] { return only_made(++calls); });
    worker_local<std::string> copies(rt, "copy");
    EXPECT_EQ(calls, 3);
    rt.run([&] {
        std::thread visitor([&] {
            rt.run([&] {
                EXPECT_EQ(of_rt.local().number, 4);
                EXPECT_EQ(of_rt.local().number, 4);
                EXPECT_EQ(copies.local(), "copy");
            });
        });
        visitor.join();
    });
    EXPECT_EQ(of_rt.size(), 4U);
    EXPECT_EQ(copies.size(), 4U);
}

// Its place is not locked while it is made: that may run other tasks, which ask as well.
TEST(WorkerLocal, MakingAVisitorsMayRunTasksThatAskForIt) {
    parley::runtime rt{{.workers = 2}};
    std::atomic<bool> in_visit{false};
    worker_local<std::unique_ptr<int>>* all = nullptr;
    worker_local<std::unique_ptr<int>> of_rt(rt, [&] {
        if (in_visit.exchange(false)) {
            EXPECT_NE(all->local(), nullptr);
        }
        return std::make_unique<int>(1);
    });
    all = &of_rt;
    rt.run([&] {
        std::thread visitor([&] {
            rt.run([&] {
                in_visit = true;
                EXPECT_EQ(*of_rt.local(), 1);
            });
        });
        visitor.join();
    });
    EXPECT_EQ(of_rt.size(), 4U);
}

TEST(WorkerLocal, WhatMakingOneThrowsArrivesAndThoseMadeAreDestroyed) {
    tally alive{0};
    parley::runtime rt{{.workers = 3}};
    int left = 2;
    const auto make = [&] {
        if (left-- == 0) throw boom{};
        return counted(alive);
    };
    EXPECT_THROW(worker_local<counted>(rt, make), boom);
    EXPECT_EQ(alive, 0);
}

TEST(WorkerLocal, CombinesAndIteratesWhereItIsConst) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            worker_local<long> sums;
            parley::for_each_index(0, 10'000, [&](int i) { sums.local() += i; });
            const worker_local<long>& finished = sums;
            EXPECT_EQ(finished.combine(0L, std::plus<>{}), 49'995'000L);
            long total = 0;
            for (const long& sum : finished) total += sum;
            EXPECT_EQ(total, 49'995'000L);
            static_assert(std::is_same_v<decltype(*finished.begin()), const long&>);
        });
    });
}

TEST(WorkerLocal, CombineMayTakeThemAwayWhereItIsNotConst) {
    parley::runtime rt{{.workers = 3}};
    worker_local<std::vector<int>> parts(rt, std::vector<int>{1});
    const auto all = parts.combine(std::vector<int>{}, [](std::vector<int> a, std::vector<int>& part) {
        a.insert(a.end(), part.begin(), part.end());
        part.clear();
        return a;
    });
    EXPECT_EQ(all, (std::vector<int>{1, 1, 1, 1}));
    for (const auto& part : parts) EXPECT_TRUE(part.empty());
}

TEST(WorkerLocal, ItsObjectsAreARangeForLoops) {
    parley::runtime rt{{.workers = 3}};
    worker_local<int> numbers(rt, 5);
    rt.run([&] { parley::for_each(numbers, [](int& n) { ++n; }); });
    EXPECT_EQ(numbers.combine(0, std::plus<>{}), 4 * 6);
}

template <class T, class... Arguments>
constexpr bool is_made_from = std::is_constructible_v<worker_local<T>, Arguments...>;

TEST(WorkerLocal, WhatMakesNoSuchObjectDoesNotCompile) {
    using home = parley::runtime&;
    static_assert(is_made_from<int> && is_made_from<int, home> && is_made_from<int, int> && is_made_from<int, home, int>);
    static_assert(is_made_from<int[4]> && is_made_from<std::mutex> && !is_made_from<std::mutex, const std::mutex&>);
    static_assert(!is_made_from<only_made> && !is_made_from<only_made, home> && !is_made_from<only_made, only_made>);
    static_assert(is_made_from<only_made, only_made (*)()> && is_made_from<only_made, home, only_made (*)()>);
    static_assert(!is_made_from<only_made, int (*)()> && !is_made_from<only_made, only_made (*)(int)>);
    static_assert(is_made_from<only_copied, only_copied> && !is_made_from<only_copied>);
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
