// How long iterations of recent loops took.
#include <parley/detail/policy/block_length.hpp>
#include <parley/detail/policy/sharing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

namespace {

using parley::threading::remembered_loops;

// Stand for the code of loops.
constexpr std::array<char, 1000> codes{};
remembered_loops::name loop(std::size_t code, std::uint64_t count) { return {&codes[code], count}; }

struct scripted_clock {
    static inline std::chrono::steady_clock::time_point at{};
    static std::chrono::steady_clock::time_point now() { return at; }
};

TEST(RememberedLoops, AreKnownByTheirCodeAndTheirLength) {
    remembered_loops all;
    EXPECT_EQ(all.each(loop(1, 100)), 0);
    EXPECT_EQ(all.each({}), 0);
    all.notes(loop(1, 100), 2.5F);
    EXPECT_EQ(all.each(loop(1, 100)), 2.5F);
    EXPECT_EQ(all.each(loop(1, 101)), 0);
    EXPECT_EQ(all.each(loop(2, 100)), 0);
}

TEST(RememberedLoops, TheLastTimeCounts) {
    remembered_loops all;
    all.notes(loop(1, 100), 2.5F);
    all.notes(loop(1, 100), 1e9F);
    EXPECT_EQ(all.each(loop(1, 100)), 1e9F);
}

TEST(RememberedLoops, WhatTellsNothingIsForgotten) {
    remembered_loops all;
    all.notes(loop(1, 100), 1e9F);
    all.notes(loop(2, 100), 0);
    EXPECT_EQ(all.each(loop(1, 100)), 1e9F) << "another loop";
    all.notes(loop(1, 100), 0);
    EXPECT_EQ(all.each(loop(1, 100)), 0);
}

// The first block of a short loop may take long once. What it says then must not be taken for true in all later runs, whose
// blocks are too short to say anything.
TEST(RememberedLoops, WhatAShortLoopSaidOnceIsForgottenSoon) {
    using namespace std::chrono_literals;
    using clock = scripted_clock;
    remembered_loops all;
    int remembered = 0;
    for (int run = 0; run < 20; ++run) {
        parley::threading::loop_times times;
        times.takes_over(all.each(loop(1, 100)));
        parley::threading::block_length length(100 / (8 * 2), times.begin(clock::at));
        for (std::uint64_t next = 0; next < 100;) {
            const std::uint64_t to = std::min<std::uint64_t>(next + length.at(next), 100);
            clock::at += 20ns + std::chrono::nanoseconds(10 * (to - next)) + (run == 0 && next == 0 ? 2us : 0us);
            next = to;
            if (length.block_ends(clock{})) times.notes(length);
        }
        all.notes(loop(1, 100), times.each_here());
        remembered += all.each(loop(1, 100)) != 0;
    }
    EXPECT_EQ(remembered, 1);
}

TEST(RememberedLoops, AreFewAndNeverTakenForOthers) {
    remembered_loops all;
    for (std::size_t code = 0; code < codes.size(); ++code)
        for (std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1000}, ~std::uint64_t{0}})
            all.notes(loop(code, count), static_cast<float>(code + 1));
    std::size_t known = 0;
    for (std::size_t code = 0; code < codes.size(); ++code)
        for (std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1000}, ~std::uint64_t{0}})
            if (const float each = all.each(loop(code, count)); each != 0) {
                EXPECT_EQ(each, static_cast<float>(code + 1));
                ++known;
            }
    EXPECT_GE(known, 2U);
    EXPECT_LE(known, 32U);
}

}  // namespace
