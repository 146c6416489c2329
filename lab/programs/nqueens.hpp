// How many ways are there to place n queens on an n x n board so that none attacks another? One
// task for each placed queen, no cut-off. The board and the test of a square are those of the
// version in MIT Cilk and BOTS that the thesis measures (section 2.8): the columns of the queens,
// row by row.
#pragma once

#include <array>
#include <cstdint>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

constexpr unsigned max_queens = 16;

// Small enough to travel inside a task.
struct chess_board {
    std::array<std::uint8_t, max_queens> column;  // of the queen in each of the first `placed` rows
    std::uint8_t placed;
    std::uint8_t size;

    // Whether a queen may stand in the next row, in this column.
    [[nodiscard]] bool allows(unsigned next) const noexcept {
        for (unsigned row = 0; row < placed; ++row) {
            const int sideways = static_cast<int>(next) - column[row];
            const int down = static_cast<int>(placed - row);
            if (sideways == 0 || sideways == down || sideways == -down) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] chess_board with(unsigned next) const noexcept {
        chess_board board = *this;
        board.column[board.placed] = static_cast<std::uint8_t>(next);
        ++board.placed;
        return board;
    }
};

// Solutions that begin with the queens on this board.
template <class S>
std::uint64_t count_solutions(const chess_board& board) {
    if (board.placed == board.size) {
        return 1;
    }
    std::array<std::uint64_t, max_queens> found;
    unsigned children = 0;
    {
        typename S::scope scope;
        for (unsigned next = 0; next < board.size; ++next) {
            if (board.allows(next)) {
                std::uint64_t* slot = &found[children++];
                scope.spawn([child = board.with(next), slot] { *slot = count_solutions<S>(child); });
            }
        }
        scope.wait();
    }
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < children; ++i) {
        sum += found[i];
    }
    return sum;
}

template <class S>
std::uint64_t count_solutions(unsigned n) {
    return count_solutions<S>(chess_board{{}, 0, static_cast<std::uint8_t>(n)});
}

// The known answer for n from 1 to max_queens (OEIS A000170).
[[nodiscard]] inline std::uint64_t known_solutions(unsigned n) {
    constexpr std::array<std::uint64_t, max_queens> answers{1,   0,   0,    2,     10,    4,      40,      92,
                                                            352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    return answers.at(n - 1);
}

}  // namespace parley_programs::inline v0
