// A matrix of blocks of which those that have only zeros are not there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "lab/programs/blocks.hpp"

namespace parley_programs::inline v0 {

class sparse_blocks {
public:
    explicit sparse_blocks(const block_grid& grid) : grid_(grid), blocks_(grid.blocks * grid.blocks) {}

    [[nodiscard]] const block_grid& grid() const noexcept { return grid_; }

    // Null if it has only zeros.
    [[nodiscard]] double* at(std::size_t i, std::size_t j) noexcept { return blocks_[i * grid_.blocks + j].get(); }
    [[nodiscard]] const double* at(std::size_t i, std::size_t j) const noexcept {
        return blocks_[i * grid_.blocks + j].get();
    }

    // With no numbers in it yet.
    double* allocate(std::size_t i, std::size_t j) {
        blocks_[i * grid_.blocks + j] = std::make_unique_for_overwrite<double[]>(grid_.numbers_in_block());
        *at(i, j) = no_number_yet;
        return at(i, j);
    }

    // The same blocks with the same numbers in them. Both have the same grid.
    void copy(const sparse_blocks& other) {
        for (std::size_t i = 0; i < grid_.blocks; ++i) {
            for (std::size_t j = 0; j < grid_.blocks; ++j) {
                if (const double* const from = other.at(i, j); from == nullptr) {
                    blocks_[i * grid_.blocks + j].reset();
                } else {
                    std::copy_n(from, grid_.numbers_in_block(), at(i, j) != nullptr ? at(i, j) : allocate(i, j));
                }
            }
        }
    }

private:
    block_grid grid_;
    std::vector<std::unique_ptr<double[]>> blocks_;
};

}  // namespace parley_programs::inline v0
