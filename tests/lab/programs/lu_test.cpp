#include "lab/programs/lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "lab/peers/parley.hpp"
#include "lab/peers/parley_futures.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

constexpr std::array forms{lu_form::futures, lu_form::barriers};

std::uint64_t nonzero_blocks(const sparse_blocks& m) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < m.grid().blocks; ++i) {
        for (std::size_t j = 0; j < m.grid().blocks; ++j) {
            count += m.at(i, j) != nullptr ? 1U : 0U;
        }
    }
    return count;
}

bool are_the_same(const sparse_blocks& a, const sparse_blocks& b) {
    for (std::size_t i = 0; i < a.grid().blocks; ++i) {
        for (std::size_t j = 0; j < a.grid().blocks; ++j) {
            const bool is_there = a.at(i, j) != nullptr;
            if (is_there != (b.at(i, j) != nullptr) ||
                (is_there && std::memcmp(a.at(i, j), b.at(i, j), a.grid().numbers_in_block() * sizeof(double)) != 0)) {
                return false;
            }
        }
    }
    return true;
}

// A decomposition on one worker of a watched scheduler.
template <class S = watched>
sparse_lu<S> decomposed(const block_grid& grid, lu_form form = lu_form::futures, std::uint64_t lost = 0) {
    sparse_lu<S> lu(grid, form, 1);
    lu.prepare();
    S::begin(lost);
    lu();
    return lu;
}

