#include "lab/programs/matmul.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

template <class S, class Multiply>
double error_of(const block_grid& grid, unsigned workers, const Multiply& multiply) {
    typename S::pool pool(parley_peers::setup{workers, {}});
    matmul<S> m(grid, 1);
    m.prepare();
    pool.run([&] {
        multiply(m);
        return true;
    });
    return m.error();
}

constexpr auto by_tasks = [](auto& m) { m.by_tasks(); };
constexpr auto by_loops = [](auto& m) { m.by_loops(); };

TEST(Matmul, TasksAreThoseOfThePapers) {
    EXPECT_EQ(tasks_of_matmul(2048 / 32), 262'144U);
    EXPECT_EQ(tasks_of_matmul(4096 / 32), 2'097'152U);
    EXPECT_EQ(tasks_of_matmul(4096 / 64), 262'144U);
    EXPECT_EQ(tasks_of_matmul(4096 / 128), 32'768U);
}

TEST(Matmul, HasATaskForEachBlockInEachPhaseWhichPollsOnceInARow) {
    for (const block_grid& grid : {block_grid{1, 5}, block_grid{4, 3}, block_grid{7, 2}}) {
        watched::begin();
        EXPECT_EQ(error_of<watched>(grid, 1, by_tasks), 0.0);
        EXPECT_EQ(watched::spawns, tasks_of_matmul(grid.blocks));
        EXPECT_EQ(watched::polls, tasks_of_matmul(grid.blocks) * grid.size);
        parley_peers::parley::pool pool(parley_peers::setup{2, {}});
        matmul<parley_peers::parley> m(grid, 1);
        m.prepare();
        pool.run([&] {
            m.by_tasks();
            return true;
        });
        EXPECT_EQ(parley_tests::tasks_of(pool), tasks_of_matmul(grid.blocks));
    }
}

TEST(Matmul, AnyNumberOfWorkersFindsTheProduct) {
    for (const block_grid& grid : {block_grid{1, 1}, block_grid{1, 17}, block_grid{2, 1}, block_grid{5, 8}}) {
        for (const unsigned workers : {1U, 2U, 3U}) {
            EXPECT_EQ(error_of<parley_peers::parley>(grid, workers, by_tasks), 0.0) << grid.n() << " on " << workers;
            EXPECT_EQ(error_of<parley_peers::parley>(grid, workers, by_loops), 0.0) << grid.n() << " on " << workers;
        }
    }
}

TEST(Matmul, LostTaskShows) {
    const block_grid grid{4, 3};
    for (std::uint64_t lost = 1; lost <= tasks_of_matmul(grid.blocks); ++lost) {
        watched::begin(lost);
        EXPECT_GT(error_of<watched>(grid, 1, by_tasks), 0.0) << lost;
    }
}

TEST(Matmul, RepetitionsBeginAnew) {
    const json parameters{{"n", 96}, {"block", 16}, {"seed", 3}};
    for (const char* name : {"matmul", "matmul-loop"}) {
        const program* p = find_program(name);
        const auto job = p->make(parameters, "parley", {2, {}});
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(job->run().result, p->known(parameters));
        }
    }
}

TEST(Matmul, SizesAreThoseOfThePapers) {
    for (const char* name : {"matmul", "matmul-loop"}) {
        const auto of = [name](const char* size) {
            request r;
            r.size = size;
            return find_program(name)->parameters(r);
        };
        EXPECT_EQ(of("small"), (json{{"n", 1024}, {"block", 32}, {"seed", 1}}));
        EXPECT_EQ(of("ch"), (json{{"n", 2048}, {"block", 32}, {"seed", 1}}));
        EXPECT_EQ(of("thesis"), of("ch"));
        EXPECT_EQ(of("ch6"), (json{{"n", 4096}, {"block", 32}, {"seed", 1}}));
        request r;
        r.given = {{"n", "6"}, {"block", "2"}};
        r.seed = 4;
        EXPECT_EQ(find_program(name)->parameters(r), (json{{"n", 6}, {"block", 2}, {"seed", 4}}));
    }
}

}  // namespace
