// Pipelines: order, loss, shapes of stages, and where they may be run.
#include "tests/parley/farm/support.hpp"

#include <iterator>
#include <string>

namespace {

using namespace farm_test;
using namespace parley;

TEST(Pipeline, OrderedFarmKeepsTheOrderOfItsItems) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        const int n = static_cast<int>(times(50'000));
        (source(std::views::iota(0, n)) | farm([](int i) {
             busy(i % 97 == 0 ? 2'000 : 0);
             return i;
         }) |
         sink([&](int i) {
             out.push_back(i);
         })).run(rt);
        EXPECT_EQ(out, up_to(n));
    });
}

TEST(Pipeline, UnorderedFarmLosesAndDoublesNothing) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        const int n = static_cast<int>(times(50'000));
        (source(std::views::iota(0, n)) | farm([](int i) { return i; }, {.order = unordered}) | sink([&](int i) {
             out.push_back(i);
         })).run(rt);
        std::ranges::sort(out);
        EXPECT_EQ(out, up_to(n));
    });
}

TEST(Pipeline, SerialStagesSeeItemsInOrderAndOneAtATime) {
    with_each_size([](runtime& rt) {
        int last = -1, wrong = 0;
        std::atomic<int> inside{0};
        std::vector<int> out;
        (source(std::views::iota(0, 10'000)) | farm([](int i) { return i; }) | stage([&](int i) {
             wrong += inside++ != 0;
             wrong += i != last + 1;
             last = i;
             --inside;
             return i;
         }) |
         farm([](int i) { return i; }) | sink([&](int i) {
             out.push_back(i);
         })).run(rt);
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(out, up_to(10'000));
    });
}

// An unordered stage does not wait for the item that the farm before it still has.
TEST(Pipeline, AnUnorderedStageTakesItemsAsTheyCome) {
    for (const unsigned w : several) {
        runtime rt{{.workers = w}};
        std::atomic<int> seen{0};
        std::vector<int> out;
        (source(up_to(1'000)) |
         farm(
             [&](int i) {
                 if (i == 0) block_until([&] { return seen >= 10; });
                 return i;
             },
             {.batch = 1}) |
         stage(unordered,
               [&](int i) {
                   ++seen;
                   return i;
               }) |
         sink(std::back_inserter(out)))
            .run(rt, {.tokens = 64});
        EXPECT_NE(out.front(), 0);
        std::ranges::sort(out);
        EXPECT_EQ(out, up_to(1'000));
    }
}

// A serial stage behind an unordered farm takes items as they come; what it makes of them keeps that order.
TEST(Pipeline, ASerialStageSetsANewOrder) {
    with_each_size([](runtime& rt) {
        int next = 0;
        std::vector<int> out;
        (source(std::views::iota(0, 20'000)) | farm([](int i) { return i; }, {.order = unordered}) |
         stage([&](int) { return next++; }) | farm([](int i) { return i; }) | sink([&](int i) {
             out.push_back(i);
         })).run(rt);
        EXPECT_EQ(out, up_to(20'000));
    });
}

TEST(Pipeline, WorksWithoutAnythingBetweenSourceAndSink) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        (source(up_to(1'000)) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, up_to(1'000));
    });
}

TEST(Pipeline, OfNoItemsEndsAtOnce) {
    with_each_size([](runtime& rt) {
        int calls = 0;
        const run_report r =
            (source(std::vector<int>{}) | farm([](int i) { return i; }) | stage([](int i) { return i; }) | sink([&](int) {
                 ++calls;
             })).run(rt);
        EXPECT_EQ(r.items, 0U);
        EXPECT_EQ(calls, 0);
        (source([]() -> std::optional<int> { return std::nullopt; }) | sink([&](int) { ++calls; })).run(rt);
        EXPECT_EQ(calls, 0);
    });
}

TEST(Pipeline, ReportsHowManyItemsTheSourceMade) {
    runtime rt{{.workers = 2}};
    EXPECT_EQ((source(up_to(777)) | farm([](int i) -> std::optional<int> { return i; }) | sink([](int) {})).run(rt).items,
              777U);
}

// One item at the head takes as long as all the others: nothing overtakes the bound, nothing is lost.
TEST(Pipeline, OneSlowItemAtTheHeadLosesNothing) {
    for (const unsigned w : several) {
        runtime rt{{.workers = w}};
        std::atomic<int> others{0};
        std::vector<int> out;
        const int n = static_cast<int>(times(60'000));
        (source(std::views::iota(0, n)) |
         farm(
             [&](int i) {
                 // As long as the tokens let others go on.
                 if (i == 0) block_until([&] { return others >= 100; });
                 else ++others;
                 return i;
             },
             {.batch = 1}) |
         sink([&](int i) {
             out.push_back(i);
         })).run(rt, {.tokens = 128});
        EXPECT_EQ(out, up_to(n));
    }
}

TEST(Pipeline, PartsWithoutASourceMakeParts) {
    runtime rt{{.workers = 2}};
    const auto square = farm([](int i) { return i * i; });
    auto inner = square | stage([](int i) { return i + 1; });
    auto nested = inner | inner;
    std::vector<int> out;
    (source(up_to(4)) | nested | sink(std::back_inserter(out))).run(rt);
    EXPECT_EQ(out, (std::vector<int>{2, 5, 26, 101}));
}

TEST(Pipeline, AFarmOfPipelinesTakesEachItemThroughAllOfIt) {
    with_each_size([](runtime& rt) {
        const auto inner = stage([](int i) { return std::to_string(i); }) |
                           farm([](const std::string& s, emitter<char>& emit) {
                               for (const char c : s) emit(c);
                           }) |
                           farm(farm([](char c) { return c == '0' ? std::nullopt : std::optional(c - '0'); }));
        std::vector<int> out, by_lanes, expected;
        for (int i = 0; i < 2'000; ++i)
            for (const char c : std::to_string(i))
                if (c != '0') expected.push_back(c - '0');
        (source(std::views::iota(0, 2'000)) | farm(inner) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, expected);
        (source(std::views::iota(0, 2'000)) | farm(lanes{inner, own_thread(inner)}, round_robin{}) |
         sink(std::back_inserter(by_lanes)))
            .run(rt);
        EXPECT_EQ(by_lanes, expected);
    });
}

// What a stage takes must be what the one before it makes; so must everything else that has a place.
template <class L, class R>
concept joins = requires(L l, R r) { l | r; };

TEST(Pipeline, RefusesStagesThatDoNotFit) {
    const auto numbers = source(std::views::iota(0, 1));
    const auto length = stage([](const std::string& s) { return s.size(); });
    const auto text = farm([](int) { return std::string(); });
    const auto end = sink([](int) {});
    static_assert(joins<decltype(numbers), decltype(text)>);
    static_assert(joins<decltype(text), decltype(length)>);
    static_assert(!joins<decltype(numbers), decltype(length)>);
    static_assert(!joins<decltype(numbers | text), decltype(text)>);
    static_assert(!joins<decltype(numbers | text), decltype(end)>);
    static_assert(!joins<decltype(numbers), decltype(farm(length | text))>);
    static_assert(!joins<decltype(end), decltype(text)>, "nothing comes after a sink");
    static_assert(!joins<decltype(text), decltype(numbers)>, "nothing comes before a source");
    const auto changes = farm([n = 0](int i) mutable { return n += i; });
    static_assert(!joins<decltype(numbers), decltype(changes)>, "workers share the body of a farm");
    static_assert(joins<decltype(numbers), decltype(stage([n = 0](int i) mutable { return n += i; }))>);
}

TEST(Pipeline, RunsInsideATaskAndInsideAnotherPipeline) {
    with_each_size([](runtime& rt) {
        std::vector<long> out;
        const auto sum_to = [](int n) {
            long sum = 0;
            (source(std::views::iota(0, n)) | farm([](int i) { return i; }) | sink([&](int i) { sum += i; })).run();
            return sum;
        };
        rt.run([&] {
            scope s;
            s.spawn(
                [&] { (source(std::views::iota(0, 200)) | farm(sum_to) | sink([&](long n) { out.push_back(n); })).run(); });
            s.wait();
        });
        ASSERT_EQ(out.size(), 200U);
        for (long n = 0; n < 200; ++n) EXPECT_EQ(out[static_cast<std::size_t>(n)], n * (n - 1) / 2);
    });
}

TEST(Pipeline, BodiesMayForkAndWait) {
    with_each_size([](runtime& rt) {
        std::vector<std::uint64_t> out;
        (source(std::vector<unsigned>(50, 12)) | farm([](unsigned n) { return fib(n); }) | stage([](std::uint64_t n) {
             scope s;
             std::atomic<std::uint64_t> sum{0};
             for (int i = 0; i < 3; ++i) s.spawn([&] { sum += n; });
             s.wait();
             return sum.load();
         }) |
         sink(std::back_inserter(out)))
            .run(rt);
        EXPECT_EQ(out, std::vector<std::uint64_t>(50, 3 * 144));
    });
}

TEST(Pipeline, RunsInsideIsolated) {
    with_each_size([](runtime& rt) {
        rt.run([] {
            isolated([] {
                auto older = async([] { return 1; });
                std::vector<int> out;
                (source(up_to(1'000)) | farm([](int i) { return i; }) | sink(std::back_inserter(out))).run();
                EXPECT_EQ(out, up_to(1'000));
                EXPECT_EQ(older.get(), 1);
            });
        });
    });
}

TEST(Pipeline, RunsFromSeveralThreadsOutsideAtOnce) {
    runtime rt{{.workers = 2}};
    in_threads(4, [&](unsigned) {
        std::vector<int> out;
        (source(std::views::iota(0, 5'000)) | farm([](int i) { return i; }) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, up_to(5'000));
    });
}

TEST(Pipeline, RunsInTheDefaultRuntime) {
    std::vector<int> out;
    (source(up_to(100)) | farm([](int i) { return i; }) | sink(std::back_inserter(out))).run();
    EXPECT_EQ(out, up_to(100));
}

TEST(Pipeline, CanBeRunAgain) {
    runtime rt{{.workers = 2}};
    int items = 0;
    auto p = source(std::views::iota(0, 100)) | farm([](int i) { return i; }) | sink([&](int) { ++items; });
    for (int round = 1; round <= 3; ++round) {
        p.run(rt);
        EXPECT_EQ(items, 100 * round);
    }
}

TEST(Pipeline, WithOptionsSerialEverythingHappensOnOneThread) {
    runtime rt{{.serial = true}};
    const auto me = std::this_thread::get_id();
    std::vector<int> out;
    int elsewhere = 0;
    (source(std::views::iota(0, 10'000)) | farm([&](int i) {
         elsewhere += std::this_thread::get_id() != me;
         return i;
     }) |
     farm([](int i) { return i; }, {.workers = 3, .schedule = on_demand{1}}) | sink(std::back_inserter(out)))
        .run(rt);
    EXPECT_EQ(out, up_to(10'000));
    EXPECT_EQ(elsewhere, 0);
}

}  // namespace
