// Heat diffusion on a plate as `heat` has it, each step a loop over the rows: many short steps on a small plate.
#pragma once

#include <array>
#include <cstddef>

#include "lab/programs/heat.hpp"
#include "lab/programs/phased.hpp"

namespace parley_programs::inline v0 {

template <class S>
class stencil {
public:
    explicit stencil(const heat_size& size) : size_(size), plates_{plate(size.nx * size.ny), plate(size.nx * size.ny)} {}

    // Not timed: the temperatures before the first step, and the rim, which no step writes.
    void prepare() {
        for (plate& p : plates_) {
            fill_with_noise(p);
        }
    }

    const plate& operator()() {
        in_phases<S>([this] {
            for (unsigned step = 0; step < size_.nt; ++step) {
                loop_(std::size_t{1}, size_.nx - 1,
                      [&before = plates_[step % 2], &after = plates_[(step + 1) % 2], ny = size_.ny](std::size_t row) {
                          diffuse_row(before, after, row, ny);
                      });
            }
        });
        return plates_[size_.nt % 2];
    }

private:
    heat_size size_;
    repeated_loop<S> loop_;
    std::array<plate, 2> plates_;
};

}  // namespace parley_programs::inline v0
