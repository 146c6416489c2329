// How many children are left, counted by their owner and by others.
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/join_counter.hpp>
#include <parley/detail/sync/spsc.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace {

using namespace channel_test;
using parley::sync::join_counter;

TEST(JoinCounter, IsDoneAtFirst) {
    const join_counter c;
    EXPECT_FALSE(c.any());
    EXPECT_TRUE(c.are_done());
}

TEST(JoinCounter, CountsWhatIsDoneOnBothSides) {
    join_counter c;
    for (int i = 0; i < 4; ++i) c.add();
    EXPECT_TRUE(c.any());
    c.done_here();
    EXPECT_FALSE(c.done_elsewhere());
    c.done_here();
    EXPECT_FALSE(c.are_done());
    EXPECT_FALSE(c.done_elsewhere()) << "the owner does not wait";
    EXPECT_TRUE(c.are_done());
}

TEST(JoinCounter, TellsTheLastOneOnceTheOwnerWaits) {
    join_counter c;
    for (int i = 0; i < 4; ++i) c.add();
    EXPECT_FALSE(c.done_elsewhere());
    c.done_here();
    EXPECT_FALSE(c.begin_to_wait());
    EXPECT_FALSE(c.are_done());
    EXPECT_FALSE(c.done_elsewhere());
    EXPECT_FALSE(c.are_done());
    EXPECT_TRUE(c.done_elsewhere());
    EXPECT_TRUE(c.are_done());
}

TEST(JoinCounter, ToldOfWhatIsDoneHereByItself) {
    join_counter c;
    c.add();
    c.add();
    EXPECT_FALSE(c.begin_to_wait());
    EXPECT_FALSE(c.done_elsewhere());
    c.done_here();
    EXPECT_TRUE(c.are_done());
}

TEST(JoinCounter, WaitingForNothingIsOver) {
    join_counter c;
    c.add();
    EXPECT_FALSE(c.done_elsewhere());
    EXPECT_TRUE(c.begin_to_wait());
}

TEST(JoinCounter, MayBeUsedAgain) {
    join_counter c;
    for (int round = 0; round < 3; ++round) {
        c.add();
        c.add();
        c.done_here();
        EXPECT_FALSE(c.done_elsewhere());
        EXPECT_TRUE(c.are_done());
        if (round == 1) {
            EXPECT_TRUE(c.begin_to_wait());
        }
        c.settle();
        EXPECT_FALSE(c.any());
        EXPECT_TRUE(c.are_done());
    }
}

// Each round has a counter and results of its own, freed as soon as the owner sees that all are done. The results are
// plain memory, and so is the counter that is freed: ThreadSanitizer sees whether both are ordered.
TEST(JoinCounterStress, TheOwnerSeesWhatChildrenDidAndIsToldOnce) {
    constexpr long rounds = 5000;
    constexpr unsigned helpers = 3;
    struct family {
        join_counter left;
        std::array<long, helpers> results{};
        parley::sync::flag* told = nullptr;
    };
    std::array<parley::sync::spsc_slot<family>, helpers> orders;
    parley::sync::flag told;  // outlives the families, as workers do
    std::atomic<int> times_told{0};
    std::atomic<long> finished{0};  // relaxed: it must not order what the counter is to order
    in_parallel(helpers + 1, [&](unsigned me) {
        if (me < helpers) {
            for (long i = 0; i < rounds; ++i) {
                family* f = nullptr;
                spin_until([&] { return (f = orders[me].receive()) != nullptr; });
                parley::sync::flag* const whom = f->told;
                f->results[me] = i + me;
                if (f->left.done_elsewhere()) {
                    times_told.fetch_add(1, std::memory_order_relaxed);
                    (void)whom->put_up();
                }
                finished.fetch_add(1, std::memory_order_relaxed);
            }
            return;
        }
        for (long i = 0; i < rounds; ++i) {
            auto f = std::make_unique<family>();
            f->told = &told;
            times_told.store(0, std::memory_order_relaxed);
            for (unsigned h = 0; h < helpers; ++h) {
                f->left.add();
                orders[h].send(f.get());
            }
            f->left.add();
            if (i % 2 == 0) f->left.done_here();
            if (i % 4 == 0) spin_until([&] { return finished.load(std::memory_order_relaxed) == (i + 1) * helpers; });
            if (!f->left.begin_to_wait()) {  // if it says that none is left, the rest must be visible by that
                if (i % 2 != 0) f->left.done_here();
                // The last of the others tells, unless this thread itself has done the last.
                spin_until([&] { return told.is_up() || (i % 2 != 0 && f->left.are_done()); });
                spin_until([&] { return f->left.are_done(); });
            }
            for (unsigned h = 0; h < helpers; ++h) ASSERT_EQ(f->results[h], i + h);
            f.reset();
            told.take_down();
            spin_until([&] { return finished.load(std::memory_order_relaxed) == (i + 1) * helpers; });
            ASSERT_LE(times_told.load(std::memory_order_relaxed), 1);
        }
    });
}

}  // namespace
