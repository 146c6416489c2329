// Heat diffusion on a plate by Jacobi's iteration: in each step every point moves towards the mean
// of its four neighbours of the step before; the rim keeps its temperature. The rows are halved
// down to ten, as the columns of MIT Cilk's heat are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "lab/programs/fork_both.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// nx rows of ny points, and how many steps.
struct heat_size {
    std::size_t nx;
    std::size_t ny;
    unsigned nt;
    friend bool operator==(const heat_size&, const heat_size&) = default;
};

// Temperatures, row by row.
using plate = std::vector<double>;

// One step of the inner points of one row. Compiled once and called by all: whatever the compiler
// makes of it, the results of different schedulers are the same to the last bit.
void diffuse_row(const plate& before, plate& after, std::size_t row, std::size_t ny) noexcept;

// The share of the way to each neighbour that a point goes in a step; stable up to 1/4.
constexpr double diffusion_rate = 0.2;

// Every point of it differs from its neighbours, so that a step that is left out anywhere shows.
void fill_with_noise(plate& p) noexcept;

// What nt steps make of the noise, by plain loops; the last answer is kept, as the jobs of a
// measurement all ask the same.
[[nodiscard]] std::shared_ptr<const plate> expected_plate(const heat_size& size);

template <class S>
class heat {
public:
    explicit heat(const heat_size& size) : size_(size), now_(size.nx * size.ny), next_(size.nx * size.ny) {}

    // Not timed: the temperatures before the first step.
    void prepare() {
        prepare([](plate& p) { fill_with_noise(p); });
    }
    void prepare(const std::function<void(plate&)>& fill) {
        fill(now_);
        next_ = now_;  // for the rim, which no step writes
    }

    const plate& operator()() {
        for (unsigned step = 0; step < size_.nt; ++step) {
            diffuse(1, size_.nx - 1);
            now_.swap(next_);
        }
        return now_;
    }

private:
    static constexpr std::size_t rows_of_a_leaf = 10;

    void diffuse(std::size_t first, std::size_t last) {
        if (last - first > rows_of_a_leaf) {
            const std::size_t middle = first + (last - first) / 2;
            fork_both<S>([=, this] { diffuse(first, middle); }, [=, this] { diffuse(middle, last); });
            return;
        }
        for (std::size_t row = first; row < last; ++row) {
            diffuse_row(now_, next_, row, size_.ny);
        }
    }

    heat_size size_;
    plate now_;
    plate next_;
};

}  // namespace parley_programs::inline v0
