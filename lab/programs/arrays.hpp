// Loops over arrays whose bodies take about a nanosecond and which a compiler vectorises: what a scheduler
// adds to them shows. Several passes, as one of them is soon over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/programs/mark.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

struct array_size {
    std::size_t n;
    std::uint32_t passes;
};

// All elements are small whole numbers: results are exact, in whatever order they are added.

// y += a x.
template <class S>
class saxpy {
public:
    static constexpr float a = 2.0F;

    explicit saxpy(const array_size& size) : size_(size), x_(size.n), y_(size.n) {
        for (std::size_t i = 0; i < size.n; ++i) {
            x_[i] = x_at(i);
        }
    }

    // Not timed.
    void prepare() {
        for (std::size_t i = 0; i < size_.n; ++i) {
            y_[i] = y_at(i);
        }
    }
    void operator()() {
        for (std::uint32_t pass = 0; pass < size_.passes; ++pass) {
            S::for_each_index(std::size_t{0}, size_.n, [x = x_.data(), y = y_.data()](std::size_t i) { y[i] += a * x[i]; });
        }
    }
    [[nodiscard]] std::uint64_t sum() const {
        std::uint64_t total = 0;
        for (const float y : y_) {
            total += static_cast<std::uint64_t>(y);
        }
        return total;
    }

    [[nodiscard]] static float x_at(std::size_t i) { return static_cast<float>(1 + i % 13); }
    [[nodiscard]] static float y_at(std::size_t i) { return static_cast<float>(i % 7); }

private:
    array_size size_;
    std::vector<float> x_, y_;
};

// Sums over passes, modulo 2^53: exact in any JSON reader.
constexpr std::uint64_t sum_mask = (std::uint64_t{1} << 53) - 1;

// Without it the compiler might find that all passes have the same result.
inline void pass_ends() noexcept { asm volatile("" : : : "memory"); }

template <class S>
class array_sum {
public:
    explicit array_sum(const array_size& size) : size_(size), x_(size.n) {
        for (std::size_t i = 0; i < size.n; ++i) {
            x_[i] = mark(i);
        }
    }
    std::uint64_t operator()() {
        std::uint64_t total = 0;
        for (std::uint32_t pass = 0; pass < size_.passes; ++pass) {
            total += S::template sum<std::uint64_t>(std::size_t{0}, size_.n,
                                                    [x = x_.data()](std::size_t i) { return std::uint64_t{x[i]}; });
            pass_ends();
        }
        return total & sum_mask;
    }

private:
    array_size size_;
    std::vector<std::uint32_t> x_;
};

// The inner product of marks and factors.
template <class S>
class dot_product {
public:
    explicit dot_product(const array_size& size) : size_(size), x_(size.n), y_(size.n) {
        for (std::size_t i = 0; i < size.n; ++i) {
            x_[i] = mark(i);
            y_[i] = factor(i);
        }
    }
    std::uint64_t operator()() {
        std::uint64_t total = 0;
        for (std::uint32_t pass = 0; pass < size_.passes; ++pass) {
            total += S::template sum<std::uint64_t>(std::size_t{0}, size_.n, [x = x_.data(), y = y_.data()](std::size_t i) {
                return std::uint64_t{x[i]} * std::uint64_t{y[i]};
            });
            pass_ends();
        }
        return total & sum_mask;
    }

    [[nodiscard]] static std::uint32_t factor(std::size_t i) { return static_cast<std::uint32_t>(1 + i % 1009); }

private:
    array_size size_;
    std::vector<std::uint32_t> x_, y_;
};

}  // namespace parley_programs::inline v0
