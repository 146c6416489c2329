// The discrete Fourier transform of n complex numbers, by decimation in time with mixed radices (Cooley, Tukey 1965):
// n is divided by 4 as long as that goes, then by 2, 3, 5 and what primes are left; each step forks the transforms of
// the decimated numbers and then combines them in parallel. The transform of a prime length p is the plain sum, so that
// a step costs n times p: fast for short ones, as the paper's n = 120,000 = 2^6 3 5^4 has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lab/programs/fft_steps.hpp"
#include "lab/programs/fork_both.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// What is shorter is transformed serially; so many numbers or fewer are combined serially.
constexpr std::size_t serial_fft_below = 1024;

// [first, last) in halves, down to `grain` or less.
template <class S, class F>
void in_halves(std::size_t first, std::size_t last, std::size_t grain, const F& work) {
    if (last - first <= grain) {
        work(first, last);
        return;
    }
    const std::size_t middle = first + (last - first) / 2;
    fork_both<S>([&] { in_halves<S>(first, middle, grain, work); }, [&] { in_halves<S>(middle, last, grain, work); });
}

template <class S>
void transform(std::span<const fft_step> steps, const complex_number* in, std::size_t stride, complex_number* out) {
    const fft_step& step = steps.front();
    if (step.part == 1 || step.size() < serial_fft_below) {
        transform_serially(steps, in, stride, out);
        return;
    }
    in_halves<S>(0, step.radix, 1, [&](std::size_t first, std::size_t last) {
        for (; first < last; ++first) {
            transform<S>(steps.subspan(1), in + first * stride, stride * step.radix, out + first * step.part);
        }
    });
    in_halves<S>(0, step.part, std::max(serial_fft_below / step.radix, std::size_t{1}),
                 [&](std::size_t first, std::size_t last) { combine(step, out, first, last); });
}

// A chirp, e^(i pi j^2 / n) or of twice the frequency if n is odd, rotated by what the seed says. Its transform is
// known (Gauss sums), and everywhere of the same magnitude, as it is itself: an error counts alike wherever it is.
[[nodiscard]] std::vector<complex_number> chirp(std::uint64_t n, std::uint64_t seed);

// The greatest error of its transform, relative to the magnitude of that; infinite where it is not a number.
[[nodiscard]] double error_of_chirp(std::span<const complex_number> found, std::uint64_t seed);

// What error rounding explains.
[[nodiscard]] double allowed_error_of_fft(std::uint64_t n);

template <class S>
class fft {
public:
    fft(std::uint64_t n, std::uint64_t seed) : steps_(plan_fft(n)), in_(chirp(n, seed)), out_(n) {}

    // Not timed: numbers of an earlier repetition would hide what a later one leaves out.
    void prepare() {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        std::fill(out_.begin(), out_.end(), complex_number{none, none});
    }

    std::span<const complex_number> operator()() {
        transform<S>(steps_, in_.data(), 1, out_.data());
        return out_;
    }

private:
    fft_plan steps_;
    std::vector<complex_number> in_;
    std::vector<complex_number> out_;
};

}  // namespace parley_programs::inline v0
