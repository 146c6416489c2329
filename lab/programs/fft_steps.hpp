// The serial parts of `fft`: by what a length is divided, the transforms of short lengths, and how they are combined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace parley_programs {

// std::complex multiplies with a look at infinities, which takes longer than the product.
struct complex_number {
    double re;
    double im;

    friend complex_number operator+(complex_number a, complex_number b) noexcept { return {a.re + b.re, a.im + b.im}; }
    friend complex_number operator-(complex_number a, complex_number b) noexcept { return {a.re - b.re, a.im - b.im}; }
    friend complex_number operator*(complex_number a, complex_number b) noexcept {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    friend complex_number operator*(double factor, complex_number a) noexcept { return {factor * a.re, factor * a.im}; }
};

// Numbers with a greater prime factor are refused.
constexpr std::uint64_t greatest_radix = 997;

// What n is divided by, in this order; {1} for 1.
[[nodiscard]] std::vector<std::size_t> radices_of(std::uint64_t n);

[[nodiscard]] bool has_small_factors(std::int64_t n);

// One step: from `radix` transforms of `part` numbers each to one of their product.
struct fft_step {
    std::size_t radix;
    std::size_t part;
    std::vector<complex_number> roots;     // e^(-2 pi i q / radix)
    std::vector<complex_number> twiddles;  // e^(-2 pi i q k / (radix part)), first by k, then by q = 1 ... radix - 1

    [[nodiscard]] std::size_t size() const noexcept { return radix * part; }
};
using fft_plan = std::vector<fft_step>;
[[nodiscard]] fft_plan plan_fft(std::uint64_t n);

// e^(i pi phase / n), for a phase below 2n.
[[nodiscard]] complex_number on_circle(std::uint64_t phase, std::uint64_t n) noexcept;

// The last part of a step, for [first, last) of `part`: who calls it how often does not change a bit of the result,
// as it is compiled once.
void combine(const fft_step& step, complex_number* out, std::size_t first, std::size_t last) noexcept;

// The steps that begin with this one, of every stride-th number.
void transform_serially(std::span<const fft_step> steps, const complex_number* in, std::size_t stride,
                        complex_number* out) noexcept;

}  // namespace parley_programs
