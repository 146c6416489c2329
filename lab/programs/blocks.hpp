// Matrices of doubles that consist of square blocks, each of which lies in memory by itself, row by row. Programs
// compute a row of a block at a time and poll in between, as the thesis does (sections 6.8 and 6.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "lab/programs/greatest_difference.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs {

// `blocks` blocks in each row and column of the matrix, with `size` numbers in each row and column of a block.
struct block_grid {
    std::size_t blocks;
    std::size_t size;

    [[nodiscard]] std::size_t n() const noexcept { return blocks * size; }
    [[nodiscard]] std::size_t numbers_in_block() const noexcept { return size * size; }

    // From n and block. Throws std::invalid_argument if they do not fit.
    [[nodiscard]] static block_grid of(const json& parameters);

    // What is wrong with n and block, or empty: a program's complaint().
    [[nodiscard]] static std::string complaint(const json& parameters);
};

// Stands first where a task will leave its results, so that nobody takes for them what was in this memory before.
constexpr double no_number_yet = std::numeric_limits<double>::quiet_NaN();

// Rows of blocks of `size` times `size` numbers. Compiled once and called by all: whatever the compiler makes of them,
// the results of different schedulers are the same to the last bit. A row that is written is none of those that are
// read.

// row += factors times the block, of both the first `count`.
void add_products(double* row, const double* factors, const double* block, std::size_t count, std::size_t size) noexcept;

// row -= the same.
void subtract_products(double* row, const double* factors, const double* block, std::size_t count,
                       std::size_t size) noexcept;

// Eliminates the row's first `count` numbers by the rows of an upper triangle and leaves the factors in their place.
void eliminate(double* row, const double* upper, std::size_t count, std::size_t size) noexcept;

// c += a b.
template <class S>
void add_product_of_blocks(double* c, const double* a, const double* b, std::size_t size) {
    for (std::size_t row = 0; row < size; ++row) {
        add_products(c + row * size, a + row * size, b, size, size);
        S::poll();
    }
}

// Whole numbers from -8 to 8. As long as matrices have at most 2^14 rows, all sums that occur when they are multiplied
// and verified are exact, in any order.
void fill_with_small_numbers(std::span<double> numbers, std::uint64_t seed) noexcept;

// Whole numbers from 2^15 to 2^16: no row or column counts much less than another.
[[nodiscard]] std::vector<double> random_vector(std::size_t n, std::uint64_t seed);

// The matrix times x; at(i, j) is its block in row i and column j, or null if that has only zeros.
template <class At>
[[nodiscard]] std::vector<double> times(const block_grid& grid, const At& at, std::span<const double> x) {
    std::vector<double> y(grid.n());
    for (std::size_t i = 0; i < grid.blocks; ++i) {
        for (std::size_t j = 0; j < grid.blocks; ++j) {
            const double* const block = at(i, j);
            for (std::size_t row = 0; block != nullptr && row < grid.size; ++row) {
                double sum = 0.0;
                for (std::size_t column = 0; column < grid.size; ++column) {
                    sum += block[row * grid.size + column] * x[j * grid.size + column];
                }
                y[i * grid.size + row] += sum;
            }
        }
    }
    return y;
}

// The greatest difference between c x and a (b x) for a random x (Freivalds 1979): a c that is not a b is found out
// but for once in 2^15.
template <class At>
[[nodiscard]] double error_of_product(const block_grid& grid, const At& a, const At& b, const At& c, std::uint64_t seed) {
    const std::vector<double> x = random_vector(grid.n(), seed);
    return greatest_difference(times(grid, c, x), times(grid, a, times(grid, b, x)));
}

}  // namespace parley_programs
