// patience: how long a worker without tasks waits for what.
#include <parley/runtime/patience.hpp>

#include <parley/base/errors.hpp>
#include <parley/runtime/settled_options.hpp>

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using parley::threading::patience;
using parley::threading::patience_among;

TEST(Patience, FewWorkersLetRequestsRestAfterTenMicroseconds) {
    for (const unsigned workers : {1u, 2u, 8u}) {
        EXPECT_GE(patience_among(workers).with_victim, 10us);
        EXPECT_LT(patience_among(workers).with_victim, 11us);
    }
}

TEST(Patience, GrowsWithTheSquareOfTheWorkersUpToAMillisecond) {
    EXPECT_EQ(patience_among(100).with_victim, 110us);
    EXPECT_EQ(patience_among(200).with_victim, 410us);
    EXPECT_EQ(patience_among(4096).with_victim, 1010us);
    EXPECT_EQ(patience_among(4'000'000'000u).with_victim, 1010us);
}

TEST(Patience, IsWhatTheUserChose) {
    EXPECT_EQ(patience_among(240, 50).with_victim, 50us);
    EXPECT_EQ(patience_among(2, 1).with_victim, 1us);
    EXPECT_EQ(patience_among(2, parley::max_patience).with_victim, 1s);
}

TEST(Patience, RequestsRestBeforeOthersAreInterruptedAndThoseBeforeSleep) {
    for (const unsigned workers : {1u, 2u, 16u, 240u, 4096u}) {
        for (const unsigned chosen : {0u, 1u, 10u, 1000u}) {
            const patience p = patience_among(workers, chosen);
            EXPECT_LT(0ns, p.with_victim);
            EXPECT_LT(p.with_victim, p.with_tasks);
            EXPECT_LT(p.with_tasks, p.before_sleep);
        }
    }
}

TEST(Patience, OfMoreThanASecondIsRefused) {
    EXPECT_EQ(parley::threading::settled({.patience = parley::max_patience}).patience, parley::max_patience);
    EXPECT_THROW((void)parley::threading::settled({.patience = parley::max_patience + 1}), parley::usage_error);
}

}  // namespace
