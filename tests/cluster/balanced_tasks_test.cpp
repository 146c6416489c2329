// balanced_tasks: tasks that come one by one, several sets at once, and ranks that are lost meanwhile.
#include "tests/cluster/local_ranks.hpp"

#include <parley/detail/base/contract.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cluster_tests;

int square(const int& x, task_context& here) {
    here.work(20e-6);
    return x * x;
}
using squares = balanced_tasks<int, decltype(&square)>;

std::vector<int> some(int count, int first = 1) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), first);
    return all;
}
std::vector<int> squares_of(const std::vector<int>& of) {
    std::vector<int> all;
    for (const int x : of) all.push_back(x * x);
    return all;
}

// All that comes until there is no more.
std::map<std::uint64_t, int> drain(squares& tasks) {
    std::map<std::uint64_t, int> all;
    while (const std::optional<std::pair<std::uint64_t, int>> one = tasks.next())
        EXPECT_TRUE(all.insert(*one).second) << "task " << one->first << " twice";
    return all;
}

class ContextsOfEachCrew : public testing::TestWithParam<std::uint32_t> {
protected:
    [[nodiscard]] options how() const {
        options chosen;
        chosen.workers = GetParam();
        return chosen;
    }
};
INSTANTIATE_TEST_SUITE_P(Workers, ContextsOfEachCrew, testing::Values(1, 2, 3));

TEST_P(ContextsOfEachCrew, TasksThatComeOneByOneComeHome) {
    EXPECT_EQ(on_ranks(3, how(),
                       [](group& g) {
                           squares tasks(g, &square);
                           for (int i = 0; i < 30; ++i) EXPECT_EQ(tasks.submit(i), static_cast<std::uint64_t>(i));
                           std::map<std::uint64_t, int> all = drain(tasks);
                           EXPECT_EQ(all.size(), 30u);
                           // What comes home may say what comes next.
                           for (int i = 30; i < 40; ++i) {
                               EXPECT_EQ(tasks.submit(i), static_cast<std::uint64_t>(i));
                               const auto one = tasks.next();
                               ASSERT_TRUE(one);
                               all.insert(*one);
                           }
                           for (int i = 40; i < 70; ++i) (void)tasks.submit(i);
                           tasks.close();
                           all.merge(drain(tasks));
                           EXPECT_EQ(all.size(), 70u);
                           for (const auto& [id, x] : all) EXPECT_EQ(x, static_cast<int>(id * id));
                           EXPECT_FALSE(tasks.next());
                       }),
              nothing(3));
}

TEST_P(ContextsOfEachCrew, TasksGivenAndSubmittedAreNumberedThrough) {
    EXPECT_EQ(on_ranks(2, how(),
                       [](group& g) {
                           const std::vector<int> given = some(10, 0);
                           squares tasks(g, given, &square);
                           EXPECT_EQ(tasks.submit(10), 10u);
                           EXPECT_EQ(tasks.submit(11), 11u);
                           EXPECT_EQ(tasks.finish(), squares_of(some(12, 0)));
                       }),
              nothing(2));
}

TEST_P(ContextsOfEachCrew, SeveralSetsAreOpenAtOnce) {
    EXPECT_EQ(on_ranks(3, how(),
                       [](group& g) {
                           const std::vector<int> mine = some(static_cast<int>(g.rank()) * 40);
                           const std::vector<std::string> words(g.rank() == 0 ? 50 : 0, "word");
                           const auto longer = [](const std::string& s) { return s + "s"; };
                           squares one(g, mine, &square);
                           balanced_tasks<std::string, decltype(longer)> two(g, words, longer);
                           squares three(g, &square);
                           (void)three.submit(5);
                           EXPECT_EQ(one.finish(), squares_of(mine));
                           EXPECT_EQ(two.finish(), std::vector<std::string>(words.size(), "words"));
                           EXPECT_EQ(three.finish(), std::vector<int>{25});
                       }),
              nothing(3));
}

// A result is handed over when it is there, not when there is nothing left to do.
TEST_P(ContextsOfEachCrew, TheFirstResultDoesNotWaitForTheLast) {
    constexpr int most = 2000;
    std::atomic<int> ran = 0;
    EXPECT_EQ(on_ranks(1, how(),
                       [&](group& g) {
                           const std::vector<int> mine = some(most);
                           const auto f = [&](const int& x, task_context& here) {
                               ++ran;
                               here.work(100e-6);
                               return x;
                           };
                           balanced_tasks<int, decltype(f)> tasks(g, mine, f);
                           ASSERT_TRUE(tasks.next());
                           EXPECT_LT(ran, most);
                           tasks.close();
                           int came = 1;
                           while (tasks.next()) ++came;
                           EXPECT_EQ(came, most);
                       }),
              nothing(1));
}

TEST(BalancedTasks, NothingIsSubmittedAfterItIsClosed) {
    EXPECT_EQ(on_ranks(2, {},
                       [](group& g) {
                           squares tasks(g, &square);
                           tasks.close();
                           EXPECT_THROW((void)tasks.submit(1), parley::usage_error);
                           EXPECT_TRUE(tasks.finish().empty());
                       }),
              nothing(2));
}

TEST(BalancedTasks, ResultsAreHandedOverOnce) {
    EXPECT_EQ(on_ranks(2, {},
                       [](group& g) {
                           const std::vector<int> mine = some(5);
                           squares tasks(g, mine, &square);
                           EXPECT_TRUE(tasks.next());
                           EXPECT_THROW((void)tasks.finish(), parley::usage_error);
                           EXPECT_EQ(drain(tasks).size(), 4u);
                       }),
              nothing(2));
}