TEST(Lu, TasksAreThoseOfThePapers) {
    EXPECT_EQ(tasks_of_lu(4096 / 64), (lu_tasks{1024, 1024, 21'856})) << "table 2.1";
    EXPECT_EQ(tasks_of_lu(4096 / 64).all(), 23'904U);
    EXPECT_EQ(tasks_of_lu(4096 / 32).all(), 182'976U) << "figure 6.7";
    EXPECT_EQ(tasks_of_lu(4096 / 128).all(), 3248U);
}

TEST(Lu, ShareOfNonzeroBlocksIsThatOfTheThesis) {
    const auto percent = [](std::size_t blocks) {
        return std::lround(100.0 * static_cast<double>(nonzero_blocks(make_lu_matrix({blocks, 1}, 1))) /
                           static_cast<double>(blocks * blocks));
    };
    EXPECT_EQ(percent(4096 / 32), 11);
    EXPECT_EQ(percent(4096 / 64), 13);
    EXPECT_EQ(percent(4096 / 128), 18);
}

TEST(Lu, HasATaskForEachNonzeroBlockAndEachRowPolls) {
    for (const std::size_t blocks : {1U, 2U, 3U, 7U, 13U, 24U}) {
        for (const lu_form form : forms) {
            constexpr std::size_t size = 3;
            std::ignore = decomposed({blocks, size}, form);
            EXPECT_EQ(watched::spawns, tasks_of_lu(blocks).all()) << blocks;
            EXPECT_EQ(watched::polls, (tasks_of_lu(blocks).all() + blocks) * size) << blocks;
            parley_peers::parley::pool pool(parley_peers::setup{2, {}});
            sparse_lu<parley_peers::parley> lu({blocks, size}, form, 1);
            lu.prepare();
            pool.run([&] {
                lu();
                return true;
            });
            EXPECT_EQ(parley_tests::tasks_of(pool), tasks_of_lu(blocks).all()) << blocks;
        }
    }
}

// A group ends by a barrier.
struct with_barriers : watched {
    inline static unsigned barriers = 0;
    struct group : watched::group {
        template <class Body>
        void run(Body&& body) {
            watched::group::run(std::forward<Body>(body));
            ++barriers;
        }
    };
};

TEST(Lu, HasTwoBarriersInEachStepOrNone) {
    constexpr std::size_t blocks = 4096 / 64;
    std::ignore = decomposed<with_barriers>({blocks, 1}, lu_form::futures);
    EXPECT_EQ(with_barriers::barriers, 0U);
    std::ignore = decomposed<with_barriers>({blocks, 1}, lu_form::barriers);
    EXPECT_EQ(with_barriers::barriers, 128U) << "figure 4.9";
}

TEST(Lu, OnlyBlocksThatAreNeededAreThere) {
    EXPECT_EQ(nonzero_blocks(make_lu_matrix({64, 1}, 1)), 542U);
    const auto lu = decomposed({64, 1});
    EXPECT_EQ(nonzero_blocks(lu.factors()), 542U + 1570U) << "filled in";
}

// Number by number, by definition.
TEST(Lu, FactorsMakeUpTheMatrix) {
    for (const block_grid& grid : {block_grid{1, 1}, block_grid{1, 12}, block_grid{9, 1}, block_grid{14, 3}}) {
        const sparse_blocks a = make_lu_matrix(grid, 1);
        const auto lu = decomposed(grid);
        const auto number = [&grid](const sparse_blocks& m, std::size_t i, std::size_t j) {
            const double* const block = m.at(i / grid.size, j / grid.size);
            return block == nullptr ? 0.0 : block[i % grid.size * grid.size + j % grid.size];
        };
        for (std::size_t i = 0; i < grid.n(); ++i) {
            for (std::size_t j = 0; j < grid.n(); ++j) {
                double sum = i <= j ? number(lu.factors(), i, j) : 0.0;
                for (std::size_t k = 0; k < i && k <= j; ++k) {
                    sum += number(lu.factors(), i, k) * number(lu.factors(), k, j);
                }
                EXPECT_NEAR(sum, number(a, i, j), 1e-14) << grid.n() << ": " << i << ", " << j;
            }
        }
    }
}

TEST(Lu, ErrorIsWithinItsBound) {
    for (const block_grid& grid : {block_grid{1, 1}, block_grid{2, 1}, block_grid{1, 2}, block_grid{3, 1},
                                   block_grid{1, 100}, block_grid{30, 4}, block_grid{64, 2}}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            sparse_lu<watched> lu(grid, lu_form::futures, seed);
            lu.prepare();
            lu();
            EXPECT_LE(lu.error(), allowed_error_of_lu(grid.n()) / 2.0) << grid.n() << " " << seed;
        }
    }
}

template <class S>
void expect_same_as_serial(const block_grid& grid) {
    const auto expected = decomposed(grid);
    for (const lu_form form : forms) {
        for (const unsigned workers : {1U, 2U, 3U}) {
            typename S::pool pool(parley_peers::setup{workers, {}});
            sparse_lu<S> lu(grid, form, 1);
            for (int repetition = 0; repetition < 3; ++repetition) {
                lu.prepare();
                pool.run([&] {
                    lu();
                    return true;
                });
                EXPECT_TRUE(are_the_same(lu.factors(), expected.factors())) << grid.n() << " on " << workers;
            }
        }
    }
}

TEST(Lu, ParleyFindsTheSameToTheLastBit) {
    for (const block_grid& grid : {block_grid{1, 5}, block_grid{20, 4}, block_grid{31, 8}}) {
        expect_same_as_serial<parley_peers::parley>(grid);
        expect_same_as_serial<parley_peers::parley_channel>(grid);
    }
}

TEST(Lu, LostTaskShows) {
    for (const block_grid& grid : {block_grid{26, 2}, block_grid{14, 8}}) {
        for (std::uint64_t lost = 1; lost <= tasks_of_lu(grid.blocks).all(); ++lost) {
            EXPECT_GT(decomposed(grid, lu_form::futures, lost).error(), allowed_error_of_lu(grid.n())) << lost;
        }
    }
}

TEST(Lu, WrongNumberShowsWhereverItIs) {
    const block_grid grid{9, 3};
    const sparse_blocks a = make_lu_matrix(grid, 1);
    const auto lu = decomposed(grid);
    sparse_blocks wrong(grid);
    wrong.copy(lu.factors());
    EXPECT_LE(error_of_lu(a, wrong, 1), allowed_error_of_lu(grid.n()));
    for (std::size_t block = 0; block < grid.blocks * grid.blocks; ++block) {
        double* const numbers = wrong.at(block / grid.blocks, block % grid.blocks);
        for (std::size_t i = 0; numbers != nullptr && i < grid.numbers_in_block(); ++i) {
            const double right = numbers[i];
            numbers[i] += 1e-10;
            EXPECT_GT(error_of_lu(a, wrong, 1), allowed_error_of_lu(grid.n())) << block << " " << i;
            numbers[i] = std::nan("");
            EXPECT_EQ(error_of_lu(a, wrong, 1), std::numeric_limits<double>::infinity());
            numbers[i] = right;
        }
    }
}

// What a repetition leaves out must not be found in memory that an earlier one has used.
TEST(Lu, RepetitionsBeginAnew) {
    const block_grid grid{14, 8};
    sparse_lu<watched> lu(grid, lu_form::futures, 1);
    for (std::uint64_t lost = 0; lost <= tasks_of_lu(grid.blocks).all(); ++lost) {
        for (const std::uint64_t now : {std::uint64_t{0}, lost}) {
            lu.prepare();
            watched::begin(now);
            lu();
            EXPECT_EQ(lu.error() <= allowed_error_of_lu(grid.n()), now == 0) << lost;
        }
    }
}

TEST(Lu, SizesAreThoseOfThePapers) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("lu")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"form", "futures"}, {"n", 2048}, {"block", 64}, {"seed", 1}}));
    EXPECT_EQ(of("ch"), (json{{"form", "barriers"}, {"n", 4096}, {"block", 64}, {"seed", 1}}));
    EXPECT_EQ(of("thesis"), of("ch"));
    EXPECT_EQ(of("ch6"), (json{{"form", "futures"}, {"n", 4096}, {"block", 32}, {"seed", 1}}));
    request r;
    r.given = {{"form", "barriers"}, {"n", "6"}, {"block", "2"}};
    r.seed = 4;
    EXPECT_EQ(find_program("lu")->parameters(r), (json{{"form", "barriers"}, {"n", 6}, {"block", 2}, {"seed", 4}}));
}

}  // namespace
