// A parallel loop in a parallel loop, as it comes about when one function calls another: n rows of n bodies
// each, or, of a triangle, row i of i + 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lab/programs/busy.hpp"
#include "lab/programs/mark.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

enum class nest : std::uint8_t { square, triangle };

template <class S>
class nested_loops {
public:
    nested_loops(nest form, std::size_t n, double nanoseconds)
        : form_(form), n_(n), work_(nanoseconds * 1e-3), marks_(first_of(n)) {}

    // Not timed.
    void prepare() { std::fill(marks_.begin(), marks_.end(), 0U); }

    void operator()() {
        S::for_each_index(std::size_t{0}, n_, [this](std::size_t row) {
            const std::size_t first = first_of(row);
            S::for_each_index(first, first_of(row + 1), [marks = marks_.data(), rounds = work_.rounds()](std::size_t i) {
                spin(rounds);
                marks[i] += mark(i);
            });
        });
    }

    [[nodiscard]] std::uint64_t sum() const { return std::accumulate(marks_.begin(), marks_.end(), std::uint64_t{0}); }

private:
    // Bodies of the rows before this one.
    [[nodiscard]] std::size_t first_of(std::size_t row) const noexcept {
        return form_ == nest::square ? row * n_ : row * (row + 1) / 2;
    }

    nest form_;
    std::size_t n_;
    busy_work work_;
    std::vector<std::uint32_t> marks_;
};

}  // namespace parley_programs::inline v0
