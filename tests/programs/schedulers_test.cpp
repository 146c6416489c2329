// What peers/scheduler.hpp promises, for each scheduler.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>

#include "peers/parley.hpp"
#include "peers/serial.hpp"

namespace {

template <class S>
class Scheduler : public testing::Test {
protected:
    typename S::pool pool{parley_peers::setup{3, {}}};
};

using all_schedulers = testing::Types<parley_peers::serial, parley_peers::parley>;
TYPED_TEST_SUITE(Scheduler, all_schedulers);

TYPED_TEST(Scheduler, ForkJoinReturnsBothResults) {
    const auto [number, text] = this->pool.run(
        [] { return TypeParam::fork_join([] { return 7; }, [] { return std::string("x"); }); });
    EXPECT_EQ(number, 7);
    EXPECT_EQ(text, "x");
}

TYPED_TEST(Scheduler, ScopeWaitsForChildrenOfChildren) {
    constexpr int depth = 10;
    std::atomic<int> calls{0};
    this->pool.run([&] {
        typename TypeParam::scope scope;
        std::function<void(int)> grow = [&](int level) {
            ++calls;
            for (int child = 0; level < depth && child < 2; ++child) {
                scope.spawn([&grow, level] { grow(level + 1); });
            }
        };
        scope.spawn([&] { grow(0); });
        scope.wait();
        EXPECT_EQ(calls.load(), (2 << depth) - 1);
    });
}

TYPED_TEST(Scheduler, LoopCallsEachIndexOnce) {
    std::vector<std::atomic<int>> calls(1000);
    this->pool.run([&] {
        TypeParam::for_each_index(std::size_t{0}, calls.size(), [&](std::size_t i) { ++calls[i]; });
    });
    for (const auto& count : calls) {
        ASSERT_EQ(count.load(), 1);
    }
}

TYPED_TEST(Scheduler, LocalsAddUp) {
    typename TypeParam::template local<long> sums(this->pool);
    this->pool.run([&] {
        typename TypeParam::scope scope;
        for (long i = 1; i <= 1000; ++i) {
            scope.spawn([&sums, i] { sums.mine() += i; });
        }
        scope.wait();
    });
    long total = 0;
    sums.each([&](long part) { total += part; });
    EXPECT_EQ(total, 500'500);
}

TYPED_TEST(Scheduler, RunReturnsAndThrows) {
    EXPECT_EQ(this->pool.run([] { return 42; }), 42);
    EXPECT_THROW(this->pool.run([]() -> int { throw std::out_of_range("x"); }), std::out_of_range);
    EXPECT_EQ(this->pool.run([] { return 43; }), 43);
}

TEST(ParleyScheduler, CountsForEachWorker) {
    parley_peers::parley::pool pool(parley_peers::setup{3, 5});
    EXPECT_EQ(pool.workers(), 3U);
    constexpr std::uint64_t children = 1000;
    pool.run([] {
        parley_peers::parley::scope scope;
        for (std::uint64_t i = 0; i < children; ++i) {
            scope.spawn([] {});
        }
        scope.wait();
    });
    const auto counts = pool.counts();
    ASSERT_EQ(counts.size(), 3U);
    EXPECT_GE(counts[0].tasks + counts[1].tasks + counts[2].tasks, children);
}

TEST(SerialScheduler, HasOneWorkerAndNoCounts) {
    const parley_peers::serial::pool pool(parley_peers::setup{3, {}});
    EXPECT_EQ(pool.workers(), 1U);
    EXPECT_TRUE(pool.counts().empty());
}

}  // namespace
