// The generator behind the choice of victims.
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace {

using parley::base::rng;

// The first numbers of SplitMix64 as its authors' reference code prints them.
TEST(Rng, IsSplitMix64) {
    rng zero(0);
    EXPECT_EQ(zero.next(), 0xE220A8397B1DCDAFu);
    EXPECT_EQ(zero.next(), 0x6E789E6AA1B965F4u);
    EXPECT_EQ(zero.next(), 0x06C45D188009454Fu);
    rng other(1234567);
    EXPECT_EQ(other.next(), 6457827717110365317u);
    EXPECT_EQ(other.next(), 3203168211198807973u);
    EXPECT_EQ(other.next(), 9817491932198370423u);
}

TEST(Rng, SameSeedSameNumbers) {
    rng a(42);
    rng b(42);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
    EXPECT_EQ(a, b);
    (void)a.next();
    EXPECT_NE(a, b);
}

TEST(Rng, CopiesGoOnAlike) {
    rng a(7);
    (void)a.next();
    rng b = a;
    EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, WorksAtCompileTime) {
    static_assert([] {
        rng r(0);
        return r.next();
    }() == 0xE220A8397B1DCDAFu);
    static_assert([] {
        rng r(3);
        return r.below(10) < 10;
    }());
}

TEST(Rng, BelowStaysBelow) {
    rng r(5);
    constexpr auto largest = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 1000u, 1u << 31, largest})
        for (int i = 0; i < 1000; ++i) ASSERT_LT(r.below(bound), bound);
}

TEST(Rng, BelowOneIsZero) {
    rng r(6);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(r.below(1), 0u);
}

// 7 does not divide a power of two: a truncated remainder or too few bits would show.
TEST(Rng, BelowIsUniform) {
    constexpr std::uint32_t bound = 7;
    constexpr int draws = 70'000;
    std::array<int, bound> seen{};
    rng r(1);
    for (int i = 0; i < draws; ++i) ++seen[r.below(bound)];
    // Standard deviation of each count: 93. Five of them.
    for (const int count : seen) EXPECT_NEAR(count, draws / static_cast<int>(bound), 465);
}

}  // namespace
