// Many senders at once. The contents of the nodes are plain memory: ThreadSanitizer checks that the
// channel orders them.
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/spsc.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace {

using namespace channel_test;

struct node {
    node* next = nullptr;
    unsigned sender = 0;
    long number = 0;
};
using mpsc = parley::sync::mpsc<node, &node::next>;

node* wait_for(mpsc& c) {
    node* n = nullptr;
    spin_until([&] { return (n = c.receive()) != nullptr; });
    return n;
}

TEST(MpscStress, EachSendersMessagesComeInItsOrderAndOnce) {
    constexpr long messages = 30'000;
    mpsc c;
    std::vector<std::vector<node>> nodes(crowd_size, std::vector<node>(messages));
    in_parallel(crowd_size + 1, [&](unsigned me) {
        if (me < crowd_size) {
            for (long i = 0; i < messages; ++i) {
                node& n = nodes[me][static_cast<std::size_t>(i)];
                n.sender = me;
                n.number = i;
                ASSERT_TRUE(c.send(&n));
            }
            return;
        }
        std::array<long, crowd_size> next{};
        for (long i = 0; i < messages * crowd_size; ++i) {
            const node* n = wait_for(c);
            ASSERT_EQ(n->number, next.at(n->sender)++);
        }
        EXPECT_FALSE(c.peek());
    });
}

// What was counted is there, with its contents, whatever is sent meanwhile.
TEST(MpscStress, WhatIsCountedIsReceived) {
    constexpr long messages = 10'000;
    mpsc c;
    std::vector<std::vector<node>> nodes(crowd_size, std::vector<node>(messages));
    long most = 0;
    in_parallel(crowd_size + 1, [&](unsigned me) {
        if (me < crowd_size) {
            for (node& n : nodes[me]) {
                n.sender = me;
                n.number = 1;
                ASSERT_TRUE(c.send(&n));
            }
            return;
        }
        for (long received = 0; received < messages * crowd_size;) {
            const long counted = c.count_if([](const node& n) { return n.number == 1; });
            most = std::max(most, counted);
            for (long i = 0; i < std::min(counted, 100L); ++i) {
                node* n = c.receive();
                ASSERT_NE(n, nullptr);
                ASSERT_EQ(n->number--, 1);
                ++received;
            }
            if (counted == 0) std::this_thread::yield();
        }
    });
    EXPECT_GT(most, 1);
}

// I3: a message whose send ended before another sender's began is received first. A baton goes round
// over other channels; whoever has it sends the next number. The others only make noise.
TEST(MpscStress, MessagesThatDependOnEachOtherComeInThatOrder) {
    constexpr unsigned runners = 3;
    constexpr unsigned noisy = 3;
    constexpr long rounds = 4000;
    constexpr unsigned noise = 99;
    mpsc c;
    std::array<parley::sync::spsc_slot<long>, runners> baton;
    std::vector<long> turns(rounds + runners + 1);
    std::iota(turns.begin(), turns.end(), 0L);
    std::vector<node> nodes(rounds);
    std::vector<std::vector<node>> noises(noisy, std::vector<node>(rounds));
    baton[0].send(turns.data());

    const auto runner = [&](unsigned me) {
        for (;;) {
            long* turn = nullptr;
            spin_until([&] { return (turn = baton[me].receive()) != nullptr; });
            if (*turn < rounds) {
                node& n = nodes[static_cast<std::size_t>(*turn)];
                n.sender = me;
                n.number = *turn;
                ASSERT_TRUE(c.send(&n));
            }
            baton[(me + 1) % runners].send(turn + 1);
            if (*turn >= rounds) return;
        }
    };
    in_parallel(runners + noisy + 1, [&](unsigned me) {
        if (me < runners) return runner(me);
        if (me < runners + noisy) {
            for (node& n : noises[me - runners]) {
                n.sender = noise;
                ASSERT_TRUE(c.send(&n));
            }
            return;
        }
        long expected = 0;
        for (long i = 0; i < rounds * (1 + noisy); ++i) {
            const node* n = wait_for(c);
            if (n->sender != noise) {
                ASSERT_EQ(n->number, expected++);
            }
        }
        EXPECT_EQ(expected, rounds);
    });
}

// Senders hammer a channel whose receiver closes and opens it all the time. Each send either fails,
// and the node is still the sender's, or the node is received once.
TEST(MpscStress, NothingIsLostInAChannelThatClosesAndOpens) {
    constexpr long messages = 10'000;
    mpsc c(false);
    std::vector<std::vector<node>> nodes(crowd_size, std::vector<node>(messages));
    // Relaxed: they must not order what the channel is to order.
    std::atomic<long> refused{0};
    std::atomic<unsigned> sending{crowd_size};
    in_parallel(crowd_size + 1, [&](unsigned me) {
        if (me < crowd_size) {
            for (long i = 0; i < messages; ++i) {
                node& n = nodes[me][static_cast<std::size_t>(i)];
                n.sender = me;
                n.number = i;
                while (!c.send(&n)) {
                    refused.fetch_add(1, std::memory_order_relaxed);
                    ++n.number;  // still mine: plain writes
                    --n.number;
                    std::this_thread::yield();
                }
                if (i % 32 == 0) std::this_thread::yield();  // or one opening would do for all
            }
            sending.fetch_sub(1, std::memory_order_relaxed);
            return;
        }
        spin_until([&] { return refused.load(std::memory_order_relaxed) > 0; });
        std::array<long, crowd_size> next{};
        long received = 0;
        const auto take = [&] {
            const node* n = c.receive();
            if (n == nullptr) return false;
            EXPECT_EQ(n->number, next.at(n->sender)++);
            ++received;
            return true;
        };
        for (long turn = 0; received < messages * crowd_size; ++turn) {
            c.open();
            for (long i = 0; i < turn % 20; ++i) (void)take();
            if (turn % 3 == 0) std::this_thread::yield();
            c.close();
            if (turn % 4 == 0) {
                const long before = refused.load(std::memory_order_relaxed);
                spin_until([&] {
                    return refused.load(std::memory_order_relaxed) > before || sending.load(std::memory_order_relaxed) == 0;
                });
            }
            while (turn % 2 == 0 && take()) {}
            // Closed and drained: nothing may come any more.
            if (turn % 2 == 0) {
                ASSERT_FALSE(c.peek());
            }
        }
    });
    EXPECT_GT(refused, 0) << "no send met a closed channel: the test showed nothing";
}

// The same nodes go round and round: a sender whose view of the head is old may find the same
// address there again (ABA) and must do no harm.
TEST(MpscStress, NodesThatComeBackDoNotConfuseSenders) {
    constexpr long turns = 10'000;
    mpsc c;
    std::array<mpsc, crowd_size> home;
    std::array<std::array<node, 2>, crowd_size> nodes{};
    in_parallel(crowd_size + 1, [&](unsigned me) {
        if (me == crowd_size) {
            for (long i = 0; i < turns * crowd_size; ++i) {
                node* n = wait_for(c);
                ++n->number;
                EXPECT_TRUE(home[n->sender].send(n));
            }
            return;
        }
        for (node& n : nodes[me]) {
            n.sender = me;
            ASSERT_TRUE(c.send(&n));
        }
        for (long i = 2; i < turns; ++i) ASSERT_TRUE(c.send(wait_for(home[me])));
    });
    for (const auto& mine : nodes) EXPECT_EQ(mine[0].number + mine[1].number, turns);
}

}  // namespace
