// The thesis' futures under the facade: results and exceptions go through the channel, whoever runs the task.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include "lab/peers/list.hpp"
#include "lab/programs/fib.hpp"
#include "tests/lab/programs/names.hpp"

namespace {

template <class S>
class Futures : public testing::Test {};
using parley_tests::names;
using with_futures = testing::Types<parley_peers::parley_channel, parley_peers::parley_free_list>;
TYPED_TEST_SUITE(Futures, with_futures, names);

constexpr std::array worker_counts{1U, 2U, 5U};

TYPED_TEST(Futures, EachForkIsOneTaskWhetherOrNotItIsStolen) {
    for (const unsigned workers : worker_counts) {
        typename TypeParam::pool pool(parley_peers::setup{workers, {}});
        EXPECT_EQ(pool.run([] { return parley_programs::fib<TypeParam>(20); }), 6765U);
        std::uint64_t tasks = 0;
        for (const parley_peers::worker_counts& c : pool.counts()) {
            tasks += c.tasks;
        }
        EXPECT_EQ(tasks, parley_programs::forks_of_fib(20)) << workers;
    }
}

TYPED_TEST(Futures, ExceptionsReachWhoForces) {
    for (const unsigned workers : worker_counts) {
        typename TypeParam::pool pool(parley_peers::setup{workers, {}});
        const auto fork = [](auto f, auto g) { return [=] { return TypeParam::fork_join(f, g).second; }; };
        const auto one = [] { return 1; };
        const auto range = []() -> int { throw std::out_of_range("x"); };
        const auto logic = []() -> int { throw std::logic_error("y"); };
        for (int round = 0; round < 100; ++round) {
            EXPECT_THROW(pool.run(fork(one, range)), std::out_of_range);
            EXPECT_THROW(pool.run(fork(range, one)), std::out_of_range);
            EXPECT_THROW(pool.run(fork(range, logic)), std::out_of_range);
        }
        EXPECT_EQ(pool.run(fork(one, one)), 1);
    }
}

// A tree that throws somewhere in the middle: all that was forked above ends before the exception comes out.
template <class S>
int tree(int depth, std::atomic<int>& running) {
    const struct counted {
        explicit counted(std::atomic<int>& c) : count(c) { ++count; }
        ~counted() { --count; }
        std::atomic<int>& count;
    } here(running);
    if (depth == 0) {
        throw std::runtime_error("leaf");
    }
    const auto [l, r] =
        S::fork_join([&, depth] { return tree<S>(depth - 1, running); }, [&, depth] { return tree<S>(depth - 1, running); });
    return l + r;
}

TYPED_TEST(Futures, NothingRunsOnAfterAnException) {
    for (const unsigned workers : worker_counts) {
        typename TypeParam::pool pool(parley_peers::setup{workers, {}});
        for (int round = 0; round < 20; ++round) {
            std::atomic<int> running{0};
            EXPECT_THROW(pool.run([&] { return tree<TypeParam>(8, running); }), std::runtime_error);
            EXPECT_EQ(running.load(), 0);
        }
    }
}

TYPED_TEST(Futures, ScopesThrowTheFirstInTheOrderOfSpawningAfterAll) {
    typename TypeParam::pool pool(parley_peers::setup{3, {}});
    std::atomic<int> done{0};
    const auto work = [&] {
        typename TypeParam::scope scope;
        for (int i = 0; i < 100; ++i) {
            scope.spawn([&, i] {
                ++done;
                if (i % 10 == 7) throw std::out_of_range(std::to_string(i));
            });
        }
        try {
            scope.wait();
        } catch (const std::out_of_range& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(pool.run(work), "7");
    EXPECT_EQ(done.load(), 100);
}

TYPED_TEST(Futures, ScopesThatAreNotAwaitedWait) {
    typename TypeParam::pool pool(parley_peers::setup{2, {}});
    std::atomic<int> done{0};
    pool.run([&] {
        typename TypeParam::scope scope;
        for (int i = 0; i < 100; ++i) {
            scope.spawn([&] { ++done; });
        }
    });
    EXPECT_EQ(done.load(), 100);
}

// Tasks that do not fit into a cell, and results that are more than bytes.
TYPED_TEST(Futures, LargeTasksAndResultsTravel) {
    typename TypeParam::pool pool(parley_peers::setup{3, {}});
    for (int round = 0; round < 50; ++round) {
        std::array<int, 100> numbers{};
        std::iota(numbers.begin(), numbers.end(), round);
        const auto held = std::make_shared<int>(7);
        const auto [text, sum] = pool.run([&] {
            return TypeParam::fork_join(
                [] { return std::string(100, 'x'); },
                [numbers, held] { return std::make_unique<int>(std::accumulate(numbers.begin(), numbers.end(), *held)); });
        });
        EXPECT_EQ(text.size(), 100U);
        EXPECT_EQ(*sum, 4950 + 100 * round + 7);
        EXPECT_EQ(held.use_count(), 1) << "the task is gone";
    }
}

// What was forked below may be forced before what was spawned above it.
TYPED_TEST(Futures, ForksWithinScopesWithinForks) {
    typename TypeParam::pool pool(parley_peers::setup{3, {}});
    std::atomic<int> spawned{0};
    const auto [l, r] = pool.run([&] {
        typename TypeParam::scope outer;
        const auto both = TypeParam::fork_join(
            [&] {
                for (int i = 0; i < 50; ++i) outer.spawn([&] { ++spawned; });
                return 1;
            },
            [] { return static_cast<int>(parley_programs::fib<TypeParam>(15)); });
        outer.wait();
        return both;
    });
    EXPECT_EQ(l, 1);
    EXPECT_EQ(r, 610);
    EXPECT_EQ(spawned.load(), 50);
}

TEST(FreeList, ChannelsAreUsedAgainByTheirThread) {
    using parley_peers::eager::from_free_list;
    parley_peers::parley::pool pool(parley_peers::setup{1, {}});
    pool.run([] {
        parley::threading::worker& self = *parley::threading::current;
        auto* const first = from_free_list::make<int>(self);
        auto* const second = from_free_list::make<int>(self);
        EXPECT_FALSE(first->has_result());
        first->word.send(first->slot.drop());
        EXPECT_TRUE(first->has_result());
        from_free_list::free(first);
        auto* const third = from_free_list::make<int>(self);
        EXPECT_EQ(third, first);
        EXPECT_FALSE(third->has_result());
        from_free_list::free(second);
        from_free_list::free(third);
    });
}

}  // namespace
