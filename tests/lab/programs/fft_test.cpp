#include "lab/programs/fft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <parley/detail/base/rng.hpp>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::watched;
using numbers = std::vector<complex_number>;

numbers random_numbers(std::size_t n) {
    ::parley::base::rng random(n);
    const auto next = [&random] { return static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5; };
    numbers all(n);
    for (complex_number& number : all) {
        number.re = next();
        number.im = next();
    }
    return all;
}

// By its definition.
numbers plain_transform(const numbers& in) {
    const std::size_t n = in.size();
    numbers out(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            const double angle = -2.0 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
            out[k] = out[k] + in[j] * complex_number{std::cos(angle), std::sin(angle)};
        }
    }
    return out;
}

double greatest_difference(const numbers& a, const numbers& b) {
    double greatest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        greatest = std::max(greatest, std::hypot(a[i].re - b[i].re, a[i].im - b[i].im));
    }
    return greatest;
}

template <class S>
numbers transformed(const numbers& in) {
    numbers out(in.size());
    transform<S>(plan_fft(in.size()), in.data(), 1, out.data());
    return out;
}

TEST(Fft, RadicesAreFoursAndPrimes) {
    using radices = std::vector<std::size_t>;
    EXPECT_EQ(radices_of(1), radices{1});
    EXPECT_EQ(radices_of(2), radices{2});
    EXPECT_EQ(radices_of(120'000), (radices{4, 4, 4, 3, 5, 5, 5, 5}));
    EXPECT_EQ(radices_of(2 * 49 * 997), (radices{2, 7, 7, 997}));
    EXPECT_EQ(radices_of(67'108'859), radices{67'108'859}) << "a prime";
    EXPECT_TRUE(has_small_factors(1));
    EXPECT_TRUE(has_small_factors(997 * 997));
    EXPECT_FALSE(has_small_factors(1009));
    EXPECT_FALSE(has_small_factors(67'108'859));
}

TEST(Fft, IsTheTransformOfAnything) {
    std::vector<std::size_t> lengths{997, 1024, 1200, 1250, 1536, 2187, 2 * 7 * 11 * 13};
    for (std::size_t n = 1; n <= 130; ++n) {
        lengths.push_back(n);
    }
    for (const std::size_t n : lengths) {
        const numbers in = random_numbers(n);
        const double bound = 1e-15 * static_cast<double>(n) + 1e-15;  // the plain one is not exact, either
        EXPECT_LT(greatest_difference(transformed<serial>(in), plain_transform(in)), bound) << n;
    }
}

TEST(Fft, TransformOfTheChirpIsKnown) {
    for (std::size_t n = 1; n <= 130; ++n) {
        for (const std::uint64_t seed : {1U, 2U}) {
            const numbers found = plain_transform(chirp(n, seed));
            EXPECT_LT(error_of_chirp(found, seed), 1e-15 * static_cast<double>(n) + 1e-15) << n;
        }
    }
}

TEST(Fft, ErrorIsWithinItsBound) {
    const auto error_of = [](std::size_t n) { return error_of_chirp(transformed<serial>(chirp(n, 3)), 3); };
    for (std::uint64_t n = 1; n <= 700; ++n) {
        EXPECT_LE(error_of(n), allowed_error_of_fft(n) / 2.0) << n;
    }
    for (const std::uint64_t n : {1U << 16U, 59'049U, 78'125U, 120'000U, 997U * 16U}) {
        EXPECT_LE(error_of(n), allowed_error_of_fft(n) / 2.0) << n;
    }
}

TEST(Fft, ParleyFindsTheSameToTheLastBit) {
    for (const std::size_t n : {1U, 1000U, 1024U, 5000U, 8192U, 30'030U, 120'000U}) {
        const numbers in = random_numbers(n);
        const numbers expected = transformed<serial>(in);
        for (const unsigned workers : {1U, 2U, 3U}) {
            parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
            const numbers found = pool.run([&in] { return transformed<parley_peers::parley>(in); });
            EXPECT_EQ(std::memcmp(found.data(), expected.data(), n * sizeof(complex_number)), 0) << n << " " << workers;
        }
    }
}

TEST(Fft, LostCallShows) {
    constexpr std::uint64_t n = 6000;
    const auto error = [](std::uint64_t lost) {
        fft<watched> f(n, 1);
        f.prepare();
        watched::begin(lost);
        return error_of_chirp(f(), 1);
    };
    EXPECT_LE(error(0), allowed_error_of_fft(n));
    const std::uint64_t forks = watched::forks;
    EXPECT_GT(forks, 10U);
    for (std::uint64_t lost = 1; lost <= forks; ++lost) {
        EXPECT_GT(error(lost), allowed_error_of_fft(n)) << lost;
    }
}

TEST(Fft, WrongNumberShowsWhereverItIs) {
    constexpr std::uint64_t n = 360;
    const numbers right = transformed<serial>(chirp(n, 1));
    for (std::size_t k = 0; k < n; ++k) {
        numbers wrong = right;
        wrong[k].im += 1e-12 * std::sqrt(static_cast<double>(n));
        EXPECT_GT(error_of_chirp(wrong, 1), allowed_error_of_fft(n)) << k;
        wrong[k].im = std::nan("");
        EXPECT_EQ(error_of_chirp(wrong, 1), std::numeric_limits<double>::infinity()) << k;
    }
    EXPECT_GT(error_of_chirp(right, 2), 0.1) << "another seed is another chirp";
    numbers backwards = right;
    std::reverse(backwards.begin() + 1, backwards.end());
    EXPECT_GT(error_of_chirp(backwards, 1), 0.1);
}

TEST(Fft, RepetitionsBeginAnew) {
    fft<watched> f(6000, 1);
    f.prepare();
    watched::begin();
    EXPECT_LE(error_of_chirp(f(), 1), allowed_error_of_fft(6000));
    f.prepare();
    watched::begin(watched::forks);  // the last one, whose numbers are those of the first repetition otherwise
    EXPECT_GT(error_of_chirp(f(), 1), allowed_error_of_fft(6000));
}

TEST(Fft, LargerSizesAreThoseOfTheBiasPaper) {
    for (const std::string& size : size_names()) {
        request r;
        r.size = size;
        EXPECT_EQ(find_program("fft")->parameters(r), (json{{"n", size == "small" ? 2'000'000 : 120'000}, {"seed", 1}}));
        r.given = {{"n", "6"}};
        r.seed = 4;
        EXPECT_EQ(find_program("fft")->parameters(r), (json{{"n", 6}, {"seed", 4}}));
    }
}

TEST(Fft, BoundsAreKnownInPlaceOfValues) {
    const json known = find_program("fft")->known({{"n", 120'000}, {"seed", 1}}).at("error");
    EXPECT_TRUE(agrees(0.0, known));
    EXPECT_TRUE(agrees(known.at("at_most"), known));
    EXPECT_FALSE(agrees(1e-10, known));
    EXPECT_FALSE(agrees(nullptr, known));
    EXPECT_FALSE(agrees(std::nan(""), known));
    EXPECT_FALSE(agrees(std::numeric_limits<double>::infinity(), known));
    EXPECT_TRUE(agrees(3, 3));
    EXPECT_FALSE(agrees(3, 4));
}

}  // namespace
