#include "lab/programs/fft_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

namespace parley_programs {

// From an eighth of the circle, on which angles are rounded least. The same in all eighths: errors that go around the
// circle once would add up in one number of a chirp's transform.
complex_number on_circle(std::uint64_t phase, std::uint64_t n) noexcept {
    const std::uint64_t quarter = 2 * phase / n;
    const std::uint64_t rest = 2 * phase % n;
    const bool mirrored = 2 * rest > n;
    const double angle = std::numbers::pi / 2.0 * (static_cast<double>(mirrored ? n - rest : rest) / static_cast<double>(n));
    const double near = std::cos(angle);
    const double far = std::sin(angle);
    const complex_number in_first = mirrored ? complex_number{far, near} : complex_number{near, far};
    switch (quarter) {
        case 0: return in_first;
        case 1: return {-in_first.im, in_first.re};
        case 2: return {-in_first.re, -in_first.im};
        default: return {in_first.im, -in_first.re};
    }
}

namespace {

// e^(-2 pi i q / n), for q below n.
complex_number root_of_unity(std::uint64_t q, std::uint64_t n) noexcept { return on_circle(2 * (n - q) % (2 * n), n); }

complex_number times_minus_i(complex_number a) noexcept { return {a.im, -a.re}; }

template <std::size_t Radix>
using inputs = std::array<complex_number, Radix>;

// Transforms of the short lengths: each writes its results through put(r, value).
template <class Put>
void short_transform(const inputs<2>& t, const Put& put) noexcept {
    put(0, t[0] + t[1]);
    put(1, t[0] - t[1]);
}

template <class Put>
void short_transform(const inputs<3>& t, const Put& put) noexcept {
    constexpr double sine = std::numbers::sqrt3 / 2.0;  // of a third of the circle
    const complex_number sum = t[1] + t[2];
    const complex_number middle = t[0] - 0.5 * sum;
    const complex_number turned = times_minus_i(sine * (t[1] - t[2]));
    put(0, t[0] + sum);
    put(1, middle + turned);
    put(2, middle - turned);
}

template <class Put>
void short_transform(const inputs<4>& t, const Put& put) noexcept {
    const complex_number even = t[0] + t[2];
    const complex_number odd = t[1] + t[3];
    const complex_number even_difference = t[0] - t[2];
    const complex_number turned = times_minus_i(t[1] - t[3]);
    put(0, even + odd);
    put(1, even_difference + turned);
    put(2, even - odd);
    put(3, even_difference - turned);
}

template <class Put>
void short_transform(const inputs<5>& t, const Put& put) noexcept {
    constexpr double cosine_of_1 = 0.30901699437494742410;  // of one and of two fifths of the circle
    constexpr double cosine_of_2 = -0.80901699437494742410;
    constexpr double sine_of_1 = 0.95105651629515357212;
    constexpr double sine_of_2 = 0.58778525229247312917;
    const complex_number outer = t[1] + t[4];
    const complex_number inner = t[2] + t[3];
    const complex_number outer_difference = t[1] - t[4];
    const complex_number inner_difference = t[2] - t[3];
    const complex_number first = t[0] + cosine_of_1 * outer + cosine_of_2 * inner;
    const complex_number second = t[0] + cosine_of_2 * outer + cosine_of_1 * inner;
    const complex_number first_turned = times_minus_i(sine_of_1 * outer_difference + sine_of_2 * inner_difference);
    const complex_number second_turned = times_minus_i(sine_of_2 * outer_difference - sine_of_1 * inner_difference);
    put(0, t[0] + outer + inner);
    put(1, first + first_turned);
    put(2, second + second_turned);
    put(3, second - second_turned);
    put(4, first - first_turned);
}

// The transform for one k: its inputs come from get(q).
template <std::size_t Radix, class Get, class Put>
void butterfly(const fft_step&, const Get& get, const Put& put) noexcept {
    inputs<Radix> t;
    for (std::size_t q = 0; q < Radix; ++q) {
        t[q] = get(q);
    }
    short_transform(t, put);
}

// The same of any length, by the plain sum.
template <class Get, class Put>
void butterfly_of_any(const fft_step& step, const Get& get, const Put& put) noexcept {
    inputs<greatest_radix> t;
    for (std::size_t q = 0; q < step.radix; ++q) {
        t[q] = get(q);
    }
    for (std::size_t r = 0; r < step.radix; ++r) {
        complex_number sum{};
        for (std::size_t q = 0, turn = 0; q < step.radix; ++q) {
            sum = sum + t[q] * step.roots[turn];
            turn += r;
            turn -= turn < step.radix ? 0 : step.radix;
        }
        put(r, sum);
    }
}

// Calls work(butterfly of the step's radix).
template <class Work>
void with_butterfly(const fft_step& step, const Work& work) noexcept {
    const auto by = [&]<std::size_t Radix>(std::integral_constant<std::size_t, Radix>) {
        work([&](const auto& get, const auto& put) { butterfly<Radix>(step, get, put); });
    };
    switch (step.radix) {
        case 2: return by(std::integral_constant<std::size_t, 2>{});
        case 3: return by(std::integral_constant<std::size_t, 3>{});
        case 4: return by(std::integral_constant<std::size_t, 4>{});
        case 5: return by(std::integral_constant<std::size_t, 5>{});
        default: work([&](const auto& get, const auto& put) { butterfly_of_any(step, get, put); });
    }
}

// Of the decimated numbers, without the transforms below: they are of one number each.
void transform_last(const fft_step& step, const complex_number* in, std::size_t stride, complex_number* out) noexcept {
    with_butterfly(step, [&](const auto& butterfly) {
        butterfly([&](std::size_t q) { return in[q * stride]; },
                  [&](std::size_t r, complex_number value) { out[r] = value; });
    });
}

}  // namespace

std::vector<std::size_t> radices_of(std::uint64_t n) {
    std::vector<std::size_t> radices;
    const auto divide_by = [&](std::uint64_t radix) {
        for (; n % radix == 0; n /= radix) {
            radices.push_back(radix);
        }
    };
    divide_by(4);
    divide_by(2);
    for (std::uint64_t p = 3; p * p <= n; p += 2) {
        divide_by(p);
    }
    if (n > 1 || radices.empty()) {
        radices.push_back(n);
    }
    return radices;
}

bool has_small_factors(std::int64_t n) {
    const auto radices = radices_of(static_cast<std::uint64_t>(n));
    return *std::max_element(radices.begin(), radices.end()) <= greatest_radix;
}

fft_plan plan_fft(std::uint64_t n) {
    fft_plan steps;
    for (const std::size_t radix : radices_of(n)) {
        fft_step step{radix, n / radix, {}, {}};
        for (std::size_t q = 0; q < radix; ++q) {
            step.roots.push_back(root_of_unity(q, radix));
        }
        if (step.part > 1) {
            step.twiddles.reserve(step.part * (radix - 1));
            for (std::size_t k = 0; k < step.part; ++k) {
                for (std::size_t q = 1; q < radix; ++q) {
                    step.twiddles.push_back(root_of_unity(q * k, n));
                }
            }
        }
        n = step.part;
        steps.push_back(std::move(step));
    }
    return steps;
}

[[gnu::noinline]] void combine(const fft_step& step, complex_number* out, std::size_t first, std::size_t last) noexcept {
    with_butterfly(step, [&](const auto& butterfly) {
        const std::size_t part = step.part;
        const complex_number* twiddles = step.twiddles.data() + first * (step.radix - 1);
        for (std::size_t k = first; k < last; ++k, twiddles += step.radix - 1) {
            butterfly([&](std::size_t q) { return q == 0 ? out[k] : out[q * part + k] * twiddles[q - 1]; },
                      [&](std::size_t r, complex_number value) { out[r * part + k] = value; });
        }
    });
}

[[gnu::noinline]] void transform_serially(std::span<const fft_step> steps, const complex_number* in, std::size_t stride,
                                          complex_number* out) noexcept {
    const fft_step& step = steps.front();
    if (step.part == 1) {
        transform_last(step, in, stride, out);
        return;
    }
    for (std::size_t q = 0; q < step.radix; ++q) {
        transform_serially(steps.subspan(1), in + q * stride, stride * step.radix, out + q * step.part);
    }
    combine(step, out, 0, step.part);
}

}  // namespace parley_programs
