// balance() between ranks that are threads: every result comes home, in its place, and what is wrong is said everywhere.
#include "tests/cluster/local_ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace cluster_tests;

std::vector<int> numbers(position rank, int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), static_cast<int>(rank) * 1000);
    return all;
}
std::vector<int> squares(const std::vector<int>& of) {
    std::vector<int> all;
    for (const int x : of) all.push_back(x * x);
    return all;
}
// Long enough for others to come and ask.
int square(const int& x, task_context& here) {
    here.work(20e-6);
    return x * x;
}

options with_workers(std::uint32_t workers) {
    options how;
    how.workers = workers;
    return how;
}

// Each rank brings as many tasks as `counts` says.
void expect_squares(const std::vector<int>& counts, const options& how) {
    const auto ranks = static_cast<position>(counts.size());
    EXPECT_EQ(on_ranks(ranks, how,
                       [&](group& g) {
                           const std::vector<int> mine = numbers(g.rank(), counts[g.rank()]);
                           EXPECT_EQ(balance(g, mine, square), squares(mine)) << "rank " << g.rank();
                       }),
              nothing(ranks));
}

class EachCrew : public testing::TestWithParam<std::tuple<position, std::uint32_t>> {
protected:
    [[nodiscard]] position ranks() const { return std::get<0>(GetParam()); }
    [[nodiscard]] options how() const { return with_workers(std::get<1>(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(Crews, EachCrew, testing::Combine(testing::Values(1, 2, 5), testing::Values(1, 2, 3)),
                         [](const auto& p) {
                             return std::to_string(std::get<0>(p.param)) + "_ranks_" + std::to_string(std::get<1>(p.param)) +
                                    "_workers";
                         });

TEST_P(EachCrew, ResultsAreInTheOrderOfTheTasks) { expect_squares(std::vector<int>(ranks(), 100), how()); }

TEST_P(EachCrew, OneRankBringsAll) {
    std::vector<int> counts(ranks(), 0);
    counts.back() = 300;
    expect_squares(counts, how());
}

TEST_P(EachCrew, NobodyBringsAnything) { expect_squares(std::vector<int>(ranks(), 0), how()); }

TEST_P(EachCrew, StatisticsCountEveryTask) {
    on_ranks(ranks(), how(), [&](group& g) {
        summary all;
        const std::vector<int> mine = numbers(g.rank(), 50);
        (void)balance(g, mine, square, &all);
        EXPECT_EQ(all.counts.tasks, 50u * ranks());
        EXPECT_EQ(all.counts.results_home, all.counts.foreign);
        EXPECT_EQ(all.counts.requests, all.counts.refused + all.counts.steals);
        EXPECT_GE(all.counts.stolen, all.counts.foreign);
        EXPECT_EQ(all.counts.duplicates, 0u);
        EXPECT_EQ(all.failed, 0u);
        EXPECT_LT(all.counts.most_connections, ranks());
    });
}

TEST_P(EachCrew, ManySetsOfTasksFollowEachOther) {
    EXPECT_EQ(on_ranks(ranks(), how(),
                       [](group& g) {
                           for (int i = 0; i < 40; ++i) {
                               const std::vector<int> mine = numbers(g.rank(), i % 5);
                               ASSERT_EQ(balance(g, mine, square), squares(mine)) << "set " << i;
                           }
                       }),
              nothing(ranks()));
}

TEST_P(EachCrew, WhatATaskThrowsIsSaidOnEveryRank) {
    const position last = ranks() - 1;
    std::atomic<int> said = 0;
    on_ranks(ranks(), how(), [&](group& g) {
        const std::vector<int> mine = numbers(g.rank(), 20);
        const auto f = [bad = static_cast<int>(last) * 1000 + 7](const int& x) {
            if (x == bad) throw std::runtime_error("no root of " + std::to_string(x));
            return x;
        };
        try {
            (void)balance(g, mine, f);
        } catch (const task_failed& e) {
            ++said;
            EXPECT_EQ(e.count, 1u);
            const std::string text = e.what();
            EXPECT_NE(text.find("rank " + std::to_string(last) + ":"), text.npos) << text;
            EXPECT_NE(text.find("task 7:"), text.npos) << text;
            EXPECT_NE(text.find("no root of"), text.npos) << text;
        }
    });
    EXPECT_EQ(said, static_cast<int>(ranks()));
}

TEST(Balance, FailedTasksAreCountedAndTheLowestRankIsNamed) {
    for (int round = 0; round < 10; ++round)
        for (const std::string& text : on_ranks(5, {}, [](group& g) {
                 const std::vector<int> mine(g.rank() < 2 ? 0 : 3, 1);
                 (void)balance(g, mine, [](const int&) -> int { throw std::runtime_error("all of them"); });
             })) {
            EXPECT_NE(text.find("9 tasks failed"), text.npos) << text;
            EXPECT_NE(text.find("rank 2: "), text.npos) << text;
        }
}

TEST(Balance, WhatIsNoStdExceptionIsSaidAsWell) {
    for (const std::string& text : on_ranks(3, {}, [](group& g) {
             const std::vector<int> mine(g.rank() == 1 ? 10 : 0);
             (void)balance(g, mine, [](const int&) -> int { throw 42; });
         }))
        EXPECT_NE(text.find("10 tasks failed; the first: rank 1: task"), text.npos) << text;
}

TEST(Balance, AGroupGoesOnAfterTasksHaveFailed) {
    EXPECT_EQ(on_ranks(3, {},
                       [](group& g) {
                           const std::vector<int> mine = numbers(g.rank(), 5);
                           EXPECT_THROW((void)balance(g, mine, [](const int&) -> int { throw 1; }), task_failed);
                           EXPECT_EQ(balance(g, mine, square), squares(mine));
                       }),
              nothing(3));
}

TEST(Balance, CellsAndResultsMayBeOfAnySize) {
    using cell = std::pair<std::string, std::vector<int>>;
    EXPECT_EQ(on_ranks(4, {},
                       [](group& g) {
                           std::vector<cell> mine;
                           if (g.rank() == 2)
                               for (std::size_t i = 0; i < 200; ++i)
                                   mine.emplace_back(std::string(i % 50, 'x'), std::vector<int>(i * 7 % 300, 1));
                           const auto out = balance(g, mine, [](const cell& c, task_context& here) {
                               here.work(20e-6);
                               return std::vector<std::string>(c.second.size() % 9, c.first);
                           });
                           ASSERT_EQ(out.size(), mine.size());
                           for (std::size_t i = 0; i < out.size(); ++i)
                               EXPECT_EQ(out[i], std::vector<std::string>(i * 7 % 300 % 9, std::string(i % 50, 'x')));
                       }),
              nothing(4));
}

TEST(Balance, AMessageMayBeSmallerThanATask) {
    options how;
    how.steal_bytes = 1;
    how.result_bytes = 1;
    expect_squares({0, 200, 0}, how);
}

TEST(Balance, ARankMayHoldNextToNothing) {
    for (const std::size_t held : {1u, 100u}) {
        options how;
        how.held_bytes = held;
        expect_squares({0, 200, 0, 3}, how);
    }
}

TEST(Balance, EveryWayOfStealingAndEndingGivesTheSame) {
    for (const stealing steal : {stealing::one, stealing::half, stealing::adaptive})
        for (const termination ends : {termination::waves, termination::barrier})
            for (const routing results : {routing::overlay, routing::direct})
                for (const graph kind : {graph::small_world, graph::random, graph::ring, graph::complete}) {
                    options how;
                    how.overlay = {.kind = kind, .degree = 3};
                    how.steal = steal;
                    how.ends = ends;
                    how.results = results;
                    expect_squares({0, 90, 0, 0, 3, 0}, how);
                }
}

TEST(Balance, RanksThatDisagreeInTheirOptionsAllSaySo) {
    const auto differ = [](position rank) {
        options how;
        if (rank == 1) how.steal = stealing::one;
        return how;
    };
    for (const std::string& text : on_ranks_with(3, differ, [](group&, position) { FAIL() << "a group"; }))
        EXPECT_NE(text.find("differ"), text.npos) << text;
}

TEST(Balance, RanksThatDisagreeInTheirTypesAllSaySo) {
    const auto thrown = on_ranks(3, {}, [&](group& g) {
        const auto same = [](const auto& x) { return x; };
        if (g.rank() == 2) (void)balance(g, std::vector<double>{1.0}, same);
        else (void)balance(g, std::vector<int>{1}, same);
    });
    for (const std::string& text : thrown) EXPECT_NE(text.find("the types of their tasks"), std::string::npos) << text;
}

TEST(Balance, TwoGroupsWorkAtOnce) {
    local_network second(3);
    EXPECT_EQ(on_ranks(3, {},
                       [&](group& one) {
                           group two(std::make_unique<local_medium>(second, one.rank()));
                           const std::vector<int> mine = numbers(one.rank(), 60);
                           balanced_tasks<int, decltype(&square)> first(one, mine, &square);
                           balanced_tasks<int, decltype(&square)> other(two, mine, &square);
                           EXPECT_EQ(other.finish(), squares(mine));
                           EXPECT_EQ(first.finish(), squares(mine));
                       }),
              nothing(3));
}

}  // namespace
