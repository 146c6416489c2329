// Parts that the commands share and that need no process of their own.
#include <gtest/gtest.h>

#include "command/statistics.hpp"
#include "command/terminal.hpp"

namespace {

using namespace parley_cli;

TEST(Statistics, OfOneSample) {
    const summary s = summarise({2.0});
    for (const double value : {s.min, s.p10, s.median, s.p90, s.max, s.mean}) {
        EXPECT_EQ(value, 2.0);
    }
    EXPECT_EQ(s.sem, 0.0);
}

TEST(Statistics, OfSamplesInAnyOrder) {
    const summary s = summarise({5, 1, 4, 2, 3, 11, 7, 10, 8, 6, 9});
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.p10, 2);
    EXPECT_EQ(s.median, 6);
    EXPECT_EQ(s.p90, 10);
    EXPECT_EQ(s.max, 11);
    EXPECT_EQ(s.mean, 6);
    EXPECT_DOUBLE_EQ(s.sem, 1.0);  // variance 110 / 10 = 11, over 11 samples
}

TEST(Statistics, MedianOfAnEvenNumberIsBetween) {
    EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(index_of_median({4, 1, 3, 2}), 3U);
    EXPECT_EQ(index_of_median({4, 1, 3}), 2U);
}

TEST(Terminal, BarsAreAsLongAsTheirPart) {
    const terminal plain{};
    EXPECT_EQ(plain.bar(0, 10), "");
    EXPECT_EQ(plain.bar(0.5, 10), "#####");
    EXPECT_EQ(plain.bar(1, 10), "##########");
    EXPECT_EQ(plain.bar(7, 10), "##########");
    const terminal utf8{false, false, true};
    EXPECT_EQ(utf8.bar(1, 3), "███");
    EXPECT_EQ(utf8.bar(0.5, 3), "█▌");
}

TEST(Terminal, ColoursOnlyWhereWanted) {
    EXPECT_EQ(terminal{}.bold("x"), "x");
    EXPECT_EQ((terminal{true, true, false}.bold("x")), "\033[1mx\033[0m");
}

}  // namespace
