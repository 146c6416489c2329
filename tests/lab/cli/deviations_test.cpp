// Speedups, deviations from the best and their averages: the arithmetic of the thesis' tables 6.1 to 6.3.
#include <gtest/gtest.h>

#include "lab/command/deviations.hpp"
#include "lab/command/suite_table.hpp"

#include <utility>

namespace {

using namespace parley_cli;

// Table 6.1: Channel WS, Chase-Lev WS, Cilk Plus, Intel OpenMP. Cilk Plus did not run UTS T3L.
const table_of_figures table_6_1{
    {23.89, 23.93, 23.17, 23.97}, {23.89, 23.99, 23.26, 23.99}, {23.99, 23.99, 23.27, 24.00},
    {23.09, 23.10, 20.61, 10.47}, {23.90, 23.91, 23.69, 23.16}, {23.99, 23.99, 23.97, 23.93},
    {22.71, 20.77, 23.90, 19.74}, {23.85, 23.80, 23.99, 23.11}, {23.98, 23.97, 24.00, 23.82},
    {6.84, 7.50, 6.15, 7.23},     {16.06, 16.07, 17.08, 16.56}, {10.37, 9.62, 10.60, 9.35},
    {11.45, 11.61, 11.65, 6.58},  {12.59, 12.66, 12.65, 7.49},  {11.22, 11.27, std::nullopt, 7.07},
    {12.47, 12.59, 12.03, 12.08}, {12.04, 12.13, 11.93, 11.98}, {12.09, 12.42, 12.35, 12.38},
    {10.89, 11.58, 7.19, 12.04},  {11.58, 12.22, 11.51, 12.29}, {10.64, 11.16, 11.10, 11.19}};

TEST(Deviations, AreThoseOfTheThesis) {
    const ranking r = rank(table_6_1);
    const auto expect = [&](std::size_t row, std::size_t scheduler, double percent) {
        ASSERT_TRUE(r.deviations[row][scheduler]);
        EXPECT_NEAR(*r.deviations[row][scheduler], percent, 0.05) << row << " " << scheduler;
    };
    expect(3, 2, -10.8);  // BPC 1 us
    expect(3, 3, -54.7);
    expect(6, 0, -5.0);  // Treerec 1 us
    expect(6, 1, -13.1);
    expect(6, 2, 0.0);
    expect(9, 0, -8.8);   // Quicksort
    expect(18, 0, -9.6);  // LU 4096 32
    expect(18, 2, -40.3);
    EXPECT_FALSE(r.deviations[14][2]);
}

// Section 6.10. It has them from figures before rounding.
TEST(Deviations, RankingIsTheThesis) {
    const ranking r = rank(table_6_1);
    ASSERT_EQ(r.standings.size(), 4U);
    const std::vector<std::pair<std::size_t, double>> wanted{{1, -1.6}, {0, -2.4}, {2, -4.6}, {3, -10.7}};
    for (std::size_t place = 0; place < wanted.size(); ++place) {
        EXPECT_EQ(r.standings[place].scheduler, wanted[place].first);
        EXPECT_NEAR(r.standings[place].average, wanted[place].second, 0.2);
    }
    EXPECT_EQ(r.standings[2].workloads, 20U);
    EXPECT_EQ(r.standings[3].workloads, 21U);
    EXPECT_NEAR(r.standings[1].farthest, -9.6, 0.05);
    EXPECT_EQ(r.standings[1].where, 18U);
}

TEST(Deviations, EmptyPlacesDoNotCount) {
    const ranking r = rank({{2.0, 1.0, std::nullopt}, {1.0, std::nullopt, std::nullopt}});
    ASSERT_EQ(r.standings.size(), 2U);  // the third ran nothing
    EXPECT_EQ(r.standings[0].scheduler, 0U);
    EXPECT_EQ(r.standings[0].average, 0.0);
    EXPECT_EQ(r.standings[0].workloads, 2U);
    EXPECT_EQ(r.standings[1].average, -50.0);
    EXPECT_EQ(r.standings[1].workloads, 1U);
}

TEST(Deviations, OfNothingAreNone) {
    EXPECT_TRUE(rank({}).standings.empty());
    EXPECT_TRUE(rank({{std::nullopt, std::nullopt}}).standings.empty());
}

TEST(SuiteTable, HasSpeedupsDeviationsAndAverages) {
    const suite_table t{2, {"SPC 1 us", "UTS T3"}, {"parley", "deque", "tbb"}, {{1.99, 1.98, 0.995}, {1.8, 2.0, {}}}};
    EXPECT_EQ(t.text({}),
              "2 workers, 2 workloads  median speedups, and how much lower than the best\n"
              "  workload    parley             deque              tbb\n"
              "  SPC 1 us      1.99               1.98 (-0.5%)       0.99 (-50.0%)\n"
              "  UTS T3        1.80 (-10.0%)      2.00\n"
              "\n"
              "  average deviation from the best\n"
              "  1. deque        -0.3%   farthest -0.5%, SPC 1 us\n"
              "  2. parley       -5.0%   farthest -10.0%, UTS T3\n"
              "  3. tbb         -50.0%   farthest -50.0%, SPC 1 us, over 1 workload\n");
}

}  // namespace
