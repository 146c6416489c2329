// Several sets of tasks on one group, ranks that come to them in different orders, and ranks that are lost at bad times.
#include "tests/cluster/local_ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace cluster_tests;

const auto square = [](const int& x, task_context& here) {
    here.work(50e-6);
    return x * x;
};
using squares = balanced_tasks<int, decltype(square)>;

template <class Tasks>
std::size_t take_all(Tasks& tasks) {
    std::size_t n = 0;
    while (tasks.next()) ++n;
    return n;
}

// Each waits for what the other may have stolen.
TEST(SeveralSets, MayBeWaitedForInAnyOrder) {
    for (const std::uint32_t workers : {1U, 2U}) {
        options how;
        how.workers = workers;
        EXPECT_EQ(on_ranks(3, how,
                           [](group& g) {
                               const position self = g.rank();
                               squares one(g, square);
                               squares two(g, square);
                               for (int i = 0; i < (self == 1 ? 200 : 1); ++i) one.submit(i);
                               for (int i = 0; i < (self == 0 ? 200 : 1); ++i) two.submit(i);
                               if (self == 0) {
                                   EXPECT_EQ(take_all(one), 1U);
                                   EXPECT_EQ(take_all(two), 200U);
                               } else {
                                   EXPECT_EQ(take_all(two), 1U);
                                   EXPECT_EQ(take_all(one), self == 1 ? 200U : 1U);
                               }
                           }),
                  nothing(3));
    }
}

// A rank that does something else keeps no task from those who wait.
TEST(SeveralSets, WhoLeavesItsTasksAloneHasThemStolenBack) {
    std::atomic<bool> is_done = false;
    EXPECT_EQ(on_ranks(2, {},
                       [&](group& g) {
                           squares tasks(g, square);
                           if (g.rank() == 0) {
                               for (int i = 0; i < 300; ++i) tasks.submit(i);
                               EXPECT_EQ(take_all(tasks), 300U);
                               is_done = true;
                           } else {
                               tasks.submit(1);
                               EXPECT_EQ(take_all(tasks), 1U);
                               while (!is_done) std::this_thread::yield();  // it has stolen some, perhaps
                           }
                       }),
              nothing(2));
}

TEST(SeveralSets, AnotherOneMayBeMadeWhileResultsAreStillComing) {
    EXPECT_EQ(on_ranks(4, {},
                       [](group& g) {
                           squares one(g, square);
                           for (int i = 0; i < 50 * static_cast<int>(g.rank()); ++i) one.submit(i);
                           (void)one.next();
                           squares two(g, square);
                           two.submit(7);
                           EXPECT_EQ(two.finish(), std::vector<int>{49});
                       }),
              nothing(4));
}

// --- ranks that are lost -------------------------------------------------------------------------
TEST(LostRanks, WhoIsThroughTellsThoseWhoHaveMissedIt) {
    for (int round = 0; round < 30; ++round) {
        local_network net(4);
        const auto thrown = on_ranks(
            4, {},
            [&](group& g) {
                const position self = g.rank();
                (void)balance(g, std::vector<int>(20, 1), [](const int& x) { return x; });
                if (self == 0) net.lose(0);
            },
            &net);
        for (position r = 1; r < 4; ++r) EXPECT_EQ(thrown[r], "");
    }
}
TEST(LostRanks, ANewSetOfTasksMaySpawnAfterALoss) {
    local_network net(3);
    const auto thrown = on_ranks(
        3, {},
        [&](group& g) {
            if (g.rank() == 2) {
                net.lose(2);
                return;
            }
            while (g.living() == 3) std::this_thread::yield();
            const long sum = run<int, long>(
                g, {12},
                [](const int& n, spawner<int>& more, long& found) {
                    ++found;
                    if (n > 0) more.spawn(n - 1);
                },
                [](long& a, const long& b) { a += b; });
            EXPECT_EQ(sum, 26);
        },
        &net);
    EXPECT_EQ(thrown[0], "");
    EXPECT_EQ(thrown[1], "");
}

