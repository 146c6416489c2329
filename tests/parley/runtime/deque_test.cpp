// The private deque, case by case. deque_model_test.cpp tries random sequences.
#include "tests/parley/runtime/deque_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace parley_tests;

TEST(Deque, IsEmptyAtFirst) {
    deque d;
    EXPECT_TRUE(d.empty());
    EXPECT_EQ(d.size(), 0u);
    EXPECT_EQ(d.pop(), nullptr);
    EXPECT_FALSE(d.pop_if_newest(nullptr));
}

TEST(Deque, PopsTheNewestAndTakesTheOldest) {
    deque d;
    records r(4);
    push(d, r, 0, 4);
    EXPECT_EQ(d.pop(), r[3]);
    EXPECT_EQ(d.take_oldest(), r[0]);
    EXPECT_EQ(d.pop(), r[2]);
    EXPECT_EQ(d.take_oldest(), r[1]);
    EXPECT_TRUE(d.empty());
}

// At every place in a block, with one block and with more.
TEST(Deque, PopLeavesHeldTasksAlone) {
    for (const std::size_t held : {std::size_t{1}, capacity - 1, capacity, capacity + 1, 3 * capacity}) {
        records r(held + capacity + 2);
        for (const std::size_t more : {std::size_t{0}, std::size_t{1}, capacity + 1}) {
            deque d;
            push(d, r, 0, held);
            d.hold_all();
            push(d, r, held, held + more);
            for (std::size_t i = held + more; i-- > held;) ASSERT_EQ(d.pop(), r[i]);
            ASSERT_EQ(d.pop(), nullptr);
            ASSERT_EQ(d.size(), held);
            // Others may have them, and so may whoever knows them.
            ASSERT_EQ(d.take_oldest(), r[0]);
            ASSERT_EQ(d.pop(), nullptr);
            if (held > 1) {
                ASSERT_TRUE(d.pop_if_newest(r[held - 1]));
            }
            ASSERT_EQ(d.pop(), nullptr);
            d.let_go();
            for (std::size_t i = held - 1; i-- > 1;) ASSERT_EQ(d.pop(), r[i]);
            ASSERT_TRUE(d.empty());
        }
    }
}

TEST(Deque, GivesHeldTasksAwayByBlocks) {
    records r(3 * capacity + 1);
    deque d;
    push(d, r, 0, 3 * capacity);
    d.hold_all();
    push(d, r, 3 * capacity, 3 * capacity + 1);
    deque to;
    while (d.size() > 4) {
        to.receive(d.take_half());
        while (to.pop() != nullptr) {}
    }
    ASSERT_EQ(d.pop(), r[3 * capacity]);
    ASSERT_EQ(d.pop(), nullptr);
    EXPECT_GE(d.size(), 1u);
}

// Around every block boundary, from both ends.
TEST(Deque, CountsAcrossBlocks) {
    for (const std::size_t n : {capacity - 1, capacity, capacity + 1, 3 * capacity + 7}) {
        records r(n);
        deque up_and_down;
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(up_and_down.size(), i);
            (void)up_and_down.push(r[i]);
        }
        for (std::size_t i = n; i-- > 0;) {
            ASSERT_EQ(up_and_down.pop(), r[i]);
            ASSERT_EQ(up_and_down.size(), i);
        }
        deque through;
        push(through, r, 0, n);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(through.size(), n - i);
            ASSERT_EQ(through.take_oldest(), r[i]);
        }
        EXPECT_TRUE(through.empty());
    }
}

TEST(Deque, PopIfTakesTheNewestOnly) {
    deque d;
    records r(2);
    task** const first = d.push(r[0]);
    task** const second = d.push(r[1]);
    EXPECT_FALSE(d.pop_if(r[0], first));
    EXPECT_EQ(d.size(), 2u);
    EXPECT_TRUE(d.pop_if(r[1], second));
    EXPECT_TRUE(d.pop_if(r[0], first));
    EXPECT_TRUE(d.empty());
}

TEST(Deque, PopIfNewestNeedsNoSlot) {
    deque d;
    records r(2);
    push(d, r, 0, 2);
    EXPECT_FALSE(d.pop_if_newest(r[0]));
    EXPECT_TRUE(d.pop_if_newest(r[1]));
    EXPECT_TRUE(d.pop_if_newest(r[0]));
    EXPECT_FALSE(d.pop_if_newest(r[0]));
}

