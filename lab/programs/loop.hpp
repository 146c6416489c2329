// A loop whose iterations compute for given times: the five kinds of the thesis (section 5.4.1), from many short
// ones to few long ones, in all orders.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/programs/busy.hpp"
#include "lab/programs/mark.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

enum class loop_kind : std::uint8_t { fine, coarse, random, increasing, decreasing };

// FG, CG, RG, IG, DG.
[[nodiscard]] std::optional<loop_kind> loop_kind_named(std::string_view name);

struct loop_shape {
    loop_kind kind = loop_kind::fine;
    std::uint64_t n = 0;
    double t = 1.0;  // microseconds of the longest iterations
    std::uint64_t seed = 1;
    double poll = 0.0;         // microseconds after which an iteration polls, again and again; 0: never
    std::uint64_t passes = 1;  // the loop is run so many times, at most 256: so a sum of marks fits

    // How long iteration i computes: of fine and coarse ones all the same; random ones t, t/10 ... t/10000, the
    // shorter the more (of 15: 1, 2, 3, 4, 5); else from 1 to t or back, in equal steps.
    [[nodiscard]] double microseconds(std::uint64_t i) const noexcept;
};

template <class S>
class loop_of_lengths {
public:
    explicit loop_of_lengths(const loop_shape& shape) : shape_(shape), marks_(shape.n) {
        if (shape.poll > 0.0) {
            slice_ = std::max(static_cast<std::uint64_t>(shape.poll * rounds_), std::uint64_t{1});
        }
    }

    // Not timed.
    void prepare() { std::fill(marks_.begin(), marks_.end(), 0U); }

    void operator()() {
        for (std::uint64_t i = 0; i < shape_.passes; ++i) {
            pass();
        }
    }

    [[nodiscard]] std::uint64_t sum() const { return std::accumulate(marks_.begin(), marks_.end(), std::uint64_t{0}); }

private:
    void pass() {
        S::for_each_index(std::uint64_t{0}, shape_.n, [this, marks = marks_.data()](std::uint64_t i) {
            auto left = static_cast<std::uint64_t>(shape_.microseconds(i) * rounds_);
            for (; left > slice_; left -= slice_) {
                spin(slice_);
                S::poll();
            }
            spin(left);
            marks[i] += mark(i);
        });
    }

    loop_shape shape_;
    double rounds_ = rounds_per_microsecond();
    std::uint64_t slice_ = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint32_t> marks_;
};

}  // namespace parley_programs::inline v0
