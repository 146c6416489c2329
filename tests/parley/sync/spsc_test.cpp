// One sender, one receiver: the bounded ring, and the slot for one pointer.
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/spsc.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace channel_test;
using parley::sync::spsc;
using parley::sync::spsc_slot;

TEST(Spsc, IsEmptyAtFirst) {
    spsc<int, 4> c;
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.receive());
}

TEST(Spsc, FirstInFirstOut) {
    spsc<int, 4> c;
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(c.send(i));
    for (int i = 0; i < 4; ++i) ASSERT_EQ(c.receive(), i);
    EXPECT_FALSE(c.receive());
}

template <std::size_t Capacity>
void holds_its_capacity() {
    spsc<std::size_t, Capacity> c;
    // At every position of the ring, and all the way round.
    for (std::size_t shift = 0; shift <= 2 * Capacity; ++shift) {
        for (std::size_t i = 0; i < Capacity; ++i) ASSERT_TRUE(c.send(i));
        ASSERT_FALSE(c.send(99)) << Capacity;
        ASSERT_FALSE(c.send(99)) << "a refused send changes nothing";
        ASSERT_EQ(c.receive(), 0u);
        ASSERT_TRUE(c.send(Capacity)) << "one place for one received";
        for (std::size_t i = 1; i <= Capacity; ++i) ASSERT_EQ(c.receive(), i);
        ASSERT_FALSE(c.receive());
        ASSERT_TRUE(c.send(0));
        ASSERT_EQ(c.receive(), 0u);
    }
}

// No send fails before, whatever the receiver does: that is what makes it wait-free to use (I6).
TEST(Spsc, HoldsExactlyItsCapacity) {
    holds_its_capacity<1>();
    holds_its_capacity<2>();
    holds_its_capacity<8>();
}

template <std::size_t Capacity>
concept exists = requires { typename spsc<int, Capacity>; };

// The positions wrap round at 2^64, which only a power of two divides.
TEST(Spsc, CapacityIsAPowerOfTwo) {
    static_assert(exists<1> && exists<2> && exists<1024>);
    static_assert(!exists<0> && !exists<3> && !exists<1023>);
}

TEST(Spsc, PeekTellsWhetherReceiveGivesSomething) {
    spsc<int, 2> c;
    ASSERT_TRUE(c.send(1));
    EXPECT_TRUE(c.peek());
    (void)c.receive();
    EXPECT_FALSE(c.peek());
}

TEST(Spsc, MovesWhatCanNotBeCopied) {
    spsc<std::unique_ptr<int>, 2> c;
    ASSERT_TRUE(c.send(std::make_unique<int>(7)));
    auto got = c.receive();
    ASSERT_TRUE(got);
    EXPECT_EQ(**got, 7);
}

// The slots are plain memory, and few, so that each is reused all the time.
TEST(SpscStress, MessagesComeInOrderAndWhole) {
    struct message {
        long a = 0, b = 0, c = 0;
    };
    constexpr long messages = 30'000;
    spsc<message, 2> c;
    in_parallel(2, [&](unsigned me) {
        for (long i = 0; i < messages; ++i) {
            if (me == 0) {
                spin_until([&] { return c.send({i, -i, 2 * i}); });
                continue;
            }
            std::optional<message> m;
            spin_until([&] { return (m = c.receive()).has_value(); });
            ASSERT_EQ(m->a, i);
            ASSERT_EQ(m->b, -i);
            ASSERT_EQ(m->c, 2 * i);
        }
    });
}

TEST(SpscStress, WhatAMessagePointsToIsVisible) {
    constexpr long messages = 20'000;
    std::vector<long> contents(messages);
    spsc<long*, 4> c;
    in_parallel(2, [&](unsigned me) {
        for (long i = 0; i < messages; ++i) {
            long& mine = contents[static_cast<std::size_t>(i)];
            if (me == 0) {
                mine = i;
                spin_until([&] { return c.send(&mine); });
            } else {
                spin_until([&] { return c.peek(); });
                ASSERT_EQ(**c.receive(), i);
            }
        }
    });
}

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
