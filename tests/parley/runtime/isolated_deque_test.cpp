// What the private deque knows of isolation: which of its tasks were made inside, and what is held meanwhile.
#include "tests/parley/runtime/deque_records.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace parley_tests;

// What lies before the mark was made outside, wherever the mark is in a block.
TEST(IsolatedDeque, KnowsWhetherTheOldestWasMadeInside) {
    for (const std::size_t outside : {std::size_t{0}, std::size_t{1}, capacity - 1, capacity, 2 * capacity + 1}) {
        records r(outside + capacity + 3);
        deque d;
        push(d, r, 0, outside);
        d.begin_inside();
        push(d, r, outside, r.all.size());
        for (std::size_t i = 0; i < r.all.size(); ++i) {
            ASSERT_EQ(d.front_is_inside(), i >= outside) << i;
            ASSERT_EQ(d.inside(), std::min(capacity + 3, r.all.size() - i)) << i;
            ASSERT_EQ(d.take_oldest(), r[i]);
        }
        EXPECT_TRUE(d.front_is_inside());
    }
}

TEST(IsolatedDeque, WhatIsPoppedInsideDoesNotMoveTheMark) {
    records r(5);
    deque d;
    push(d, r, 0, 2);
    d.begin_inside();
    const deque::held_part before = d.hold_more();
    for (int round = 0; round < 3; ++round) {
        push(d, r, 2, 5);
        EXPECT_EQ(d.inside(), 3u);
        while (d.pop() != nullptr) {}
        EXPECT_EQ(d.inside(), 0u);
        EXPECT_FALSE(d.front_is_inside());
    }
    expect_oldest(d, r, 0, 2);
    EXPECT_TRUE(d.front_is_inside());
    d.hold_as(before);
}

// The deque is held when an isolation begins, and again when one begins inside it.
void expect_messages_of_one_kind(std::size_t outside, std::size_t inside, std::size_t innermost, bool interrupted) {
    SCOPED_TRACE(testing::Message() << outside << ", " << inside << ", " << innermost << ", " << interrupted);
    records r(outside + inside + innermost);
    deque from, to;
    push(from, r, 0, outside);
    from.begin_inside();
    (void)from.hold_more();
    push(from, r, outside, outside + inside);
    if (innermost > 0) (void)from.hold_more();
    push(from, r, outside + inside, r.all.size());
    for (std::size_t taken = 0; !from.empty();) {
        const bool is_inside = from.front_is_inside();
        from.keep_a_block();
        to.receive(interrupted ? from.take_when_interrupted(true) : from.take_half());
        for (; !to.empty(); ++taken) {
            ASSERT_EQ(to.take_oldest(), r[taken]);
            ASSERT_EQ(is_inside, taken >= outside) << taken;
        }
    }
}

TEST(IsolatedDeque, NoMessageHoldsWhatWasMadeInsideAndOutside) {
    for (const bool interrupted : {false, true})
        for (const std::size_t outside : {std::size_t{0}, std::size_t{1}, std::size_t{5}, capacity - 1, capacity + 1})
            for (const std::size_t inside : {std::size_t{1}, std::size_t{9}, capacity + 2})
                for (const std::size_t innermost : {std::size_t{0}, std::size_t{1}, std::size_t{20}})
                    expect_messages_of_one_kind(outside, inside, innermost, interrupted);
}

TEST(IsolatedDeque, ReplacesWhatWasMadeInside) {
    for (const std::size_t outside : {std::size_t{0}, std::size_t{3}, capacity})
        for (const std::size_t inside : {std::size_t{0}, std::size_t{2}, capacity - 3, capacity, 2 * capacity + 5}) {
            records r(outside + inside), others(outside + inside);
            deque d;
            push(d, r, 0, outside);
            d.begin_inside();
            push(d, r, outside, r.all.size());
            d.replace_inside([&](task* t) { return others[static_cast<std::size_t>(t - r[0])]; });
            expect_oldest(d, r, 0, outside);
            expect_oldest(d, others, outside, r.all.size());
        }
}

// A wait inside of the isolation may hold what is there then. That is held by somebody else when the isolation ends.
TEST(IsolatedDeque, WhatWasHeldMeanwhileStaysHeld) {
    records r(4);
    deque d;
    push(d, r, 0, 2);
    const deque::held_part before = d.hold_more();
    push(d, r, 2, 3);
    d.hold_all();
    d.hold_as(before);
    EXPECT_EQ(d.held(), 3u);
    push(d, r, 3, 4);
    EXPECT_EQ(d.pop(), r[3]);
    EXPECT_EQ(d.pop(), nullptr);
}

}  // namespace
