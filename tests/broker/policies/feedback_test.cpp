// What is believed of what programs say: never more than they held, nothing twice, and exaggerating does not pay.
#include <broker/policy/feedback.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

namespace {

using namespace parley::broker;

TEST(Feedback, WastedIsWhatWasHeldAndNotUseful) {
    meter m;
    const core_use u = m.take({.core = 3, .useful = 60, .steal = 20, .mug = 10}, 100);
    EXPECT_EQ(u, (core_use{.core = 3, .held = 100, .useful = 60, .steal = 20, .mug = 10}));
    EXPECT_EQ(u.wasted(), 40u) << "parked time counts, too";
}

TEST(Feedback, QuantaAreDifferences) {
    meter m;
    m.take({.useful = 60, .steal = 20, .mug = 10}, 100);
    const core_use u = m.take({.useful = 70, .steal = 50, .mug = 11}, 100);
    EXPECT_EQ(u.useful, 10u);
    EXPECT_EQ(u.steal, 30u);
    EXPECT_EQ(u.mug, 1u);
}

TEST(Feedback, NobodyIsCreditedTwice) {
    meter m;
    m.take({.useful = 90}, 100);
    EXPECT_EQ(m.take({.useful = 10}, 100).useful, 0u) << "it went back";
    EXPECT_EQ(m.take({.useful = 90}, 100).useful, 0u) << "and came again";
    EXPECT_EQ(m.take({.useful = 95}, 100).useful, 5u);
}

TEST(Feedback, ExaggerationTakesFromTheUsefulPart) {
    meter m;
    const core_use u = m.take({.useful = 1000, .steal = 30, .mug = 20}, 100);
    EXPECT_EQ(u.useful, 50u);
    EXPECT_EQ(u.steal + u.mug, 50u);
}

TEST(Feedback, NothingIsBelievedBeyondWhatWasHeld) {
    parley::base::rng random(1);
    for (int i = 0; i < 5000; ++i) {
        meter m;
        for (int q = 0; q < 4; ++q) {
            const nanoseconds held = random.below(1000);
            const auto any = [&] { return random.below(4) == 0 ? random.next() : random.below(2000); };
            const core_use u = m.take({.useful = any(), .steal = any(), .mug = any()}, held);
            ASSERT_LE(u.useful, held);
            ASSERT_LE(u.steal, held);
            ASSERT_LE(u.mug, held);
            ASSERT_LE(u.useful + u.steal + u.mug, held);
        }
    }
}

TEST(Feedback, NoProgramWorksLongerThanItsThreadsRan) {
    program_use u{{{.core = 0, .held = 100, .useful = 100}, {.core = 1, .held = 100, .useful = 50}}};
    clamp_to_run_time(u, 75);
    EXPECT_EQ(u.cores[0].useful, 50u);
    EXPECT_EQ(u.cores[1].useful, 25u);
    clamp_to_run_time(u, 1000);
    EXPECT_EQ(u.useful(), 75u);
}

TEST(Feedback, SilentProgramsAreJudgedByTheirRunTime) {
    const core_id cores[] = {4, 5, 6};
    const program_use u = use_from_run_time(cores, 100, 150);
    EXPECT_EQ(u.useful(), 150u);
    EXPECT_EQ(u.cores[2].useful, 0u) << "the last one is the first to go";
    EXPECT_DOUBLE_EQ(u.efficiency(), 0.5);
}

TEST(Feedback, WhoHeldNothingWastedNothing) { EXPECT_EQ(program_use{}.efficiency(), 1.0); }

}  // namespace
