#include "lab/programs/nqueens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "lab/peers/parley.hpp"
#include "lab/peers/serial.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

// By trying all permutations: one queen in each row and column.
std::uint64_t solutions_by_permutation(unsigned n) {
    std::vector<int> column(n);
    std::iota(column.begin(), column.end(), 0);
    std::uint64_t solutions = 0;
    do {
        bool peaceful = true;
        for (unsigned i = 0; i < n; ++i) {
            for (unsigned j = 0; j < i; ++j) {
                peaceful = peaceful && std::abs(column[i] - column[j]) != static_cast<int>(i - j);
            }
        }
        solutions += peaceful ? 1 : 0;
    } while (std::next_permutation(column.begin(), column.end()));
    return solutions;
}

TEST(Nqueens, KnownAnswersAreThoseOfPermutations) {
    for (unsigned n = 1; n <= 8; ++n) {
        EXPECT_EQ(known_solutions(n), solutions_by_permutation(n)) << n;
    }
}

TEST(Nqueens, SerialFindsTheKnownAnswers) {
    for (unsigned n = 1; n <= 11; ++n) {
        EXPECT_EQ(count_solutions<parley_peers::serial>(n), known_solutions(n)) << n;
    }
}

TEST(Nqueens, ParleyFindsTheKnownAnswers) {
    for (const unsigned workers : {1U, 2U, 5U}) {
        parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
        for (unsigned n = 1; n <= 10; ++n) {
            EXPECT_EQ(pool.run([n] { return count_solutions<parley_peers::parley>(n); }), known_solutions(n)) << n;
        }
    }
}

// Queens that can be placed in the rows from this one on, by sets of columns and diagonals that are taken.
std::uint64_t queens_placed(unsigned all, unsigned columns, unsigned left, unsigned right) {
    std::uint64_t placed = 0;
    for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
        const unsigned queen = free & -free;
        placed += 1 + queens_placed(all, columns | queen, (left | queen) << 1U, (right | queen) >> 1U);
    }
    return placed;
}
std::uint64_t queens_placed(unsigned n) { return queens_placed((1U << n) - 1, 0, 0, 0); }

TEST(Nqueens, TasksAreThoseOfThePapers) {
    for (unsigned n = 1; n <= 9; ++n) {
        watched::begin();
        std::ignore = count_solutions<watched>(n);
        EXPECT_EQ(watched::spawns, queens_placed(n)) << "a task for each placed queen";
    }
    EXPECT_EQ(queens_placed(14), 27'358'552U) << "table 2.1";
}

TEST(Nqueens, LargestBoardFits) {
    const chess_board empty{{}, 0, max_queens};
    chess_board board = empty;
    for (unsigned row = 0; row < max_queens; ++row) {
        EXPECT_EQ(board.placed, row);
        board = board.with(max_queens - 1);
    }
    EXPECT_EQ(board.placed, board.size);
    EXPECT_THROW(std::ignore = known_solutions(max_queens + 1), std::out_of_range);
}

TEST(Nqueens, QueensAttackAlongColumnsAndDiagonals) {
    const chess_board one = chess_board{{}, 0, 8}.with(3);
    for (unsigned next = 0; next < 8; ++next) {
        EXPECT_EQ(one.allows(next), next < 2 || next > 4) << next;
    }
}

}  // namespace
