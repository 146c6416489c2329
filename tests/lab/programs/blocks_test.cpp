#include "lab/programs/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;
using numbers = std::vector<double>;

numbers small_numbers(std::size_t count, std::uint64_t seed) {
    numbers all(count);
    fill_with_small_numbers(all, seed);
    return all;
}

// Row by row, by its definition.
numbers plain_product(const numbers& a, const numbers& b, std::size_t n) {
    numbers c(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < n; ++k) {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    return c;
}

TEST(Blocks, ProductIsAddedAndEachRowPolls) {
    for (const std::size_t size : {1U, 2U, 3U, 8U, 13U, 32U}) {
        const numbers a = small_numbers(size * size, 1);
        const numbers b = small_numbers(size * size, 2);
        numbers c = small_numbers(size * size, 3);
        numbers expected = plain_product(a, b, size);
        std::transform(expected.begin(), expected.end(), c.begin(), expected.begin(), std::plus<>{});
        watched::begin();
        add_product_of_blocks<watched>(c.data(), a.data(), b.data(), size);
        EXPECT_EQ(c, expected) << size;
        EXPECT_EQ(watched::polls, size);
    }
}

TEST(Blocks, ProductsOfTheFirstRowsAreSubtracted) {
    constexpr std::size_t size = 7;
    const numbers factors = small_numbers(size, 1);
    const numbers block = small_numbers(size * size, 2);
    for (std::size_t count = 0; count <= size; ++count) {
        numbers row = small_numbers(size, 3);
        numbers expected = row;
        for (std::size_t j = 0; j < size; ++j) {
            for (std::size_t k = 0; k < count; ++k) {
                expected[j] -= factors[k] * block[k * size + j];
            }
        }
        subtract_products(row.data(), factors.data(), block.data(), count, size);
        EXPECT_EQ(row, expected) << count;
    }
}

// Whoever multiplies the factors with the triangle again gets the row back.
TEST(Blocks, EliminationLeavesFactors) {
    constexpr std::size_t size = 5;
    numbers upper(size * size, std::nan(""));  // nothing below the diagonal is read
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t j = k; j < size; ++j) {
            upper[k * size + j] = j == k ? 2.0 : static_cast<double>(1 + k + j);
        }
    }
    const numbers before = small_numbers(size, 9);
    for (std::size_t count = 0; count <= size; ++count) {
        numbers row = before;
        eliminate(row.data(), upper.data(), count, size);
        for (std::size_t j = 0; j < size; ++j) {
            double sum = j < count ? 0.0 : row[j];
            for (std::size_t k = 0; k < count && k <= j; ++k) {
                sum += row[k] * upper[k * size + j];
            }
            EXPECT_EQ(sum, before[j]) << count << " " << j;  // halves and small numbers: exact
        }
    }
}

TEST(Blocks, MissingBlocksHaveOnlyZeros) {
    const block_grid grid{2, 2};
    const numbers one{1, 2, 3, 4};
    const numbers x{10, 20, 30, 40};
    const auto at = [&](std::size_t i, std::size_t j) { return i == 1 && j == 0 ? one.data() : nullptr; };
    EXPECT_EQ(times(grid, at, x), (numbers{0, 0, 50, 110}));
}

TEST(Blocks, WrongProductShowsWhereverItIs) {
    const block_grid grid{3, 4};
    numbers a = small_numbers(144, 1);
    numbers b = small_numbers(144, 2);
    const auto blocks_of = [&grid](const numbers& m) {
        return [&](std::size_t i, std::size_t j) { return &m[(i * grid.blocks + j) * grid.numbers_in_block()]; };
    };
    numbers c(144);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t k = 0; k < 3; ++k) {
                add_product_of_blocks<watched>(&c[(i * 3 + j) * 16], &a[(i * 3 + k) * 16], &b[(k * 3 + j) * 16], 4);
            }
        }
    }
    const auto error = [&] { return error_of_product(grid, blocks_of(a), blocks_of(b), blocks_of(c), 5); };
    EXPECT_EQ(error(), 0.0);
    for (double& number : c) {
        const double right = number;
        number += 1.0;
        EXPECT_GE(error(), 32'768.0);
        number = std::nan("");
        EXPECT_EQ(error(), std::numeric_limits<double>::infinity());
        number = right;
    }
    for (std::size_t i = 1; i < c.size(); ++i) {  // errors that make up for each other in a plain sum
        c[i] += 1.0;
        c[i - 1] -= 1.0;
        EXPECT_GT(error(), 0.0) << i;
        c[i] -= 1.0;
        c[i - 1] += 1.0;
    }
}

TEST(Blocks, SumsOfTheLargestMatricesAreExact) {
    constexpr double rows = 1U << 14U;
    double greatest = 0.0;
    for (const double number : small_numbers(10'000, 4)) {
        EXPECT_EQ(number, std::trunc(number));
        greatest = std::max(greatest, std::abs(number));
    }
    EXPECT_EQ(greatest, 8.0);
    for (const double number : random_vector(10'000, 4)) {
        EXPECT_EQ(number, std::trunc(number));
        EXPECT_GE(number, 0x1p15);
        EXPECT_LT(number, 0x1p16);
    }
    EXPECT_LT(greatest * rows * greatest * rows * 0x1p16, 0x1p53) << "a (b x)";
}

TEST(Blocks, MustDivideTheMatrix) {
    EXPECT_EQ(block_grid::complaint({{"n", 96}, {"block", 32}}), "");
    EXPECT_EQ(block_grid::of({{"n", 96}, {"block", 32}}).blocks, 3U);
    for (const auto& [n, block] : {std::pair(100, 32), {31, 32}, {1025, 1}}) {
        const json parameters{{"n", n}, {"block", block}};
        const std::string wrong = block_grid::complaint(parameters);
        EXPECT_NE(wrong.find("'" + std::to_string(block) + "'"), std::string::npos) << wrong;
        EXPECT_NE(wrong.find("--n " + std::to_string(n)), std::string::npos) << wrong;
        EXPECT_THROW(std::ignore = block_grid::of(parameters), std::invalid_argument);
    }
}

}  // namespace
