#include "programs/nqueens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "peers/parley.hpp"
#include "peers/serial.hpp"

namespace {

using namespace parley_programs;

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
            EXPECT_EQ(pool.run([n] { return count_solutions<parley_peers::parley>(n); }),
                      known_solutions(n))
                << n;
        }
    }
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