// Who is lost, when, and how the ranks steal: the others always come to an end, with all that is theirs.
TEST(LostRanks, AtAnyMoment) {
    for (const stealing how : {stealing::half, stealing::none})
        for (const termination ends : {termination::barrier, termination::waves})
            for (int after = 0; after < 12; ++after) {
                local_network net(4);
                std::thread losing([&] {
                    std::this_thread::sleep_for(std::chrono::microseconds(150 * after));
                    net.lose(static_cast<position>(after % 4));
                    net.lose(static_cast<position>((after + 1) % 4));
                });
                const auto thrown = on_ranks(
                    4, {.steal = how, .ends = ends},
                    [](group& g) {
                        for (int phase = 0; phase < 3; ++phase)
                            EXPECT_EQ(balance(g, std::vector<int>(5, 3), square), std::vector<int>(5, 9));
                    },
                    &net);
                losing.join();
                for (int r = 2; r < 4; ++r) EXPECT_EQ(thrown[static_cast<std::size_t>((after + r) % 4)], "") << after;
            }
}

// --- one rank alone is wrong ---------------------------------------------------------------------
TEST(OneRankIsWrong, MoreWorkersThanThereMayBeAreAnErrorEverywhere) {
    const auto thrown =
        on_ranks_with(2, [](position r) { return options{.workers = r == 1 ? 100'000U : 1U}; }, [](group&, position) {});
    EXPECT_NE(thrown[0], "");
    EXPECT_NE(thrown[1], "");
}
TEST(OneRankIsWrong, OptionsThatAreNoGoodAreAnErrorEverywhere) {
    const auto thrown =
        on_ranks_with(3, [](position r) { return options{.look_seconds = r == 1 ? 0.0 : 200e-6}; }, [](group&, position) {});
    EXPECT_NE(thrown[1].find("look_seconds"), std::string::npos);
    EXPECT_NE(thrown[0].find("differ"), std::string::npos);
    EXPECT_NE(thrown[2].find("differ"), std::string::npos);
}

struct cannot_be_written {
    int value = 0;
};

}  // namespace

template <>
struct parley::cluster::serializer<cannot_be_written> {
    static void write(writer&, const cannot_be_written& c) {
        if (c.value == 13) throw std::runtime_error("not this one");
    }
    static cannot_be_written read(reader&) { return {}; }
};

namespace {

// Whether it is known at once or only when the result has to travel: all ranks go on.
TEST(OneRankIsWrong, AResultThatCannotTravelIsAFailedTask) {
    const auto thrown = on_ranks(2, {}, [](group& g) {
        (void)balance(g, std::vector<int>(g.rank() == 0 ? 400 : 0, 13), [](const int& x, task_context& here) {
            here.work(50e-6);
            return cannot_be_written{x};
        });
    });
    // Rank 1 has run some of them, as good as always; if not, nothing was wrong.
    EXPECT_EQ(thrown[0].empty(), thrown[1].empty());
    const bool says_why = thrown[0].empty() || thrown[0].find("not this one") != std::string::npos;
    EXPECT_TRUE(says_why) << thrown[0];
}
// Ranks of different binaries disagree when a group is made; what comes from elsewhere all the same is seen at once.
TEST(OneRankIsWrong, AMessageOfAnotherVersionOrFromSomebodyElseEndsAllRanks) {
    for (const header& wrong : {header{.version = protocol_version + 1, .from = 1, .kind = message_kind::request},
                                header{.mark = 0, .from = 1, .kind = message_kind::tasks}}) {
        local_network net(3);
        const auto thrown = on_ranks(
            3, {},
            [&](group& g) {
                (void)balance(g, std::vector<int>(200, 1), [&](const int& x, task_context& here) {
                    here.work(50e-6);
                    if (g.rank() == 1) local_medium(net, 1).send(0, wrong, {});
                    return x;
                });
            },
            &net);
        for (const std::string& text : thrown)
            EXPECT_NE(text.find("rank 1 speaks another version"), std::string::npos) << text;
    }
}
TEST(OneRankIsWrong, ASumThatThrowsEndsAllRanks) {
    const auto thrown = on_ranks(3, {}, [](group& g) {
        (void)run<int, int>(
            g, std::vector<int>(1, 1), [](const int&, spawner<int>&, int& sum) { ++sum; },
            [](int&, const int&) { throw std::runtime_error("cannot add"); });
    });
    for (const std::string& text : thrown) EXPECT_NE(text.find("cannot add"), std::string::npos) << text;
}

}  // namespace
