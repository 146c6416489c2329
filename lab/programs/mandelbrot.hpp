// The Mandelbrot set on n x n points, one iteration of the parallel loop for each row: rows through the middle
// of the set take a hundred times as long as those at its edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

struct mandelbrot_size {
    std::size_t n;
    std::uint32_t limit;
    friend bool operator==(const mandelbrot_size&, const mandelbrot_size&) = default;
};

// How often each point of the row is squared until it escapes, at most `limit` times. Compiled once and
// called by all: on processors that fuse multiplications and additions, results depend on where they do.
void squarings_of_row(const mandelbrot_size& size, std::size_t row, std::uint32_t* squarings) noexcept;

// The sum over all points, by a plain loop; the last answer is kept, as all jobs of a measurement ask the same.
[[nodiscard]] std::uint64_t sum_of_squarings(const mandelbrot_size& size);

template <class S>
class mandelbrot {
public:
    explicit mandelbrot(const mandelbrot_size& size) : size_(size), image_(size.n * size.n) {}

    // Not timed.
    void prepare() { std::fill(image_.begin(), image_.end(), 0U); }

    void operator()() {
        S::for_each_index(std::size_t{0}, size_.n,
                          [this](std::size_t row) { squarings_of_row(size_, row, image_.data() + row * size_.n); });
    }

    [[nodiscard]] std::uint64_t sum() const { return std::accumulate(image_.begin(), image_.end(), std::uint64_t{0}); }

private:
    mandelbrot_size size_;
    std::vector<std::uint32_t> image_;
};

}  // namespace parley_programs::inline v0
