// What bounds a stream: tokens, and the workers of a farm.
#include "tests/parley/farm/support.hpp"

#include <chrono>

namespace {

using namespace farm_test;
using namespace parley;

TEST(Pipeline, TokensBoundWhatIsInFlight) {
    with_each_size([](runtime& rt) {
        for (const std::size_t tokens : {1U, 2U, 7U, 64U}) {
            gauge g;
            (source([&, i = 0]() mutable -> std::optional<int> {
                 if (i == 3'000) return std::nullopt;
                 g.up();
                 return i++;
             }) |
             farm([](int i) {
                 busy(i % 100 == 0 ? 5'000 : 10);
                 return i;
             }) |
             stage([](int i) { return i; }) | sink([&](int) {
                 g.down();
             })).run(rt, {.tokens = tokens});
            EXPECT_LE(g.most(), static_cast<long>(tokens));
            EXPECT_EQ(g.now(), 0);
        }
    });
}

TEST(Pipeline, AutomaticTokensAreSixteenBatchesPerWorker) {
    runtime rt{{.workers = 2}};
    gauge g;
    (source([&, i = 0]() mutable -> std::optional<int> {
         if (i == 1'000) return std::nullopt;
         g.up();
         return i++;
     }) |
     farm([](int i) { return i; }, {.batch = 1}) | sink([&](int) {
         g.down();
     })).run(rt);
    EXPECT_LE(g.most(), 32);
}

TEST(Pipeline, FilteredItemsAndManyOfOneKeepTheBound) {
    runtime rt{{.workers = 3}};
    gauge g;
    (source([&, i = 0]() mutable -> std::optional<int> {
         if (i == 5'000) return std::nullopt;
         g.up();
         return i++;
     }) |
     farm([&](int i) -> std::optional<int> {
         if (i % 2 == 0) return i;
         g.down();
         return std::nullopt;
     }) |
     farm([](int i, emitter<int>& emit) {
         for (int k = 0; k < 4; ++k) emit(4 * i + k);
     }) |
     sink([&](int i) {
         if (i % 4 == 3) g.down();
     })).run(rt, {.tokens = 24});
    EXPECT_LE(g.most(), 24);
    EXPECT_EQ(g.now(), 0);
}

TEST(Pipeline, RefusesBoundsThatCanNotWork) {
    runtime rt{{.workers = 2}};
    int items = 0;
    const auto with = [&](farm_options o, run_options r) {
        (source(up_to(5)) | farm([](int i) { return i; }, std::move(o)) | sink([&](int) { ++items; })).run(rt, r);
    };
    EXPECT_THROW(with({}, {.tokens = 0}), usage_error);
    for (const std::size_t too_many : {(std::size_t{1} << 24) + 1, std::size_t{1} << 62, ~std::size_t{0} / 2})
        EXPECT_THROW(with({}, {.tokens = too_many}), usage_error);
    EXPECT_THROW(with({.schedule = adaptive_round_robin{.chunk = std::size_t{1} << 63}}, {}), usage_error);
    for (const std::size_t tokens : {automatic, std::size_t{100}}) {
        EXPECT_THROW(with({.workers = ~std::size_t{0} / 2, .schedule = on_demand{1}}, {.tokens = tokens}), usage_error);
        EXPECT_THROW(with({.batch = ~std::size_t{0} / 2}, {.tokens = tokens}), usage_error);
    }
    EXPECT_THROW(with({.workers = 0}, {}), usage_error);
    EXPECT_THROW(with({.batch = 0}, {}), usage_error);
    EXPECT_THROW(with({.schedule = adaptive_round_robin{.chunk = 8}}, {}), usage_error);
    EXPECT_THROW(with({.schedule = adaptive_round_robin{.chunk = 300}}, {.tokens = 599}), usage_error);
    EXPECT_EQ(items, 0);
    with({.schedule = adaptive_round_robin{.chunk = 300}}, {.tokens = 600});
    with({.schedule = adaptive_round_robin{.chunk = 300}}, {});
    EXPECT_EQ(items, 10);
}

TEST(Pipeline, WorkersOfAFarmBoundHowManyWorkAtOnce) {
    runtime rt{{.workers = 8}};
    for (const std::size_t most : {1U, 2U, 3U}) {
        gauge g;
        std::vector<int> out;
        (source(std::views::iota(0, 500)) |
         farm(
             [&](int i) {
                 g.up();
                 std::this_thread::yield();
                 g.down();
                 return i;
             },
             {.workers = most, .batch = 1}) |
         sink([&](int i) {
             out.push_back(i);
         })).run(rt);
        EXPECT_LE(g.most(), static_cast<long>(most));
        EXPECT_EQ(out, up_to(500));
    }
}

TEST(Pipeline, WorkersOfAFarmWithoutLanesAddNoTokens) {
    runtime rt{{.workers = 2}};
    for (const std::size_t workers : {std::size_t{1'000}, std::size_t{5'000'000}, ~std::size_t{0} - 1}) {
        gauge g;
        (source([&, i = 0]() mutable -> std::optional<int> {
             if (i == 1'000) return std::nullopt;
             g.up();
             return i++;
         }) |
         farm([](int i) { return i; }, {.workers = workers, .batch = 1}) | sink([&](int) {
             g.down();
         })).run(rt);
        EXPECT_LE(g.most(), 32);
    }
}

// A body that waits lets its worker begin others.
TEST(Pipeline, WorkersOfAFarmBoundHowManyWorkAtOnceWhereBodiesWait) {
    runtime elsewhere{{.workers = 1}};
    for (const unsigned w : {1U, 2U}) {
        runtime rt{{.workers = w}};
        pull_end<int> gate(rt);
        std::thread feeder([&] {
            (source([i = 0]() mutable -> std::optional<int> {
                 std::this_thread::sleep_for(std::chrono::milliseconds(1));
                 return i < 20 ? std::optional(i++) : std::nullopt;
             }) |
             sink(gate))
                .run(elsewhere);
        });
        gauge g;
        (source(up_to(40)) |
         farm(
             [&](int i) {
                 g.up();
                 (void)gate.pull();
                 g.down();
                 return i;
             },
             {.workers = w, .batch = 1}) |
         sink([](int) {
         })).run(rt);
        feeder.join();
        EXPECT_LE(g.most(), static_cast<long>(w));
    }
}

}  // namespace
