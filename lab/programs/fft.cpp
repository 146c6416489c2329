#include "lab/programs/fft.hpp"

#include <cmath>
#include <numbers>
#include <parley/detail/base/rng.hpp>

#include "lab/programs/choice.hpp"
#include "lab/programs/job_of.hpp"
#include "lab/programs/programs.hpp"

namespace parley_programs::inline v0 {
namespace {

std::uint64_t rotation_of(std::uint64_t n, std::uint64_t seed) noexcept { return parley::base::rng(seed).next() % n; }

// All phases below are multiples of pi / n, modulo 2n; squares of what is below n fit, as n is at most 2^24.
std::uint64_t phase_of_input(std::uint64_t j, std::uint64_t n) noexcept { return (n % 2 == 0 ? 1 : 2) * j * j % (2 * n); }

// Of the sum over j of e^(i pi phase_of_input(j) / n), which is sqrt(n) of magnitude.
complex_number gauss_sum(std::uint64_t n) noexcept {
    constexpr double half = std::numbers::sqrt2 / 2.0;
    return n % 2 == 0 ? complex_number{half, half} : n % 4 == 1 ? complex_number{1.0, 0.0} : complex_number{0.0, 1.0};
}

}  // namespace

std::vector<complex_number> chirp(std::uint64_t n, std::uint64_t seed) {
    const std::uint64_t rotation = rotation_of(n, seed);
    std::vector<complex_number> numbers(n);
    for (std::uint64_t j = 0; j < n; ++j) {
        numbers[j] = on_circle(phase_of_input((j + rotation) % n, n), n);
    }
    return numbers;
}

double error_of_chirp(std::span<const complex_number> found, std::uint64_t seed) {
    const std::uint64_t n = found.size();
    const std::uint64_t rotation = rotation_of(n, seed);
    const double magnitude = std::sqrt(static_cast<double>(n));
    double greatest = 0.0;
    for (std::uint64_t k = 0; k < n; ++k) {
        // The square is completed: of j, by half of k modulo n, where n is odd.
        const std::uint64_t centre = n % 2 == 0 ? k : k * ((n + 1) / 2) % n;
        const std::uint64_t phase = (2 * n - phase_of_input(centre, n) + 2 * (k * rotation % n)) % (2 * n);
        const complex_number expected = magnitude * (gauss_sum(n) * on_circle(phase, n));
        const complex_number difference = found[k] - expected;
        const double error = std::hypot(difference.re, difference.im) / magnitude;
        if (!(error < std::numeric_limits<double>::infinity())) {
            return std::numeric_limits<double>::infinity();
        }
        greatest = std::max(greatest, error);
    }
    return greatest;
}

double allowed_error_of_fft(std::uint64_t n) {
    double additions = 1.0;
    for (const std::size_t radix : radices_of(n)) {
        additions += static_cast<double>(radix);
    }
    return 2.0 * std::numeric_limits<double>::epsilon() * additions;
}

namespace {

template <class S>
class fft_kernel {
public:
    fft_kernel(const json& parameters, typename S::pool&)
        : seed_(parameters.at("seed").get<std::uint64_t>()), fft_(parameters.at("n").get<std::uint64_t>(), seed_) {}
    void prepare() { fft_.prepare(); }
    std::span<const complex_number> operator()() { return fft_(); }
    json describe(std::span<const complex_number> found) const { return {{"error", error_of_chirp(found, seed_)}}; }
    static json so_far() { return nullptr; }

private:
    std::uint64_t seed_;
    fft<S> fft_;
};

// The BIAS paper transforms 120,000 numbers, which takes some milliseconds; others have no such program and get the
// same. Small is 2^7 5^6.
json parameters(const request& wanted) {
    return {{"n", given_or(wanted, "n", wanted.size == "small" ? 2'000'000 : 120'000)}, {"seed", wanted.seed.value_or(1)}};
}

json known(const json& parameters) {
    return {{"error", {{"at_most", allowed_error_of_fft(parameters.at("n").get<std::uint64_t>())}}}};
}

}  // namespace

program fft_program() {
    program p{};
    p.name = "fft";
    p.summary = "fast Fourier transform of n complex numbers, mixed radices, divided and conquered";
    p.options = {{"n",
                  "numbers; a prime factor p costs n times p",
                  1,
                  16'777'216,
                  {},
                  has_small_factors,
                  "without a prime factor above 997"}};
    p.parameters = parameters;
    p.known = known;
    p.make = make_forking_job<fft_kernel>;
    p.forks = true;
    return p;
}

}  // namespace parley_programs::inline v0
