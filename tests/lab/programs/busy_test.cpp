#include "lab/programs/busy.hpp"

#include <gtest/gtest.h>

#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

TEST(Busy, IsCalibratedOnce) {
    EXPECT_GT(rounds_per_microsecond(), 0.0);
    EXPECT_EQ(rounds_per_microsecond(), rounds_per_microsecond());
}

TEST(Busy, IsAsManyRoundsAsFitIntoItsTime) {
    const double rounds = static_cast<double>(busy_work(100.0).rounds());
    EXPECT_NEAR(rounds, 100 * rounds_per_microsecond(), 1.0);
    EXPECT_NEAR(static_cast<double>(busy_work(200.0).rounds()), 2 * rounds, 1.0);
}

TEST(Busy, NoTimeIsNoWork) {
    watched::begin();
    const busy_work nothing(0.0, 1.0);
    nothing.run<watched>();
    EXPECT_EQ(watched::polls, 0U);
}

TEST(Busy, PollsAgainAndAgainOrNever) {
    const auto polls_of = [](double time, double every) {
        watched::begin();
        busy_work(time, every).run<watched>();
        return watched::polls;
    };
    EXPECT_EQ(polls_of(20.0, 0.0), 0U);
    EXPECT_EQ(polls_of(20.0, 20.0), 0U);
    EXPECT_EQ(polls_of(20.0, 50.0), 0U);
    EXPECT_GE(polls_of(20.0, 2.0), 9U);  // between ten slices; rounding may add a short one
    EXPECT_LE(polls_of(20.0, 2.0), 10U);
}

}  // namespace
