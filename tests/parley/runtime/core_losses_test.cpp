#include <parley/detail/policy/weighing.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace std::chrono_literals;
using parley::threading::core_losses;

constexpr core_losses::clock::time_point start{1h};

TEST(CoreLosses, AreToldOnce) {
    core_losses of;
    EXPECT_FALSE(of.since_last_asked(start, 1us, [] { return 5L; })) << "it has not asked before";
    EXPECT_FALSE(of.since_last_asked(start + 1ms, 1us, [] { return 5L; }));
    EXPECT_TRUE(of.since_last_asked(start + 2ms, 1us, [] { return 6L; }));
    EXPECT_FALSE(of.since_last_asked(start + 3ms, 1us, [] { return 6L; }));
}

TEST(CoreLosses, NobodyKnowsWhenTheyWereIfTheLastQuestionWasLongAgo) {
    core_losses of;
    (void)of.since_last_asked(start, 1us, [] { return 5L; });
    EXPECT_FALSE(of.since_last_asked(start + 1s, 1us, [] { return 6L; }));
    EXPECT_FALSE(of.since_last_asked(start + 1001ms, 1us, [] { return 6L; }));
}

TEST(CoreLosses, AreNotAskedForAfterAGapOfSomeSlices) {
    core_losses of;
    bool was_asked = false;
    EXPECT_FALSE(of.since_last_asked(start, 50ms, [&] {
        was_asked = true;
        return 6L;
    }));
    EXPECT_FALSE(was_asked);
}

}  // namespace
