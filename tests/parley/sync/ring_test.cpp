// Rings whose capacity is known at run time, for one sender and receiver and for several.
#include <parley/detail/sync/shared_ring.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using namespace channel_test;
using parley::sync::ends;
using parley::sync::ring;
using parley::sync::shared_ring;

// Not a power of two among them, and one: there the next place is the same.
constexpr std::array<std::size_t, 5> capacities = {1, 2, 3, 7, 64};

TEST(Ring, HoldsExactlyItsCapacityInOrder) {
    for (const std::size_t capacity : capacities) {
        ring r(sizeof(std::size_t), capacity);
        // At every position, and all the way round.
        for (std::size_t shift = 0; shift <= 2 * capacity; ++shift) {
            std::size_t out = 99;
            for (std::size_t i = 0; i < capacity; ++i) ASSERT_TRUE(r.send(&i, sizeof i));
            ASSERT_EQ(r.count(), capacity);
            ASSERT_FALSE(r.send(&out, sizeof out));
            ASSERT_TRUE(r.receive(&out, sizeof out));
            ASSERT_EQ(out, 0U);
            ASSERT_TRUE(r.send(&capacity, sizeof capacity)) << "one place for one received";
            for (std::size_t i = 1; i <= capacity; ++i) {
                ASSERT_TRUE(r.receive(&out, sizeof out));
                ASSERT_EQ(out, i);
            }
            ASSERT_FALSE(r.receive(&out, sizeof out));
            ASSERT_EQ(r.count(), 0U);
            ASSERT_TRUE(r.send(&out, sizeof out));
            ASSERT_TRUE(r.receive(&out, sizeof out));
        }
    }
}

TEST(Ring, CarriesMessagesOfAnySize) {
    ring r(3, 2);
    EXPECT_EQ(r.message_bytes(), 3U);
    EXPECT_TRUE(r.send("abc", 3));
    EXPECT_TRUE(r.send(nullptr, 0));
    std::array<char, 4> out{};
    EXPECT_TRUE(r.receive(out.data(), 2));
    EXPECT_STREQ(out.data(), "ab");
    EXPECT_TRUE(r.receive(nullptr, 0));
}

struct message {
    long sender = 0, number = 0, check = 0;
};

// Hidden from the compiler: copies of a known size are no calls, and ThreadSanitizer of g++ 12 sees only those of a
// word.
std::size_t hidden(std::size_t size) {
    asm("" : "+r"(size));
    return size;
}

TEST(RingStress, MessagesComeInOrderAndWhole) {
    constexpr long messages = 30'000;
    for (const std::size_t capacity : {1U, 3U}) {
        ring r(sizeof(message), capacity);
        std::atomic<bool> is_over{false};  // relaxed: it must not order what the ring is to order
        in_parallel(3, [&](unsigned me) {
            if (me == 2) {
                while (!is_over.load(std::memory_order_relaxed)) {
                    for (int i = 0; i < 20; ++i) ASSERT_LE(r.count(), capacity);
                    std::this_thread::yield();
                }
                return;
            }
            for (long i = 0; i < messages; ++i) {
                message m{0, i, -i};
                if (me == 0) {
                    spin_until([&] { return r.send(&m, hidden(sizeof m)); });
                } else {
                    spin_until([&] { return r.receive(&m, hidden(sizeof m)); });
                    ASSERT_EQ(m.number, i);
                    ASSERT_EQ(m.check, -i);
                }
            }
            if (me == 1) is_over.store(true, std::memory_order_relaxed);
        });
    }
}

// Whoever has counted a message receives it.
TEST(RingStress, WhatIsCountedCanBeReceived) {
    constexpr long messages = 20'000;
    ring r(sizeof(long), 4);
    in_parallel(2, [&](unsigned me) {
        for (long i = 0; i < messages;) {
            if (me == 0) {
                spin_until([&] { return r.count() < 4; });
                ASSERT_TRUE(r.send(&i, hidden(sizeof i)));
                ++i;
                continue;
            }
            std::size_t there = 0;
            spin_until([&] { return (there = r.count()) > 0; });
            for (; there > 0; --there, ++i) {
                long n = -1;
                ASSERT_TRUE(r.receive(&n, hidden(sizeof n)));
                ASSERT_EQ(n, i);
            }
        }
    });
}

// All messages once; those of one sender in its order, for each receiver.
void exchange(unsigned senders, unsigned receivers, ends which, std::size_t capacity) {
    constexpr long of_each = 8000;
    shared_ring r(sizeof(message), capacity, which);
    // Relaxed: it must not order what the ring is to order.
    std::atomic<long> left{senders * of_each};
    std::vector<std::vector<message>> got(receivers);
    in_parallel(senders + receivers, [&](unsigned me) {
        if (me < senders) {
            for (long i = 0; i < of_each; ++i) {
                const message m{me, i, me - i};
                spin_until([&] { return r.send(&m, hidden(sizeof m)); });
            }
            return;
        }
        std::vector<message>& mine = got[me - senders];
        while (left.load(std::memory_order_relaxed) > 0) {
            message m;
            bool has_one = false;
            spin_until(
                [&] { return (has_one = r.receive(&m, hidden(sizeof m))) || left.load(std::memory_order_relaxed) == 0; });
            if (!has_one) return;
            left.fetch_sub(1, std::memory_order_relaxed);
            ASSERT_EQ(m.check, m.sender - m.number);
            mine.push_back(m);
        }
    });
    std::vector<std::vector<bool>> seen(senders, std::vector<bool>(of_each));
    for (const std::vector<message>& mine : got) {
        std::vector<long> last(senders, -1);
        for (const message& m : mine) {
            const auto sender = static_cast<std::size_t>(m.sender);
            ASSERT_GT(m.number, last[sender]);
            last[sender] = m.number;
            ASSERT_FALSE(seen[sender][static_cast<std::size_t>(m.number)]);
            seen[sender][static_cast<std::size_t>(m.number)] = true;
        }
    }
    for (const std::vector<bool>& all : seen) ASSERT_EQ(std::count(all.begin(), all.end(), true), of_each);
    ASSERT_EQ(r.count(), 0U);
}

TEST(SharedRingStress, ManySendToOne) {
    for (const std::size_t capacity : {1U, 5U}) exchange(crowd_size, 1, ends::many_to_one, capacity);
}

TEST(SharedRingStress, ManySendToMany) {
    for (const std::size_t capacity : {1U, 5U}) exchange(3, 3, ends::many_to_many, capacity);
}

TEST(SharedRingStress, OneSendsToOne) { exchange(1, 1, ends::one_to_one, 5); }

// As many messages as places go round: what a sender has sent, it or somebody else receives at once. Behind a sender
// that has stopped half-way nothing may seem empty, and nothing full behind a receiver.
TEST(SharedRingStress, IsNeitherEmptyNorFullWhenItIsNot) {
    constexpr long turns = 20'000;
    shared_ring r(sizeof(unsigned), crowd_size, ends::many_to_many);
    in_parallel(crowd_size, [&](unsigned me) {
        for (long i = 0; i < turns; ++i) {
            // At most crowd_size are in it at any time, and at least one from when this thread has sent until it takes
            // one.
            ASSERT_TRUE(r.send(&me, hidden(sizeof me)));
            unsigned other = 99;
            ASSERT_TRUE(r.receive(&other, hidden(sizeof other)));
            ASSERT_LT(other, crowd_size);
        }
    });
    EXPECT_EQ(r.count(), 0U);
}

}  // namespace
