// One sender, one receiver: the slot for one pointer.
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/spsc.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace {

using namespace channel_test;
using parley::sync::spsc_slot;

TEST(SpscSlot, HoldsOnePointer) {
    spsc_slot<int> slot;
    EXPECT_FALSE(slot.peek());
    EXPECT_EQ(slot.receive(), nullptr);
    int value = 1;
    slot.send(&value);
    EXPECT_TRUE(slot.peek());
    EXPECT_EQ(slot.receive(), &value);
    EXPECT_FALSE(slot.peek());
    EXPECT_EQ(slot.receive(), nullptr);
}

TEST(SpscSlot, GivesBackWhatLiesThere) {
    spsc_slot<int> slot;
    int first = 1, second = 2;
    slot.send(&first);
    EXPECT_EQ(slot.take_back(&second), nullptr);
    EXPECT_TRUE(slot.peek());
    EXPECT_EQ(slot.take_back(&first), &first);
    EXPECT_FALSE(slot.peek());
    EXPECT_EQ(slot.take_back(&first), nullptr);
    slot.send(&second);
    EXPECT_EQ(slot.take_back(&first), nullptr);
    EXPECT_EQ(slot.take(), &second);
    EXPECT_EQ(slot.take(), nullptr);
}

// The sender wants each value back as soon as it has sent it.
TEST(SpscSlotStress, OneOfTheTwoHasWhatIsTakenBack) {
    constexpr long rounds = 20'000;
    spsc_slot<long> slot;
    std::vector<long> values(rounds, 0);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long i = 0; i < rounds; ++i) {
            long& value = values[static_cast<std::size_t>(i)];
            if (me == 0) slot.send(&value);
            together.keep(me, i);
            if (long* const mine = me == 0 ? slot.take_back(&value) : slot.take()) ++*mine;
        }
    });
    for (const long times : values) EXPECT_EQ(times, 1);
}

// A task channel as it is used (I2, I5): many would answer; who claims the request does, and the
// thief takes the request home before it asks again.
TEST(SpscSlotStress, EachRequestIsAnsweredOnceWhoeverAnswers) {
    enum class state : unsigned char { home, asking, taken, over };
    constexpr long requests = 4000;
    parley::sync::claim<state> request(state::home);
    spsc_slot<long> answer;
    long wish = 0;  // the thief's, ordered by the claim word
    std::array<std::vector<long>, crowd_size> given;
    in_parallel(crowd_size + 1, [&](unsigned me) {
        if (me == crowd_size) {
            for (long i = 1; i <= requests; ++i) {
                wish = i;
                request.set(state::asking);
                long* got = nullptr;
                spin_until([&] { return (got = answer.receive()) != nullptr; });
                ASSERT_EQ(*got, i);
                ASSERT_EQ(answer.receive(), nullptr);
                request.set(state::home);
            }
            request.set(state::over);
            return;
        }
        given[me].assign(requests + 1, 0);
        while (request.get() != state::over) {
            if (request.move(state::asking, state::taken)) {
                long& mine = given[me][static_cast<std::size_t>(wish)];
                mine = wish;
                answer.send(&mine);
            } else {
                std::this_thread::yield();
            }
        }
    });
}

}  // namespace
