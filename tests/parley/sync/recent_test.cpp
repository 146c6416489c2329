// recent: the last entries of one writer.
#include <parley/detail/sync/recent.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>

namespace {

using channel_test::in_parallel;
using parley::sync::recent;

TEST(Recent, KeepsTheLastEntries) {
    recent r(4);
    EXPECT_EQ(r.capacity(), 4U);
    EXPECT_EQ(r.written(), 0U);
    EXPECT_FALSE(r.at(0));
    for (std::uint64_t i = 0; i < 10; ++i) {
        r.write(i, 100 + i);
        EXPECT_EQ(r.written(), i + 1);
        EXPECT_FALSE(r.at(i + 1));
        for (std::uint64_t n = 0; n <= i; ++n) {
            const auto e = r.at(n);
            // The oldest place is the next to be written.
            ASSERT_EQ(e.has_value(), n + 3 > i) << n << " of " << i;
            if (e) {
                EXPECT_EQ(e->first, n);
                EXPECT_EQ(e->second, 100 + n);
            }
        }
    }
}

TEST(Recent, RoundsItsCapacityUp) {
    EXPECT_EQ(recent(1).capacity(), 1U);
    EXPECT_EQ(recent(5).capacity(), 8U);
}

// Whoever reads gets an entry as it was written, and as that number, or nothing.
TEST(RecentStress, WhatIsReadWhileItIsWrittenIsWholeOrMissing) {
    constexpr std::uint64_t entries = 200'000;
    recent r(8);
    std::atomic<std::uint64_t> seen{0};  // relaxed: it must not order what the ring is to order
    in_parallel(2, [&](unsigned me) {
        if (me == 0) {
            for (std::uint64_t i = 0; i < entries || seen.load(std::memory_order_relaxed) == 0; ++i) r.write(i, ~i);
            return;
        }
        while (r.written() < entries || seen.load(std::memory_order_relaxed) == 0) {
            const std::uint64_t end = r.written();
            for (std::uint64_t n = end > 8 ? end - 8 : 0; n < end; ++n) {
                if (const auto e = r.at(n)) {
                    ASSERT_EQ(e->first, n);
                    ASSERT_EQ(e->second, ~n);
                    seen.fetch_add(1, std::memory_order_relaxed);
                }
            }
        }
    });
}

}  // namespace