// A recursion that forks and joins exactly at a block boundary.
TEST(Deque, PopIfGoesBackOverABlockBoundary) {
    deque d;
    records r(3 * capacity);
    std::vector<task**> slots;
    for (std::size_t i = 0; i < r.all.size(); ++i) slots.push_back(d.push(r[i]));
    for (std::size_t i = r.all.size(); i-- > 0;) {
        ASSERT_TRUE(d.pop_if(r[i], slots[i])) << i;
        if (i % capacity > 2) continue;
        // Down and up again where the blocks meet.
        for (int again = 0; again < 3; ++again) {
            task** const slot = d.push(r[i]);
            ASSERT_TRUE(d.pop_if(r[i], slot)) << i;
        }
    }
    EXPECT_TRUE(d.empty());
}

// The record was given away; its slot, right below the tail, must not still name it.
TEST(Deque, PopIfDoesNotFindATaskThatWasTaken) {
    deque d;
    records r(2);
    task** const slot = d.push(r[0]);
    ASSERT_EQ(d.take_oldest(), r[0]);
    EXPECT_FALSE(d.pop_if(r[0], slot));
    EXPECT_FALSE(d.pop_if_newest(r[0]));
    EXPECT_TRUE(d.empty());

    // The same with another task below it, and one pushed where it was.
    push(d, r, 0, 1);
    task** const second = d.push(r[1]);
    ASSERT_EQ(d.take_oldest(), r[0]);
    ASSERT_EQ(d.take_oldest(), r[1]);
    EXPECT_FALSE(d.pop_if(r[1], second));
    EXPECT_EQ(d.size(), 0u);
}

// A frame's record has the same address each time: what is found must be the one pushed last.
TEST(Deque, PopIfDoesNotConfuseARecordWithItsPredecessor) {
    deque d;
    records r(2);
    task** const old_slot = d.push(r[0]);
    ASSERT_EQ(d.take_oldest(), r[0]);
    push(d, r, 1, 2);
    task** const new_slot = d.push(r[0]);
    ASSERT_NE(old_slot, new_slot);
    ASSERT_TRUE(d.pop_if(r[0], new_slot));
    EXPECT_FALSE(d.pop_if(r[0], new_slot)) << "popped already";
    EXPECT_TRUE(d.pop_if_newest(r[1]));
}

TEST(Deque, PopIfDoesNotFindATaskThatWentWithItsWholeBlock) {
    deque d;
    deque thief;
    records r(4 * capacity);
    std::vector<task**> slots;
    for (std::size_t i = 0; i < r.all.size(); ++i) slots.push_back(d.push(r[i]));
    thief.receive(d.take_half());
    ASSERT_EQ(thief.size(), capacity);
    for (std::size_t i = r.all.size(); i-- > capacity;) ASSERT_TRUE(d.pop_if(r[i], slots[i]));
    for (std::size_t i = capacity; i-- > 0;) ASSERT_FALSE(d.pop_if(r[i], slots[i]));
    EXPECT_TRUE(d.empty());
}

TEST(Deque, TakesHalfRoundedUpTheOldestFirst) {
    for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 100u, 1020u, 1021u}) {
        records r(n);
        deque d;
        deque thief;
        push(d, r, 0, n);
        thief.receive(d.take_half());
        const std::size_t half = (n + 1) / 2;
        ASSERT_EQ(thief.size(), half);
        ASSERT_EQ(d.size(), n - half);
        expect_oldest(thief, r, 0, half);
        expect_oldest(d, r, half, n);
    }
}

TEST(Deque, TakesAtMostOneBlockAndNeverMoreThanHalf) {
    constexpr std::size_t n = 5 * capacity + 100;
    for (std::size_t taken_before = 0; taken_before < n; taken_before += 97) {
        records r(n);
        deque d;
        deque thief;
        push(d, r, 0, n);
        expect_oldest(d, r, 0, taken_before);
        const std::size_t half = (d.size() + 1) / 2;
        thief.receive(d.take_half());
        const std::size_t moved = thief.size();
        ASSERT_GE(moved, 1u);
        ASSERT_LE(moved, std::min(half, capacity));
        expect_oldest(thief, r, taken_before, taken_before + moved);
        expect_oldest(d, r, taken_before + moved, n);
    }
}

