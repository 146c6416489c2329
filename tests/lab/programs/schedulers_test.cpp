// What lab/peers/scheduler.hpp promises, for each scheduler.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

#include "lab/peers/list.hpp"
#include "tests/lab/programs/names.hpp"

namespace {

template <class S>
class Scheduler : public testing::Test {
protected:
    typename S::pool pool{parley_peers::setup{3, {}}};
};

template <class List>
struct types_of;
template <class... Schedulers>
struct types_of<parley_peers::list<Schedulers...>> {
    using type = testing::Types<Schedulers...>;
};
using parley_tests::names;
template <class... As, class... Bs>
auto join(parley_peers::list<As...>, parley_peers::list<Bs...>) -> parley_peers::list<As..., Bs...>;
using every_scheduler = decltype(join(parley_peers::built{}, parley_peers::built_with_futures{}));
TYPED_TEST_SUITE(Scheduler, types_of<every_scheduler>::type, names);

TYPED_TEST(Scheduler, ForkJoinReturnsBothResults) {
    const auto [number, text] =
        this->pool.run([] { return TypeParam::fork_join([] { return 7; }, [] { return std::string("x"); }); });
    EXPECT_EQ(number, 7);
    EXPECT_EQ(text, "x");
}

TYPED_TEST(Scheduler, ScopeWaitsForItsChildrenAgainAndAgain) {
    this->pool.run([&] {
        std::atomic<int> calls{0};
        typename TypeParam::scope scope;
        for (int round = 1; round <= 3; ++round) {
            for (int i = 0; i < 500; ++i) {
                scope.spawn([&calls](int one) { calls += one; }, 1);
            }
            scope.wait();
            EXPECT_EQ(calls.load(), 500 * round);
        }
    });
}

TYPED_TEST(Scheduler, FuturesAreAwaitedAgainAndAgain) {
    if constexpr (requires { typename TypeParam::futures; }) {
        this->pool.run([&] {
            std::atomic<int> calls{0};
            typename TypeParam::futures all;
            for (int round = 1; round <= 3; ++round) {
                for (int i = 0; i < 500; ++i) {
                    all.spawn([&calls] { ++calls; });
                }
                all.wait();
                EXPECT_EQ(calls.load(), 500 * round);
            }
        });
    }
}

TYPED_TEST(Scheduler, BarrierLeavesNoTask) {
    if constexpr (requires { TypeParam::barrier(); }) {
        this->pool.run([&] {
            std::atomic<int> calls{0};
            typename TypeParam::group group;
            group.run([&] {
                for (int round = 1; round <= 3; ++round) {
                    for (int i = 0; i < 500; ++i) {
                        group.spawn([&calls] { ++calls; });
                    }
                    TypeParam::barrier();
                    EXPECT_EQ(calls.load(), 500 * round);
                }
            });
        });
    }
}

TYPED_TEST(Scheduler, NestedForksMeet) {
    std::function<int(int)> count = [&](int depth) -> int {
        if (depth == 0) {
            return 1;
        }
        const auto [left, right] = TypeParam::fork_join([&] { return count(depth - 1); }, [&] { return count(depth - 1); });
        return left + right;
    };
    EXPECT_EQ(this->pool.run([&] { return count(12); }), 1 << 12);
}

// Children that spawn and fork inside a scope that the forks know nothing of.
TYPED_TEST(Scheduler, ForksAndScopesNest) {
    std::atomic<int> leaves{0};
    std::function<int(int)> grow = [&](int depth) -> int {
        if (depth == 0) {
            ++leaves;
            return 0;
        }
        typename TypeParam::scope scope;
        scope.spawn([&, depth] { (void)grow(depth - 1); });
        (void)TypeParam::fork_join([&] { return grow(depth - 1); }, [&] { return grow(depth - 1); });
        scope.wait();
        return 0;
    };
    for (int round = 1; round <= 3; ++round) {
        (void)this->pool.run([&] { return grow(7); });
        EXPECT_EQ(leaves.load(), round * 2187);
    }
}

TYPED_TEST(Scheduler, CancelledWorkSaysSo) {
    if constexpr (!std::is_same_v<TypeParam, parley_peers::serial>) {
        const auto endless = [&] {
            std::function<int(int)> grow = [&](int depth) -> int {
                if (depth == 0) {
                    return 1;
                }
                const auto [l, r] = TypeParam::fork_join([&] { return grow(depth - 1); }, [&] { return grow(depth - 1); });
                return l + r;
            };
            return grow(60);
        };
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            this->pool.cancel();
        });
        EXPECT_THROW(this->pool.run(endless), typename TypeParam::cancelled);
        other.join();
        EXPECT_EQ(this->pool.run([] { return 3; }), 3);
    }
}

