// The product of two matrices by Strassen's algorithm in Winograd's form: seven products of quarters, in parallel, and
// fifteen sums of quarters instead of eight products. Small quarters are multiplied plainly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab/programs/blocks.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// Matrices with more rows are divided; so their rows must be a number up to this times a power of two.
constexpr std::size_t largest_plain_product = 64;

// How often a matrix of n rows is halved; -1 if it cannot be down to there.
[[nodiscard]] int halvings_for_strassen(std::uint64_t n) noexcept;

// A matrix lies in memory quarter by quarter, each of which does likewise down to the blocks that are multiplied
// plainly, so that sums of quarters are sums of sequences. `count` is a quarter's.
struct quarters {
    const double* q11;
    const double* q12;
    const double* q21;
    const double* q22;
    quarters(const double* matrix, std::size_t count) noexcept
        : q11(matrix), q12(matrix + count), q21(matrix + 2 * count), q22(matrix + 3 * count) {}
};

// The sums of positions [first, last) of quarters of `count` numbers, in Winograd's names.

// s1 to s4, one after the other.
void sums_of_left(const quarters& a, double* __restrict s, std::size_t count, std::size_t first, std::size_t last) noexcept;
// t1 to t4.
void sums_of_right(const quarters& b, double* __restrict t, std::size_t count, std::size_t first, std::size_t last) noexcept;
// Takes p1, p6 and p7 from p, and p2 to p5 from the quarters of c, to which the result goes.
void sums_of_products(const double* __restrict p, double* __restrict c, std::size_t count, std::size_t first,
                      std::size_t last) noexcept;

template <class S>
class strassen {
public:
    // n as halvings_for_strassen() allows it.
    strassen(std::size_t n, std::uint64_t seed)
        : grid_{std::size_t{1} << halvings_for_strassen(n), n >> halvings_for_strassen(n)},
          seed_(seed),
          a_(n * n),
          b_(n * n),
          c_(n * n) {
        fill_with_small_numbers(a_, seed);
        fill_with_small_numbers(b_, ~seed);
    }

    // Not timed: what an earlier repetition left would hide what a later one leaves out.
    void prepare() { std::fill(c_.begin(), c_.end(), 0.0); }

    void operator()() { multiply(c_.data(), a_.data(), b_.data(), grid_.n()); }

    // Of the result: 0 if it is right.
    [[nodiscard]] double error() const {
        const auto blocks_of = [this](const std::vector<double>& matrix) {
            return [this, &matrix](std::size_t i, std::size_t j) {
                return matrix.data() + position(i, j) * grid_.numbers_in_block();
            };
        };
        return error_of_product(grid_, blocks_of(a_), blocks_of(b_), blocks_of(c_), seed_);
    }

private:
    // In the order of quarters of quarters: bits of i and j in turn.
    [[nodiscard]] std::size_t position(std::size_t i, std::size_t j) const noexcept {
        std::size_t place = 0;
        for (std::size_t bit = grid_.blocks / 2; bit > 0; bit /= 2) {
            place = 4 * place + ((i & bit) != 0 ? 2 : 0) + ((j & bit) != 0 ? 1 : 0);
        }
        return place;
    }

    // sums(first, last), piece by piece.
    template <class Sums>
    static void in_pieces(std::size_t count, const Sums& sums) {
        constexpr std::size_t piece = 4096;
        for (std::size_t first = 0; first < count; first += piece) {
            sums(first, std::min(first + piece, count));
            S::poll();
        }
    }

    void multiply(double* c, const double* a, const double* b, std::size_t n) {
        if (n == grid_.size) {
            std::fill_n(c, n * n, 0.0);
            add_product_of_blocks<S>(c, a, b, n);
            return;
        }
        const std::size_t half = n / 2;
        const std::size_t count = half * half;
        const quarters left(a, count);
        const quarters right(b, count);
        const auto room = std::make_unique_for_overwrite<double[]>(11 * count);
        double* const s = room.get();
        double* const t = s + 4 * count;
        double* const p = t + 4 * count;
        in_pieces(count, [&](std::size_t first, std::size_t last) {
            sums_of_left(left, s, count, first, last);
            sums_of_right(right, t, count, first, last);
        });
        {
            typename S::scope products;
            const auto spawn = [&](double* to, const double* x, const double* y) {
                *to = no_number_yet;
                products.spawn([=, this] { multiply(to, x, y, half); });
            };
            spawn(p, left.q11, right.q11);                                // p1
            spawn(c, left.q12, right.q21);                                // p2
            spawn(c + count, s + 3 * count, right.q22);                   // p3 = s4 b22
            spawn(c + 2 * count, left.q22, t + 3 * count);                // p4 = a22 t4
            spawn(c + 3 * count, s, t);                                   // p5 = s1 t1
            spawn(p + count, s + count, t + count);                       // p6 = s2 t2
            multiply(p + 2 * count, s + 2 * count, t + 2 * count, half);  // p7 = s3 t3
            products.wait();
        }
        in_pieces(count, [&](std::size_t first, std::size_t last) { sums_of_products(p, c, count, first, last); });
    }

    block_grid grid_;
    std::uint64_t seed_;
    std::vector<double> a_, b_, c_;
};

}  // namespace parley_programs::inline v0
