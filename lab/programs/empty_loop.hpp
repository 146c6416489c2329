// A loop with nothing to do, again and again: what it costs to begin and end one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lab/peers/scheduler.hpp"
#include "lab/programs/mark.hpp"
#include "lab/programs/phased.hpp"

namespace parley_programs::inline v0 {

// The body of no instructions: the compiler keeps it, and with it the loop.
inline void do_nothing() noexcept { asm volatile(""); }

template <class S>
class empty_loops {
public:
    // n indices; at least one loop.
    empty_loops(std::size_t n, std::uint32_t loops) : n_(n), loops_(loops), marks_(n) {}

    // Not timed.
    void prepare() { std::fill(marks_.begin(), marks_.end(), 0U); }

    // All loops are empty but the last one, which leaves marks.
    void operator()() {
        in_phases<S>([this] {
            for (std::uint32_t i = 1; i < loops_; ++i) {
                run_empty();
            }
            last_(std::size_t{0}, n_, [marks = marks_.data()](std::size_t i) { marks[i] += mark(i); });
        });
    }

    [[nodiscard]] std::uint64_t sum() const { return std::accumulate(marks_.begin(), marks_.end(), std::uint64_t{0}); }

private:
    void run_empty() {
        if constexpr (parley_peers::in_rust<S>) {
            S::empty_loop(n_);
        } else {
            empty_(std::size_t{0}, n_, [](std::size_t) { do_nothing(); });
        }
    }

    std::size_t n_;
    std::uint32_t loops_;
    repeated_loop<S> empty_, last_;
    std::vector<std::uint32_t> marks_;
};

}  // namespace parley_programs::inline v0
