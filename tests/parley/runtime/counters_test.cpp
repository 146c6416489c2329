// What a worker counted: each counter is read as itself.
#include <parley/detail/runtime/counters.hpp>

#include <gtest/gtest.h>

namespace {

TEST(Counters, EachIsReadAsItself) {
    parley::threading::counters c;
    c.tasks.add(1);
    c.steals.add(2);
    c.failed.add(3);
    c.messages.add(4);
    c.splits.add(5);
    c.sleeps.add(6);
    c.wakes.add(7);
    c.interrupts.add(8);
    const parley::worker_counters read = c.read();
    EXPECT_EQ(read.tasks, 1u);
    EXPECT_EQ(read.steals, 2u);
    EXPECT_EQ(read.failed, 3u);
    EXPECT_EQ(read.messages, 4u);
    EXPECT_EQ(read.splits, 5u);
    EXPECT_EQ(read.sleeps, 6u);
    EXPECT_EQ(read.wakes, 7u);
    EXPECT_EQ(read.interrupts, 8u);
}

TEST(Counters, BeginAtZero) {
    const parley::worker_counters read = parley::threading::counters{}.read();
    EXPECT_EQ(
        read.tasks + read.steals + read.failed + read.messages + read.splits + read.sleeps + read.wakes + read.interrupts,
        0u);
}

}  // namespace