TYPED_TEST(Scheduler, GroupWaitsForChildrenOfChildren) {
    constexpr int depth = 10;
    std::atomic<int> calls{0};
    this->pool.run([&] {
        typename TypeParam::group group;
        std::function<void(int)> grow = [&](int level) {
            ++calls;
            for (int child = 0; level < depth && child < 2; ++child) {
                group.spawn([&grow, level] { grow(level + 1); });
            }
        };
        group.run([&] { group.spawn([&] { grow(0); }); });
        EXPECT_EQ(calls.load(), (2 << depth) - 1);
    });
}

TYPED_TEST(Scheduler, LoopCallsEachIndexOnce) {
    std::vector<std::atomic<int>> calls(1000);
    this->pool.run([&] { TypeParam::for_each_index(std::size_t{0}, calls.size(), [&](std::size_t i) { ++calls[i]; }); });
    for (const auto& count : calls) {
        ASSERT_EQ(count.load(), 1);
    }
}

// Loops of one scheduler in each way that it has.
template <class S>
std::vector<std::string_view> splits_of() {
    std::vector<std::string_view> all{""};
    if constexpr (requires { S::splits; }) {
        all.insert(all.end(), S::splits.begin(), S::splits.end());
    }
    return all;
}

template <class S>
class LoopScheduler : public testing::Test {};
TYPED_TEST_SUITE(LoopScheduler, types_of<parley_peers::built_for_loops>::type, names);

TYPED_TEST(LoopScheduler, LoopsInLoopsCallEachIndexOnce) {
    constexpr std::size_t rows = 50;
    for (const std::string_view split : splits_of<TypeParam>()) {
        for (const unsigned workers : {1U, 3U}) {
            typename TypeParam::pool pool({workers, {}, split});
            std::vector<std::atomic<int>> calls(rows * rows);
            (void)pool.run([&] {
                TypeParam::for_each_index(std::size_t{0}, rows, [&](std::size_t row) {
                    TypeParam::for_each_index(row * rows, (row + 1) * rows, [&](std::size_t i) { ++calls[i]; });
                });
                return 0;
            });
            for (const auto& count : calls) {
                ASSERT_EQ(count.load(), 1) << split;
            }
        }
    }
}

TYPED_TEST(LoopScheduler, SumsAddUp) {
    for (const std::string_view split : splits_of<TypeParam>()) {
        typename TypeParam::pool pool({3, {}, split});
        const auto sum_between = [&pool](int first, int last) {
            return pool.run([=] { return TypeParam::template sum<long>(first, last, [](int i) { return long{i} * i; }); });
        };
        EXPECT_EQ(sum_between(-1000, 2001), 1000L * 1001 * 2001 / 6 + 2000L * 2001 * 4001 / 6) << split;
        EXPECT_EQ(sum_between(7, 8), 49) << split;
        EXPECT_EQ(sum_between(5, 5), 0) << split;
        EXPECT_EQ(sum_between(5, -5), 0) << split;
    }
}

TYPED_TEST(Scheduler, LoopsSpawnedIntoAGroupAreAwaited) {
    using group = typename TypeParam::group;
    const auto nothing = [](int) {};
    if constexpr (requires(group g) { g.spawn_loop(0, 1, nothing); }) {
        for (const std::string_view split : splits_of<TypeParam>()) {
            typename TypeParam::pool home({3, {}, split});
            std::vector<std::atomic<int>> calls(20'000);
            home.run([&] {
                group all;
                all.run([&] {
                    for (int part = 0; part < 20; ++part) {
                        all.spawn_loop(part * 1000, (part + 1) * 1000,
                                       [&calls](int i) { ++calls[static_cast<std::size_t>(i)]; });
                    }
                    all.spawn_loop(1, 0, [&calls](int) { ++calls[0]; });
                });
            });
            for (const auto& count : calls) {
                ASSERT_EQ(count.load(), 1) << split;
            }
        }
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
