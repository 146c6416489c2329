// Pauses of thieves whose failed requests come home.
#include <parley/detail/policy/backoff.hpp>

#include <gtest/gtest.h>

namespace {

using parley::protocol::asking;
using parley::threading::backoff;
using clock_point = backoff::clock::time_point;

constexpr auto first = backoff::first_pause;
constexpr clock_point start{std::chrono::seconds(1)};

TEST(Backoff, AsksAtOnceTheFirstTime) {
    backoff b;
    EXPECT_EQ(b.judge(true, start), asking::as_strategy);
    EXPECT_EQ(b.judge(false, start), asking::as_strategy) << "it is out; nothing has failed";
    EXPECT_EQ(b.left(start), backoff::clock::duration{});
}

TEST(Backoff, PausesLongerAfterEachFailure) {
    backoff b;
    clock_point now = start;
    for (auto pause = first; pause <= backoff::longest_pause; pause *= 2) {
        ASSERT_FALSE(b.gives_up());
        ASSERT_EQ(b.judge(true, now), asking::as_strategy);
        ASSERT_EQ(b.judge(true, now), asking::nothing) << "it came home";
        EXPECT_EQ(b.left(now), pause);
        EXPECT_EQ(b.judge(true, now + pause - std::chrono::nanoseconds(1)), asking::nothing);
        now += pause;
    }
    EXPECT_TRUE(b.gives_up()) << "from now on it rests, and may sleep for good";
    EXPECT_EQ(b.judge(true, now), asking::as_strategy);
    EXPECT_EQ(b.judge(true, now), asking::as_strategy);
}

TEST(Backoff, ForgetsAfterASteal) {
    backoff b;
    (void)b.judge(true, start);
    (void)b.judge(true, start);
    b.forget();
    EXPECT_EQ(b.judge(true, start), asking::as_strategy);
}

}  // namespace