TEST(BalancedTasks, TheLastNextSaysThatTasksHaveFailed) {
    std::atomic<int> said = 0;
    on_ranks(3, {}, [&](group& g) {
        std::vector<int> mine = some(10);
        if (g.rank() == 1) mine[2] = mine[3] = -1;
        const auto f = [](const int& x) {
            if (x < 0) throw std::runtime_error("below zero");
            return x;
        };
        balanced_tasks<int, decltype(f)> tasks(g, mine, f);
        tasks.close();
        int came = 0;
        try {
            while (tasks.next()) ++came;
        } catch (const task_failed& e) {
            ++said;
            EXPECT_NE(std::string(e.what()).find("2 tasks failed; the first: rank 1: task"), std::string::npos) << e.what();
        }
        EXPECT_EQ(came, g.rank() == 1 ? 8 : 10);
        EXPECT_EQ(tasks.total().failed, 2u);
    });
    EXPECT_EQ(said, 3);
}

// Its tasks run, and the others wait for it in their own destructors.
TEST(BalancedTasks, WhoThrowsLeavesTheOthersWell) {
    const std::vector<std::string> thrown = on_ranks(3, {}, [](group& g) {
        const std::vector<int> mine = some(20);
        squares tasks(g, mine, &square);
        if (g.rank() == 1) throw std::runtime_error("of its own");
        EXPECT_EQ(tasks.finish(), squares_of(mine));
    });
    EXPECT_EQ(thrown, (std::vector<std::string>{"", "of its own", ""}));
}

// --- ranks that are lost -------------------------------------------------------------------------

// Each rank brings 60 tasks; `lost` go when a third of all has run. Later tasks wait until they have gone,
// or all might be done while who takes them away has no core.
template <class F>
void with_losses(position ranks, const options& how, const std::vector<position>& lost, F f) {
    local_network net(ranks);
    std::atomic<int> ran = 0;
    std::atomic<bool> have_gone = false;
    const auto work = [&](const int& x, task_context& here) {
        here.work(200e-6);
        const int third = static_cast<int>(ranks) * 20, nth = ++ran;
        if (nth == third) {
            for (const position r : lost) net.lose(r);
            have_gone = true;
            have_gone.notify_all();
        }
        if (nth > third) have_gone.wait(false);
        if (x < 0) throw std::runtime_error("below zero");
        return x * x;
    };
    std::atomic<std::size_t> gone = 0;
    const std::vector<std::string> thrown = on_ranks_with(
        ranks, [&](position) { return how; },
        [&](group& g, position self) {
            const bool stays = std::ranges::find(lost, self) == lost.end();
            try {
                f(g, self, work);
                EXPECT_TRUE(stays) << "rank " << self;
            } catch (const error& e) {
                EXPECT_FALSE(stays) << "rank " << self << ": " << e.what();
                ++gone;
            }
        },
        &net);
    // One that has no core for long may be lost before it is out of its group's constructor.
    for (position r = 0; r < ranks; ++r) {
        if (thrown[r].empty()) continue;
        EXPECT_NE(std::ranges::find(lost, r), lost.end()) << "rank " << r << ": " << thrown[r];
        EXPECT_EQ(thrown[r], "parley: this rank is lost");
        ++gone;
    }
    EXPECT_EQ(gone, lost.size());
}

void expect_survivors_well(position ranks, const options& how, const std::vector<position>& lost) {
    with_losses(ranks, how, lost, [](group& g, position self, auto work) {
        const std::vector<int> mine = some(60, static_cast<int>(self));
        EXPECT_EQ(balance(g, mine, work), squares_of(mine)) << "rank " << self;
    });
}

TEST(BalancedTasks, ALossLeavesTheRanksTheirNumbers) {
    with_losses(4, {}, {1}, [](group& g, position self, auto work) {
        EXPECT_EQ(balance(g, some(60), work), squares_of(some(60)));
        EXPECT_EQ(g.rank(), self);
        EXPECT_EQ(g.ranks(), 4u);
        EXPECT_EQ(g.living(), 3u);
    });
}

TEST_P(ContextsOfEachCrew, OthersGoOnWhenOneIsLost) {
    for (const position lost : {0u, 2u}) expect_survivors_well(4, how(), {lost});
}

TEST(BalancedTasks, OthersGoOnWhenTwoAreLost) { expect_survivors_well(5, {}, {1, 3}); }

TEST(BalancedTasks, OneGoesOnWhenAllOthersAreLost) { expect_survivors_well(3, {}, {0, 2}); }

TEST(BalancedTasks, WhatHasFailedBeforeALossIsNotForgotten) {
    std::atomic<int> said = 0;
    with_losses(3, {}, {2}, [&](group& g, position self, auto work) {
        std::vector<int> mine = some(60);
        mine.front() = self == 0 ? -1 : 1;  // runs first
        try {
            (void)balance(g, mine, work);
            EXPECT_EQ(self, 2u);
        } catch (const task_failed& e) {
            ++said;
            EXPECT_NE(std::string(e.what()).find("rank 0: task 0: below zero"), std::string::npos) << e.what();
        }
    });
    EXPECT_EQ(said, 2);
}

}  // namespace
