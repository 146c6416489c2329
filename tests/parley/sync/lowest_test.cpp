// The lowest number that several parties name.
#include <parley/detail/sync/lowest.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace {

using parley::sync::lowest;

TEST(Lowest, IsLoweredAndNeverRaised) {
    lowest l(10);
    l.lower_to(12);
    EXPECT_EQ(l.get(), 10u);
    l.lower_to(3);
    l.lower_to(7);
    EXPECT_EQ(l.get(), 3u);
}

TEST(Lowest, OfWhatManyThreadsNameIsTheLowest) {
    for (int round = 0; round < 50; ++round) {
        lowest l(1'000'000);
        std::vector<std::thread> threads;
        for (std::uint64_t t = 0; t < 4; ++t)
            threads.emplace_back([&l, t] {
                for (std::uint64_t n = 1'000; n > 0; --n) l.lower_to(4 * n + t);
            });
        for (std::thread& t : threads) t.join();
        ASSERT_EQ(l.get(), 4u);
    }
}

}  // namespace
