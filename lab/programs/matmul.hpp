// The product of two matrices, block by block (thesis, sections 2.8 and 6.8): in phase k, every block (i, j) of the
// result gets the product of blocks (i, k) and (k, j). A phase has a task for each block or is a loop over them, which
// the thesis has as a splittable task, and ends before the next one begins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/programs/blocks.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

template <class S>
class matmul {
public:
    matmul(const block_grid& grid, std::uint64_t seed)
        : grid_(grid), seed_(seed), a_(grid.n() * grid.n()), b_(a_.size()), c_(a_.size()) {
        fill_with_small_numbers(a_, seed);
        fill_with_small_numbers(b_, ~seed);
    }

    // Not timed.
    void prepare() { std::fill(c_.begin(), c_.end(), 0.0); }

    void by_tasks() {
        for (std::size_t k = 0; k < grid_.blocks; ++k) {
            typename S::group phase;
            phase.run([&] {
                for (std::size_t i = 0; i < grid_.blocks; ++i) {
                    for (std::size_t j = 0; j < grid_.blocks; ++j) {
                        phase.spawn([=, this] { add_product(i, j, k); });
                    }
                }
            });
        }
    }

    void by_loops() {
        for (std::size_t k = 0; k < grid_.blocks; ++k) {
            S::for_each_index(std::size_t{0}, grid_.blocks * grid_.blocks,
                              [=, this](std::size_t block) { add_product(block / grid_.blocks, block % grid_.blocks, k); });
        }
    }

    // Of the result: 0 if it is right.
    [[nodiscard]] double error() const {
        const auto blocks_of = [this](const std::vector<double>& matrix) {
            return [this, &matrix](std::size_t i, std::size_t j) { return matrix.data() + offset(i, j); };
        };
        return error_of_product(grid_, blocks_of(a_), blocks_of(b_), blocks_of(c_), seed_);
    }

private:
    [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const noexcept {
        return (i * grid_.blocks + j) * grid_.numbers_in_block();
    }
    void add_product(std::size_t i, std::size_t j, std::size_t k) {
        add_product_of_blocks<S>(&c_[offset(i, j)], &a_[offset(i, k)], &b_[offset(k, j)], grid_.size);
    }

    block_grid grid_;
    std::uint64_t seed_;
    std::vector<double> a_, b_, c_;
};

// The thesis' tasks (table 2.1, figure 6.6): one for each block in each phase.
[[nodiscard]] constexpr std::uint64_t tasks_of_matmul(std::uint64_t blocks) noexcept { return blocks * blocks * blocks; }

}  // namespace parley_programs::inline v0
