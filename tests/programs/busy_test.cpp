#include "programs/busy.hpp"

#include <gtest/gtest.h>

#include "tests/programs/measure.hpp"
#include "tests/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_tests::watched;

TEST(Busy, IsCalibratedOnce) {
    EXPECT_GT(rounds_per_microsecond(), 0.0);
    EXPECT_EQ(rounds_per_microsecond(), rounds_per_microsecond());
}

// Within wide bounds: a processor may have changed its speed since the calibration.
TEST(Busy, TakesItsTime) {
    const busy_work work(100.0);
    const busy_work twice(200.0);
    const auto [once, double_time] = parley_tests::best_of(
        50, [&] { work.run<watched>(); }, [&] { twice.run<watched>(); });
    EXPECT_GT(once, 40e-6);
    EXPECT_LT(once, 250e-6);
    EXPECT_GT(double_time / once, 1.5);
    EXPECT_LT(double_time / once, 2.7);
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
