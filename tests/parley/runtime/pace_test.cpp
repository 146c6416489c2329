// pace: when a producer answers, if it is asked by very many.
#include <parley/detail/policy/pace.hpp>

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using parley::threading::pace;
using moment = pace::clock::time_point;

constexpr std::uint32_t workers = 16;
constexpr std::uint32_t twice_all = 2 * 5;  // a tree of 16 has five levels, with its root

// It answers `times` times, each for a microsecond, with `own` between two answers. Returns when the last one was over.
moment answer(pace& p, moment now, std::uint32_t times, std::chrono::nanoseconds own) {
    for (; times > 0; --times) {
        p.answered(now + own, now + own + 1us);
        now += own + 1us;
    }
    return now;
}

TEST(Pace, NobodyWaitsUntilATreeHasServedAllTwice) {
    pace p(workers);
    const moment now = answer(p, moment{} + 1s, twice_all - 1, 30ns);
    EXPECT_FALSE(p.is_flooded(now));
    EXPECT_FALSE(p.is_too_soon(now));
    const moment then = answer(p, now, 1, 30ns);
    EXPECT_TRUE(p.is_flooded(then));
    EXPECT_TRUE(p.is_too_soon(then));
}

TEST(Pace, TakesAsLongForItselfAsItsLastAnswer) {
    pace p(workers);
    const moment now = answer(p, moment{} + 1s, twice_all, 30ns);
    EXPECT_TRUE(p.is_too_soon(now + 999ns));
    EXPECT_FALSE(p.is_too_soon(now + 1us));
}

TEST(Pace, StaysFloodedWhileItAnswersAtEachTurn) {
    pace p(workers);
    const moment now = answer(p, moment{} + 1s, twice_all, 30ns);
    EXPECT_TRUE(p.is_flooded(answer(p, now, 1000, 1us)));
}

TEST(Pace, ForgetsWhoHasLongBeenAnswered) {
    pace p(workers);
    const moment now = answer(p, moment{} + 1s, 10 * workers, 30ns);
    EXPECT_FALSE(p.is_flooded(now + 100us));
    EXPECT_FALSE(p.is_flooded(answer(p, now + 100us, 1, 0ns)));
}

TEST(Pace, AnAnswerNowAndThenIsNoFlood) {
    pace p(workers);
    EXPECT_FALSE(p.is_flooded(answer(p, moment{} + 1s, 10'000, 10us)));
}

TEST(Pace, AnAnswerThatLostItsCoreStopsNobodyForLong) {
    pace p(workers);
    const moment now = answer(p, moment{} + 1s, twice_all, 30ns);
    p.answered(now, now + 20ms);
    EXPECT_FALSE(p.is_too_soon(now + 20ms + 10us));
}

TEST(Pace, MattersWithManyWorkersThatAreWatchedAndRest) {
    const parley::threading::tuning paced;
    EXPECT_FALSE(pace::matters(paced, 2, true, true));
    EXPECT_FALSE(pace::matters(paced, 8, true, true));
    EXPECT_TRUE(pace::matters(paced, 48, true, true));
    EXPECT_FALSE(pace::matters(paced, 48, false, true));
    EXPECT_FALSE(pace::matters(paced, 48, true, false));
    EXPECT_FALSE(pace::matters({.answers = parley::threading::answering::at_once}, 48, true, true));
}

}  // namespace
