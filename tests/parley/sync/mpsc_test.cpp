// Many senders, one receiver: what holds whoever the senders are.
#include <parley/detail/sync/mpsc.hpp>

#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace {

struct node {
    node* next = nullptr;
    int number = 0;
};
using mpsc = parley::sync::mpsc<node, &node::next>;

// Sends nodes numbered from `first` on.
void send_all(mpsc& c, std::vector<node>& nodes, int first) {
    for (node& n : nodes) {
        n.number = first++;
        ASSERT_TRUE(c.send(&n));
    }
}

void expect_numbers(mpsc& c, int first, int end) {
    for (int i = first; i < end; ++i) {
        const node* n = c.receive();
        ASSERT_NE(n, nullptr);
        EXPECT_EQ(n->number, i);
    }
}

TEST(Mpsc, IsEmptyAndOpenAtFirst) {
    mpsc c;
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.is_closed());
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, CanBeginClosed) {
    mpsc c(false);
    node n;
    EXPECT_TRUE(c.is_closed());
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.send(&n));
    EXPECT_EQ(c.receive(), nullptr);
    c.open();
    EXPECT_TRUE(c.send(&n));
    EXPECT_EQ(c.receive(), &n);
}

TEST(Mpsc, FirstInFirstOut) {
    mpsc c;
    std::vector<node> nodes(10);
    send_all(c, nodes, 0);
    expect_numbers(c, 0, 10);
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, LaterSendsComeAfterWhatWasTakenTogether) {
    mpsc c;
    std::vector<node> early(5);
    std::vector<node> late(5);
    send_all(c, early, 0);
    expect_numbers(c, 0, 2);  // the receiver has taken all five
    send_all(c, late, 5);
    expect_numbers(c, 2, 10);
}

TEST(Mpsc, PeekTellsWhetherReceiveGivesSomething) {
    mpsc c;
    std::vector<node> nodes(2);
    send_all(c, nodes, 0);
    EXPECT_TRUE(c.peek());
    (void)c.receive();
    EXPECT_TRUE(c.peek());
    (void)c.receive();
    EXPECT_FALSE(c.peek());
}

TEST(Mpsc, CountsThoseThatAreAskedForAndTakesNothing) {
    mpsc c;
    std::vector<node> early(4);
    std::vector<node> late(3);
    const auto is_even = [](const node& n) { return n.number % 2 == 0; };
    EXPECT_EQ(c.count_if(is_even), 0U);
    send_all(c, early, 0);
    expect_numbers(c, 0, 1);  // the receiver has taken all four
    send_all(c, late, 4);
    EXPECT_EQ(c.count_if(is_even), 3U) << "2, 4 and 6";
    c.close();
    EXPECT_EQ(c.count_if(is_even), 3U);
    expect_numbers(c, 1, 7);
    EXPECT_EQ(c.count_if(is_even), 0U);
}

TEST(Mpsc, CloseRefusesLaterSendsAndLeavesTheNodeAlone) {
    mpsc c;
    c.close();
    EXPECT_TRUE(c.is_closed());
    node other;
    node n{&other, 7};
    EXPECT_FALSE(c.send(&n));
    EXPECT_EQ(n.next, &other);
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, CloseKeepsWhatCameBeforeInItsOrder) {
    mpsc c;
    std::vector<node> first(4);
    std::vector<node> second(4);
    send_all(c, first, 0);
    expect_numbers(c, 0, 1);
    send_all(c, second, 4);
    c.close();
    EXPECT_TRUE(c.peek());
    expect_numbers(c, 1, 8);
    EXPECT_FALSE(c.peek());
    EXPECT_TRUE(c.is_closed());
}

TEST(Mpsc, ClosingTwiceIsClosingOnce) {
    mpsc c;
    node n;
    ASSERT_TRUE(c.send(&n));
    c.close();
    c.close();
    EXPECT_EQ(c.receive(), &n);
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, OpensAgainAndKeepsTheOrder) {
    mpsc c;
    std::vector<node> before(3);
    std::vector<node> after(3);
    send_all(c, before, 0);
    c.close();
    c.open();
    EXPECT_FALSE(c.is_closed());
    send_all(c, after, 3);
    expect_numbers(c, 0, 6);
}

TEST(Mpsc, OpeningAnOpenChannelChangesNothing) {
    mpsc c;
    node n;
    ASSERT_TRUE(c.send(&n));
    c.open();
    EXPECT_EQ(c.receive(), &n);
}

TEST(Mpsc, ANodeMayBeSentAgainAsSoonAsItWasReceived) {
    mpsc c;
    node a;
    node b;
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(c.send(&a));
        ASSERT_TRUE(c.send(&b));
        ASSERT_EQ(c.receive(), &a);
        ASSERT_TRUE(c.send(&a));  // while b is still inside
        ASSERT_EQ(c.receive(), &b);
        ASSERT_EQ(c.receive(), &a);
        ASSERT_EQ(c.receive(), nullptr);
    }
}

TEST(Mpsc, ClosedChannelsDoNotKnowEachOther) {
    mpsc a;
    mpsc b;
    a.close();
    node n;
    EXPECT_FALSE(a.send(&n));
    EXPECT_FALSE(b.is_closed());
    EXPECT_TRUE(b.send(&n));
    EXPECT_EQ(b.receive(), &n);
}

TEST(Mpsc, BehavesAsAQueueWithADoorUnderRandomUse) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        parley::base::rng random(seed);
        mpsc c;
        std::deque<node*> queue;
        std::vector<node> nodes(20);
        std::vector<node*> free;
        for (node& n : nodes) free.push_back(&n);
        bool open = true;
        for (int step = 0; step < 2000; ++step) {
            switch (random.below(9)) {
                case 0:
                    c.close();
                    open = false;
                    break;
                case 1:
                case 2:
                    c.open();
                    open = true;
                    break;
                case 3:
                case 4:
                case 5:
                    if (free.empty()) break;
                    ASSERT_EQ(c.send(free.back()), open);
                    if (!open) break;
                    queue.push_back(free.back());
                    free.pop_back();
                    break;
                default:
                    ASSERT_EQ(c.receive(), queue.empty() ? nullptr : queue.front());
                    if (queue.empty()) break;
                    free.push_back(queue.front());
                    queue.pop_front();
            }
            ASSERT_EQ(c.peek(), !queue.empty());
            ASSERT_EQ(c.count_if([](const node&) { return true; }), queue.size());
            ASSERT_EQ(c.is_closed(), !open);
        }
    }
}

}  // namespace
