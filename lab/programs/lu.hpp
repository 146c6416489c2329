// LU decomposition of a sparse matrix, block by block and without pivoting (thesis, sections 2.8 and 6.9; the sparselu
// of the Barcelona OpenMP Tasks Suite: Duran et al., ICPP 2009). Step k decomposes the diagonal block k, then divides
// the blocks beside and below it by that, then subtracts their products from all blocks beyond: a task for each block
// that is not zero. The last two parts are phases: a phase begins when the one before has ended.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/programs/program.hpp"
#include "lab/programs/sparse_blocks.hpp"

namespace parley_programs::inline v0 {

// How a phase ends: all its futures are awaited (section 6.9), or a task barrier finds that no task is left
// (section 4.2.2, figure 4.9 (b)).
enum class lu_form : std::uint8_t { futures, barriers };

// The suite's pattern of blocks that are not zero at first: three diagonals, and what is in even rows and columns to
// the right of and below every sixth block of the diagonal.
[[nodiscard]] constexpr bool begins_nonzero(std::size_t i, std::size_t j) noexcept {
    const std::size_t distance = i < j ? j - i : i - j;
    return distance <= 1 || (i % 2 == 0 && j % 2 == 0 && std::min(i, j) % 3 == 0);
}

// Tasks by what they do, in the suite's words: fwd to the right of the diagonal, bdiv below it, bmod beyond.
struct lu_tasks {
    std::uint64_t fwd = 0;
    std::uint64_t bdiv = 0;
    std::uint64_t bmod = 0;
    [[nodiscard]] std::uint64_t all() const noexcept { return fwd + bdiv + bmod; }
    friend bool operator==(const lu_tasks&, const lu_tasks&) = default;
};
[[nodiscard]] lu_tasks tasks_of_lu(std::size_t blocks);

// Random numbers between -1 and 1, and 2 + sqrt(n) on the diagonal: that makes up for the missing pivots.
[[nodiscard]] sparse_blocks make_lu_matrix(const block_grid& grid, std::uint64_t seed);

// For a random x, the greatest difference between the numbers of a x and l (u x), each relative to what rounding
// can do to it: |l| (|u| |x|) of the same row. `factors` has u, and below its diagonal l without the ones.
[[nodiscard]] double error_of_lu(const sparse_blocks& a, const sparse_blocks& factors, std::uint64_t seed);

// What error rounding explains, on any matrix (Higham 2002, theorem 9.3): each of the four products, l u, a x, u x and
// l (u x), rounds its sums of n numbers by n units of half an epsilon.
[[nodiscard]] double allowed_error_of_lu(std::size_t n);

// A scheduler's futures, where it has them apart from its scopes.
template <class S>
struct futures_of {
    using type = typename S::scope;
};
template <class S>
    requires requires { typename S::futures; }
struct futures_of<S> {
    using type = typename S::futures;
};

template <class S>
class sparse_lu {
public:
    sparse_lu(const block_grid& grid, lu_form form, std::uint64_t seed)
        : size_(grid.size), form_(form), seed_(seed), original_(make_lu_matrix(grid, seed)), blocks_(grid) {}

    // Not timed.
    void prepare() { blocks_.copy(original_); }

    void operator()() {
        for (std::size_t k = 0; k < blocks_.grid().blocks; ++k) {
            step(k);
        }
    }

    // Of the last repetition.
    [[nodiscard]] const sparse_blocks& factors() const noexcept { return blocks_; }
    [[nodiscard]] double error() const { return error_of_lu(original_, blocks_, seed_); }

private:
    void step(std::size_t k) {
        decompose(k);
        const std::vector<std::size_t> rows = nonzero_after(k, [&](std::size_t i) { return blocks_.at(i, k); });
        const std::vector<std::size_t> columns = nonzero_after(k, [&](std::size_t j) { return blocks_.at(k, j); });
        phase([&](auto& tasks) {
            for (const std::size_t j : columns) {
                tasks.spawn([=, this] { divide_right(k, j); });
            }
            for (const std::size_t i : rows) {
                tasks.spawn([=, this] { divide_below(i, k); });
            }
        });
        const std::vector<bool> filled_in = fill_in(rows, columns);
        phase([&](auto& tasks) {
            auto next = filled_in.begin();
            for (const std::size_t i : rows) {
                for (const std::size_t j : columns) {
                    const bool is_new = *next++;
                    tasks.spawn([=, this] { subtract_product(i, j, k, is_new); });
                }
            }
        });
    }

    template <class At>
    [[nodiscard]] std::vector<std::size_t> nonzero_after(std::size_t k, const At& at) const {
        std::vector<std::size_t> found;
        for (std::size_t i = k + 1; i < blocks_.grid().blocks; ++i) {
            if (at(i) != nullptr) {
                found.push_back(i);
            }
        }
        return found;
    }

    // Here and not in the tasks: memory may run out, and not every scheduler's tasks may throw.
    [[nodiscard]] std::vector<bool> fill_in(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
        std::vector<bool> is_new;
        for (const std::size_t i : rows) {
            for (const std::size_t j : columns) {
                is_new.push_back(blocks_.at(i, j) == nullptr);
                if (is_new.back()) {
                    blocks_.allocate(i, j);
                }
            }
        }
        return is_new;
    }

    // make(tasks) spawns them.
    template <class Make>
    void phase(const Make& make) {
        if (form_ == lu_form::futures) {
            typename futures_of<S>::type tasks;
            make(tasks);
            tasks.wait();
            return;
        }
        typename S::group tasks;
        tasks.run([&] { make(tasks); });
    }

    // The suite's lu0.
    void decompose(std::size_t k) {
        double* const diagonal = blocks_.at(k, k);
        for (std::size_t row = 0; row < size_; ++row) {
            eliminate(diagonal + row * size_, diagonal, row, size_);
            S::poll();
        }
    }

    // fwd: by the lower triangle, whose diagonal has ones.
    void divide_right(std::size_t k, std::size_t j) {
        const double* const diagonal = blocks_.at(k, k);
        double* const block = blocks_.at(k, j);
        for (std::size_t row = 0; row < size_; ++row) {
            subtract_products(block + row * size_, diagonal + row * size_, block, row, size_);
            S::poll();
        }
    }

    // bdiv: by the upper triangle.
    void divide_below(std::size_t i, std::size_t k) {
        double* const block = blocks_.at(i, k);
        for (std::size_t row = 0; row < size_; ++row) {
            eliminate(block + row * size_, blocks_.at(k, k), size_, size_);
            S::poll();
        }
    }

    // bmod.
    void subtract_product(std::size_t i, std::size_t j, std::size_t k, bool is_new) {
        double* const block = blocks_.at(i, j);
        if (is_new) {
            std::fill_n(block, size_ * size_, 0.0);
        }
        for (std::size_t row = 0; row < size_; ++row) {
            subtract_products(block + row * size_, blocks_.at(i, k) + row * size_, blocks_.at(k, j), size_, size_);
            S::poll();
        }
    }

    std::size_t size_;
    lu_form form_;
    std::uint64_t seed_;
    sparse_blocks original_;
    sparse_blocks blocks_;
};

}  // namespace parley_programs::inline v0
