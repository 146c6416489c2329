// patience: how long a worker without tasks waits for what.
#include <parley/detail/policy/patience.hpp>

#include <parley/detail/policy/settled_options.hpp>
#include <parley/errors.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace std::chrono_literals;
using parley::threading::patience;

// Since it has waited in vain so many times in a row.
patience after(int times_in_vain, std::uint32_t workers) {
    patience p(workers, 0);
    p.was_answered();
    for (int i = 0; i < times_in_vain; ++i) {
        p.was_in_vain();
        p.was_answered();
    }
    return p;
}

TEST(Patience, FewWorkersLetRequestsRestAfterTenMicroseconds) {
    for (const unsigned workers : {1u, 2u, 8u}) {
        EXPECT_GE(patience(workers, 0).with_victim(), 10us);
        EXPECT_LT(patience(workers, 0).with_victim(), 11us);
    }
}

TEST(Patience, BeginsLongerByTheSquareOfTheWorkersUpToAMillisecond) {
    EXPECT_EQ(patience(100, 0).with_victim(), 110us);
    EXPECT_EQ(patience(200, 0).with_victim(), 410us);
    EXPECT_EQ(patience(4096, 0).with_victim(), 1010us);
    EXPECT_EQ(patience(4'000'000'000u, 0).with_victim(), 1010us);
}

TEST(Patience, IsShorterAfterEachTimeInVain) {
    for (int times = 0; times < 50; ++times) EXPECT_GT(after(times, 240).with_victim(), after(times + 1, 240).with_victim());
    EXPECT_LT(after(50, 240).with_victim(), 11us);
    EXPECT_GE(after(1000, 240).with_victim(), 10us);
}

TEST(Patience, ThatWasInVainIsShorterTheNextTime) {
    patience p = after(0, 240);
    const auto victim = p.with_victim(), tasks = p.with_tasks(), sleep = p.before_sleep(true);
    for (int i = 0; i < 10; ++i) {
        p.was_in_vain();
        EXPECT_EQ(p.with_victim(), victim);
        EXPECT_EQ(p.with_tasks(), tasks);
        EXPECT_EQ(p.before_sleep(true), sleep);
    }
    p.was_answered();
    EXPECT_EQ(p.with_victim(), after(1, 240).with_victim());
    EXPECT_LT(p.with_victim(), victim);
}

TEST(Patience, ComesBackWithAnswersInTime) {
    patience p = after(1000, 240);
    for (int i = 0; i < 20; ++i) {
        const auto before = p.with_victim();
        p.was_answered();
        EXPECT_GE(p.with_victim(), before);
    }
    EXPECT_EQ(p.with_victim(), patience(240, 0).with_victim());
}

TEST(Patience, IsWhatTheUserChoseWhateverHappens) {
    EXPECT_EQ(patience(2, 1).with_victim(), 1us);
    EXPECT_EQ(patience(2, parley::threading::max_patience).with_victim(), 1s);
    patience p(240, 50);
    EXPECT_EQ(p.with_victim(), 50us);
    p.was_in_vain();
    EXPECT_EQ(p.with_victim(), 50us);
    p.was_answered();
    p.was_answered();
    EXPECT_EQ(p.with_victim(), 50us);
}

TEST(Patience, RequestsRestBeforeOthersAreInterruptedAndThoseBeforeSleep) {
    for (const unsigned workers : {1u, 2u, 16u, 240u, 4096u}) {
        for (const unsigned chosen : {0u, 1u, 10u, 1000u}) {
            const patience p(workers, chosen);
            EXPECT_LT(0ns, p.with_victim());
            EXPECT_LT(p.with_victim(), p.with_tasks());
            EXPECT_LT(p.with_tasks(), p.before_sleep(true));
        }
    }
}

TEST(Patience, WhoAsksForNothingSleepsAsSoonAsAmongFew) {
    for (const unsigned workers : {2u, 240u, 4096u}) EXPECT_EQ(patience(workers, 0).before_sleep(false), 40us);
}

TEST(Patience, AChosenTimeIsKeptWhateverHappens) {
    using std::chrono::microseconds;
    for (const microseconds idle : {0us, 50us, 1000us}) {
        patience p(240, 0, idle);
        for (int i = 0; i < 20; ++i) p.has_slept(i % 2 == 0 ? 1us : 1s);
        EXPECT_EQ(p.before_sleep(true), idle);
        EXPECT_EQ(p.before_sleep(false), idle);
    }
    EXPECT_EQ(patience(2, 0, microseconds::max()).before_sleep(true), 24h);
}

TEST(Patience, WhoAsksStaysAwakeLongerAfterShortWaitsUpToTwoMilliseconds) {
    patience p(2, 0);
    const auto first = p.before_sleep(true);
    for (const auto longer : {30us, 90us, 210us, 450us, 930us, 1890us}) {
        p.has_slept(50us);
        EXPECT_EQ(p.before_sleep(true), first + longer);
        EXPECT_EQ(p.before_sleep(false), 40us);
    }
}

TEST(Patience, AfterLongSleepsItSleepsAsSoonAsAtFirst) {
    patience p(2, 0);
    const auto first = p.before_sleep(true);
    for (int i = 0; i < 3; ++i) p.has_slept(50us);
    for (const auto longer : {90us, 30us, 0us, 0us}) {
        p.has_slept(3ms);
        EXPECT_EQ(p.before_sleep(true), first + longer);
    }
}

// Phase after phase: a worker without tasks sleeps if the gap is longer than it stays awake.
TEST(Patience, GapsThatItMayWaitForAreNotSleptThroughAndLongerOnesAtOnce) {
    for (const auto gap : {45us, 60us, 100us, 300us, 1000us, 1500us, 1920us, 1940us, 2000us, 2500us, 3800us, 8000us}) {
        for (const auto& [was_patient, cost] : {std::pair{false, 1us}, {true, 1us}, {false, 50us}, {true, 50us}}) {
            patience p(2, 0);
            for (int i = 0; i < 10; ++i) p.has_interrupted(cost);
            const auto shortest = p.before_sleep(true);
            for (int i = 0; was_patient && i < 6; ++i) p.has_slept(10us);
            for (int phase = 0; phase < 20; ++phase)
                if (gap > p.before_sleep(true)) p.has_slept(gap - p.before_sleep(true));
            if (gap < 1930us) EXPECT_GT(p.before_sleep(true), gap) << was_patient << cost.count();
            else EXPECT_EQ(p.before_sleep(true), shortest) << gap.count() << was_patient << cost.count();
        }
    }
}

TEST(Patience, ShortSleepsDelayNeitherRestNorInterruption) {
    patience p(2, 0);
    const auto victim = p.with_victim(), tasks = p.with_tasks();
    for (int i = 0; i < 10; ++i) p.has_slept(50us);
    EXPECT_EQ(p.with_victim(), victim);
    EXPECT_EQ(p.with_tasks(), tasks);
}

TEST(Patience, OfMoreThanASecondIsRefused) {
    using namespace parley::threading;
    EXPECT_EQ(settled(setting{{}, {.patience = max_patience}}).how.patience, max_patience);
    EXPECT_THROW((void)settled(setting{{}, {.patience = max_patience + 1}}), parley::usage_error);
}

// Several times what a signal costs, and no longer than that.
TEST(Patience, InterruptsLaterWhereSignalsAreDear) {
    patience p(2, 0);
    const auto at_first = p.with_tasks(), sleep = p.before_sleep(true);
    for (int i = 0; i < 10; ++i) p.has_interrupted(1us);
    EXPECT_EQ(p.with_tasks(), at_first);
    EXPECT_EQ(p.before_sleep(true), sleep);
    for (int i = 0; i < 10; ++i) p.has_interrupted(20us);
    EXPECT_EQ(p.with_tasks(), p.with_victim() + 80us);
    EXPECT_GT(p.before_sleep(true), p.with_tasks()) << "it would sleep before it has tried";
    EXPECT_EQ(p.before_sleep(false), patience(2, 0).before_sleep(false)) << "who asks for nothing interrupts nobody";
    p.has_interrupted(1us);
    EXPECT_EQ(p.with_tasks(), at_first) << "one that was cheap shows what it costs";
}

TEST(Patience, HardlyMindsOneSignalThatTookLong) {
    patience p(2, 0);
    const auto at_first = p.with_tasks() - p.with_victim();
    p.has_interrupted(1s);
    EXPECT_LE(p.with_tasks() - p.with_victim(), 2 * at_first);
    for (int i = 0; i < 100; ++i) p.has_interrupted(1s);
    EXPECT_LE(p.with_tasks() - p.with_victim(), 200us);
}

}  // namespace
