// The cluster over MPI: every rank runs these tests, at any number of ranks. What no rank can see alone is tested in
// tests/cluster, whose ranks are threads.
#include <parley/cluster/mpi.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace parley::cluster;

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
int ranks_in(MPI_Comm comm) {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    return ranks;
}

// Rank 0 has a hundred, the others few.
std::vector<int> uneven(MPI_Comm comm) {
    std::vector<int> mine(rank_in(comm) == 0 ? 100 : 3);
    std::iota(mine.begin(), mine.end(), 1000 * rank_in(comm));
    return mine;
}
void expect_doubled(const std::vector<int>& cells, const std::vector<long>& results) {
    ASSERT_EQ(results.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(results[i], 2L * cells[i]);
}
const auto doubles = [](int x, task_context& here) {
    here.work(200e-6);
    return 2L * x;
};

TEST(OverMpi, ResultsComeHomeInTheOrderOfTheirTasks) {
    const std::vector<int> mine = uneven(MPI_COMM_WORLD);
    summary all;
    expect_doubled(mine, balance(MPI_COMM_WORLD, mine, doubles, {}, &all));
    EXPECT_EQ(all.counts.tasks, 100U + 3U * static_cast<unsigned>(ranks_in(MPI_COMM_WORLD) - 1));
}
TEST(OverMpi, EveryWayOfStealingAndOfGoingHome) {
    const std::vector<int> mine = uneven(MPI_COMM_WORLD);
    for (const graph kind : {graph::small_world, graph::random, graph::ring, graph::complete})
        for (const routing way : {routing::overlay, routing::direct})
            for (const stealing how : {stealing::one, stealing::half, stealing::adaptive}) {
                options o{.steal = how, .results = way};
                o.overlay.kind = kind;
                o.ends = how == stealing::half ? termination::waves : termination::barrier;
                expect_doubled(mine, balance(MPI_COMM_WORLD, mine, doubles, o));
            }
}
TEST(OverMpi, TasksOfAnySize) {
    group g(over_mpi(MPI_COMM_WORLD));
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{400}, std::size_t{500}, std::size_t{100'000},
                                   std::size_t{10'000'000}}) {
        std::vector<std::string> mine(g.rank() == 0 ? 8 : 1, std::string(size, static_cast<char>('a' + g.rank() % 20)));
        const auto back = balance(g, mine, [](const std::string& s, task_context& here) {
            here.work(1e-3);
            return s + "!";
        });
        ASSERT_EQ(back.size(), mine.size());
        for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_EQ(back[i], mine[i] + "!");
    }
}
TEST(OverMpi, SeveralWorkers) {
    if (int level = 0; MPI_Query_thread(&level), level < MPI_THREAD_SERIALIZED) GTEST_SKIP() << "MPI has no threads";
    options o;
    o.workers = 2;
    group g(over_mpi(MPI_COMM_WORLD), o);
    const std::vector<int> mine = uneven(MPI_COMM_WORLD);
    for (int phase = 0; phase < 5; ++phase) expect_doubled(mine, balance(g, mine, doubles));
}
TEST(OverMpi, NoTasksAtAll) { EXPECT_TRUE(balance(MPI_COMM_WORLD, std::vector<int>(), doubles).empty()); }
TEST(OverMpi, ManyPhasesOnOneGroup) {
    group g(over_mpi(MPI_COMM_WORLD));
    for (int phase = 0; phase < 50; ++phase) {
        const std::vector<int> mine(g.rank() == static_cast<position>(phase) % g.ranks() ? 10 : 0, phase);
        const auto results = balance(g, mine, [](int x) { return 2L * x; });
        expect_doubled(mine, results);
    }
}
TEST(OverMpi, TwoSetsAtOnce) {
    group g(over_mpi(MPI_COMM_WORLD));
    const std::vector<int> mine = uneven(MPI_COMM_WORLD);
    const auto triples = [](int x) { return 3L * x; };
    balanced_tasks<int, decltype(doubles)> first(g, mine, doubles);
    balanced_tasks<int, decltype(triples)> second(g, mine, triples);
    const auto tripled = second.finish();
    expect_doubled(mine, first.finish());
    for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_EQ(tripled[i], 3L * mine[i]);
}
TEST(OverMpi, APartOfTheRanks) {
    const int rank = rank_in(MPI_COMM_WORLD);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    {
        const std::vector<int> mine = uneven(half);
        expect_doubled(mine, balance(half, mine, doubles));
    }
    MPI_Comm_free(&half);
}
TEST(OverMpi, TasksThatSpawn) {
    const auto fib = [](const int& n, spawner<int>& more, long& sum) {
        if (n < 2) {
            sum += n;
            return;
        }
        more.spawn(n - 1);
        more.spawn(n - 2);
    };
    const auto add = [](long& sum, const long& other) { sum += other; };
    std::vector<int> roots;
    if (rank_in(MPI_COMM_WORLD) == ranks_in(MPI_COMM_WORLD) - 1) roots.push_back(20);
    EXPECT_EQ((run<int, long>(MPI_COMM_WORLD, roots, fib, add)), 6765);
}
TEST(OverMpi, ATaskThatThrowsIsAnErrorOnEveryRank) {
    group g(over_mpi(MPI_COMM_WORLD));
    const std::vector<int> mine(20, static_cast<int>(g.rank()));
    const auto fails = [](int x, task_context& here) {
        here.work(100e-6);
        if (x == 0) throw std::runtime_error("no good");
        return x;
    };
    try {
        (void)balance(g, mine, fails);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const task_failed& e) {
        EXPECT_EQ(e.count, 20U);
        EXPECT_NE(std::string(e.what()).find("no good"), std::string::npos);
    }
    expect_doubled(mine, balance(g, mine, [](int x) { return 2L * x; }));
}
TEST(OverMpi, RanksWithOtherOptionsAreAnErrorOnEveryRank) {
    if (ranks_in(MPI_COMM_WORLD) == 1) GTEST_SKIP() << "one rank agrees with itself";
    options o;
    o.overlay.degree = rank_in(MPI_COMM_WORLD) == 0 ? 3 : 4;
    EXPECT_THROW(group(over_mpi(MPI_COMM_WORLD), o), disagreement);
    options bad;
    if (rank_in(MPI_COMM_WORLD) == 0) bad.steal_bytes = 0;
    EXPECT_THROW(group(over_mpi(MPI_COMM_WORLD), bad), std::exception);
}

}  // namespace

// Rank 0 tells; the others speak when something is wrong.
int main(int argc, char** argv) {
    const char* const wanted = std::getenv("THREAD_LEVEL_OF_TEST");
    const int level = wanted != nullptr && std::string(wanted) == "funneled" ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED;
    int provided = 0;
    MPI_Init_thread(&argc, &argv, level, &provided);
    testing::InitGoogleTest(&argc, argv);
    if (rank_in(MPI_COMM_WORLD) != 0) GTEST_FLAG_SET(brief, true);
    const int status = RUN_ALL_TESTS();
    MPI_Finalize();
    return status;
}