TEST(Deque, ReceivesOneTask) {
    deque from;
    deque to;
    records r(3);
    push(from, r, 0, 2);
    to.receive(from.take_oldest());
    EXPECT_EQ(to.size(), 1u);
    (void)to.push(r[2]);
    EXPECT_EQ(to.pop(), r[2]);
    EXPECT_EQ(to.pop(), r[0]);
    EXPECT_EQ(to.pop(), nullptr);
}

// A part of a block begins in the middle of it when the block goes as it is: below lies what the
// sender left behind.
TEST(Deque, ReceivedTasksHaveNoPredecessors) {
    deque from;
    deque to;
    records r(3 * capacity);
    std::vector<task**> slots;
    for (std::size_t i = 0; i < r.all.size(); ++i) slots.push_back(from.push(r[i]));
    expect_oldest(from, r, 0, 10);
    to.receive(from.take_half());
    ASSERT_EQ(to.size(), capacity - 10);
    while (task* t = to.pop()) ASSERT_GE(t, r[10]);
    EXPECT_FALSE(to.pop_if(r[9], slots[9])) << "the slot below the first received task";
    push(to, r, 0, 5);
    for (std::size_t i = 5; i-- > 0;) ASSERT_EQ(to.pop(), r[i]);
    EXPECT_EQ(to.pop(), nullptr);
}

TEST(Deque, IsFullWhenTheNextPushNeedsABlockTooMany) {
    for (std::size_t blocks = 1; blocks <= 4; ++blocks) {
        deque d;
        records r(blocks * capacity);
        for (std::size_t i = 0; i < r.all.size(); ++i) {
            ASSERT_FALSE(d.full(blocks)) << i;
            (void)d.push(r[i]);
        }
        EXPECT_TRUE(d.full(blocks));
        EXPECT_TRUE(d.full(1));
        EXPECT_FALSE(d.full(blocks + 1));
        (void)d.pop();
        EXPECT_FALSE(d.full(blocks));
    }
}

TEST(Deque, IsNotFullWhenOldBlocksAreGone) {
    deque d;
    records r(2 * capacity);
    push(d, r, 0, 2 * capacity);
    ASSERT_TRUE(d.full(2));
    expect_oldest(d, r, 0, capacity);
    EXPECT_FALSE(d.full(2));
    EXPECT_TRUE(d.full(1));
}

// A queue that stays short but never empty passes through any number of blocks.
TEST(Deque, RunsThroughManyBlocksAsAQueue) {
    deque d;
    records r(5);
    push(d, r, 0, 4);
    for (std::size_t i = 0; i < 100 * capacity; ++i) {
        (void)d.push(r[(i + 4) % 5]);
        ASSERT_EQ(d.take_oldest(), r[i % 5]);
    }
    EXPECT_EQ(d.size(), 4u);
}

// Whoever receives a message runs all of it on one stack.
TEST(Deque, AMessageHoldsTasksOfOneStack) {
    deque d;
    std::vector<task> tasks(8);
    for (int i = 0; i < 2; ++i) (void)d.push(&tasks[static_cast<std::size_t>(i)]);
    d.hold_all();
    for (int i = 2; i < 8; ++i) (void)d.push(&tasks[static_cast<std::size_t>(i)]);
    deque thief;
    thief.receive(d.take_half());
    EXPECT_EQ(thief.size(), 2u);
    EXPECT_EQ(d.size(), 6u);

    d.hold_all();
    (void)d.push(&tasks[0]);
    d.hold_all();  // two layers now
    deque another;
    another.receive(d.take_half());
    EXPECT_EQ(another.size(), 1u);
    d.let_go();
    EXPECT_EQ(d.pop(), &tasks[0]);
    EXPECT_EQ(d.pop(), nullptr);
    d.let_go();
    EXPECT_EQ(d.pop(), &tasks[7]);
    while (!d.empty()) (void)d.take_oldest();
    while (!thief.empty()) (void)thief.take_oldest();
    while (!another.empty()) (void)another.take_oldest();
}

TEST(Deque, UnpacksMessages) {
    records r(20);
    deque from, to;
    push(from, r, 0, 20);
    (void)to.push(r[0]);
    std::vector<task*> seen;
    while (!from.empty()) to.unpack(from.take_half(), [&](task* t) { seen.push_back(t); });
    ASSERT_EQ(seen.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(seen[i], r[i]);
    EXPECT_EQ(to.size(), 1u);
}

}  // namespace
