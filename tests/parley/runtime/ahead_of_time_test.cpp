// When a worker asks ahead of time.
#include <parley/detail/policy/ahead_of_time.hpp>

#include <gtest/gtest.h>

namespace {

using parley::threading::ahead_of_time;

TEST(AheadOfTime, IsOffUnlessAskedFor) {
    EXPECT_FALSE(ahead_of_time().is_on());
    EXPECT_FALSE(ahead_of_time().wants(0));
}

TEST(AheadOfTime, AsksWithFewTasksLeft) {
    ahead_of_time a(2);
    EXPECT_TRUE(a.is_on());
    EXPECT_TRUE(a.wants(0));
    EXPECT_TRUE(a.wants(1));
    EXPECT_FALSE(a.wants(2));
}

TEST(AheadOfTime, LetsTwiceAsManyTasksPassAfterEachFailure) {
    ahead_of_time a(1);
    for (std::uint32_t pause = 1; pause <= 4 * ahead_of_time::longest_pause; pause *= 2) {
        EXPECT_FALSE(a.failed(true)) << "it has not asked";
        a.asked();
        EXPECT_FALSE(a.failed(false)) << "it is still out";
        EXPECT_TRUE(a.failed(true));
        std::uint32_t tasks = 0;
        while (!a.wants(0)) ++tasks;
        EXPECT_EQ(tasks, std::min(pause, ahead_of_time::longest_pause));
    }
    a.received();
    EXPECT_TRUE(a.wants(0));
    a.asked();
    EXPECT_TRUE(a.failed(true));
    EXPECT_FALSE(a.wants(0));
    EXPECT_TRUE(a.wants(0));
}

}  // namespace
