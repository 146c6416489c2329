// Feedback loops: they end by themselves, keep what comes in, and lose nothing.
#include "tests/parley/farm/support.hpp"

namespace {

using namespace farm_test;
using namespace parley;

struct walker {
    int start = 0;
    std::uint64_t now = 0;
    int steps = 0;
};

walker step(walker w) {  // of Collatz
    w.now = w.now % 2 == 0 ? w.now / 2 : 3 * w.now + 1;
    ++w.steps;
    return w;
}

int serial_steps(std::uint64_t n) {
    int s = 0;
    for (; n != 1; ++s) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return s;
}

auto walkers(int n) {
    return source(std::views::iota(2, n + 2)) | stage([](int i) { return walker{i, static_cast<std::uint64_t>(i), 0}; });
}

template <class Inside>
void expect_collatz(runtime& rt, Inside inside, run_options how = {}) {
    const int n = static_cast<int>(times(2'000));
    std::vector<walker> out;
    (walkers(n) | loop(inside, [](const walker& w) { return w.now == 1; }) | sink(std::back_inserter(out))).run(rt, how);
    ASSERT_EQ(out.size(), static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        const walker& w = out[static_cast<std::size_t>(i)];
        ASSERT_EQ(w.start, i + 2) << "in order";
        ASSERT_EQ(w.steps, serial_steps(static_cast<std::uint64_t>(w.start)));
    }
}

TEST(Feedback, EndsWhenNothingIsInTheLoopAndTheSourceHasEnded) {
    with_each_size([](runtime& rt) { expect_collatz(rt, farm(step)); });
}

TEST(Feedback, GoesRoundWithASingleToken) {
    with_each_size([](runtime& rt) { expect_collatz(rt, farm(step), {.tokens = 1}); });
}

TEST(Feedback, GoesThroughStagesFarmsAndLanes) {
    with_each_size([](runtime& rt) {
        const auto pass = [](walker w) { return w; };
        expect_collatz(rt, farm(pass) | stage(step) | farm(lanes{pass, pass}, on_demand{1}));
        expect_collatz(rt, farm(step, {.workers = 1}) | farm(pass, {.workers = 2, .schedule = round_robin{}}));
    });
}

TEST(Feedback, LoopsMayLieInsideEachOther) {
    with_each_size([](runtime& rt) {
        std::vector<int> out;
        const auto inner = loop(farm([](int i) { return i + 1; }), [](int i) { return i % 10 == 0; });
        (source(up_to(100)) | loop(inner, [](int i) { return i % 100 == 0; }) | sink(std::back_inserter(out))).run(rt);
        EXPECT_EQ(out, std::vector<int>(100, 100));
    });
}

TEST(Feedback, DroppedItemsDoNotKeepItOpen) {
    with_each_size([](runtime& rt) {
        std::vector<int> out, expected;
        for (int first = 0; first < 1'000; ++first) {
            int i = first;
            do i = i % 7 == 3 ? -1 : i + 10;
            while (i >= 0 && i < 1'000);
            if (i >= 0) expected.push_back(i);
        }
        (source(up_to(1'000)) |
         loop(farm([](int i) { return i % 7 == 3 ? std::nullopt : std::optional(i + 10); }),
              [](int i) { return i >= 1'000; }) |
         sink(std::back_inserter(out)))
            .run(rt);
        EXPECT_EQ(out, expected);
        EXPECT_FALSE(out.empty());
    });
}

// Divide and conquer: an interval is halved until it is short.
TEST(Feedback, AnItemMayBecomeMany) {
    with_each_size([](runtime& rt) {
        struct interval {
            int from, to;
        };
        std::vector<int> seen(4'096, 0);
        int items = 0;
        (source(std::vector<interval>{{0, 4'096}}) |
         loop(farm([](interval i, emitter<interval>& emit) {
                  const int middle = (i.from + i.to) / 2;
                  emit({i.from, middle});
                  emit({middle, i.to});
              }),
              [](const interval& i) { return i.to - i.from == 1; }) |
         sink([&](interval i) {
             ++seen[static_cast<std::size_t>(i.from)];
             ++items;
         })).run(rt);
        EXPECT_EQ(items, 4'096);
        EXPECT_EQ(seen, std::vector<int>(4'096, 1));
    });
}

TEST(Feedback, AFailureInsideComesOutOfRunAndNothingIsLeft) {
    with_each_size([](runtime& rt) {
        for (const int where : {0, 1}) {
            tally alive{0};
            struct item {
                std::unique_ptr<counted> count;
                int n;
            };
            const auto run = [&] {
                (source(
                     [&, n = 0]() mutable -> std::optional<item> { return item{std::make_unique<counted>(alive), n++}; }) |
                 loop(farm([&](item i) {
                          if (where == 0 && i.n == 500) throw boom{};
                          i.n += 7;
                          return i;
                      }),
                      [&](const item& i) {
                          if (where == 1 && i.n == 500) throw boom{};
                          return i.n % 3 == 0;
                      }) |
                 sink([](const item&) {
                 })).run(rt, {.tokens = 20});
            };
            EXPECT_THROW(run(), boom);
            EXPECT_EQ(alive, 0);
        }
    });
}

TEST(Feedback, KeepsTheBound) {
    runtime rt{{.workers = 3}};
    gauge g;
    (source([&, i = 0]() mutable -> std::optional<int> {
         if (i == 2'000) return std::nullopt;
         g.up();
         return i++;
     }) |
     loop(farm([](int i) { return i + 1; }), [](int i) { return i % 16 == 0; }) | sink([&](int) {
         g.down();
     })).run(rt, {.tokens = 13});
    EXPECT_LE(g.most(), 13);
    EXPECT_EQ(g.now(), 0);
}

TEST(Feedback, ManyHopsNeedNoStack) {
    runtime rt{{.workers = 1}};
    long hops = 0;
    (source(up_to(1)) | loop(farm([](int i) { return i + 1; }), [](int i) { return i == 300'000; }) | sink([&](int i) {
         hops = i;
     })).run(rt);
    EXPECT_EQ(hops, 300'000);
    runtime serial{{.serial = true}};
    (source(up_to(1)) | loop(farm([](int i) { return i + 1; }), [](int i) { return i == 300'000; }) | sink([&](int i) {
         hops += i;
     })).run(serial);
    EXPECT_EQ(hops, 600'000);
}

}  // namespace
