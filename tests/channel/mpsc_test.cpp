// Many senders, one receiver: what holds whoever the senders are.
#include <parley/channel/mpsc.hpp>

#include <parley/base/rng.hpp>

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace {

struct message {
    message* next = nullptr;
    int number = 0;
};
using inbox = parley::channel::mpsc<message, &message::next>;

// Sends messages numbered from `first` on.
void send_all(inbox& c, std::vector<message>& messages, int first) {
    for (message& n : messages) {
        n.number = first++;
        ASSERT_TRUE(c.send(&n));
    }
}

void expect_numbers(inbox& c, int first, int end) {
    for (int i = first; i < end; ++i) {
        const message* n = c.receive();
        ASSERT_NE(n, nullptr);
        EXPECT_EQ(n->number, i);
    }
}

TEST(Mpsc, IsEmptyAndOpenAtFirst) {
    inbox c;
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.is_closed());
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, CanBeginClosed) {
    inbox c(false);
    message n;
    EXPECT_TRUE(c.is_closed());
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.send(&n));
    EXPECT_EQ(c.receive(), nullptr);
    c.open();
    EXPECT_TRUE(c.send(&n));
    EXPECT_EQ(c.receive(), &n);
}

TEST(Mpsc, FirstInFirstOut) {
    inbox c;
    std::vector<message> messages(10);
    send_all(c, messages, 0);
    expect_numbers(c, 0, 10);
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, LaterSendsComeAfterWhatWasTakenTogether) {
    inbox c;
    std::vector<message> early(5);
    std::vector<message> late(5);
    send_all(c, early, 0);
    expect_numbers(c, 0, 2);  // the receiver has taken all five
    send_all(c, late, 5);
    expect_numbers(c, 2, 10);
}

TEST(Mpsc, PeekTellsWhetherReceiveGivesSomething) {
    inbox c;
    std::vector<message> messages(2);
    send_all(c, messages, 0);
    EXPECT_TRUE(c.peek());
    (void)c.receive();
    EXPECT_TRUE(c.peek());
    (void)c.receive();
    EXPECT_FALSE(c.peek());
}

TEST(Mpsc, CountsThoseThatAreAskedForAndTakesNothing) {
    inbox c;
    std::vector<message> early(4);
    std::vector<message> late(3);
    const auto is_even = [](const message& n) { return n.number % 2 == 0; };
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
    inbox c;
    c.close();
    EXPECT_TRUE(c.is_closed());
    message other;
    message n{&other, 7};
    EXPECT_FALSE(c.send(&n));
    EXPECT_EQ(n.next, &other);
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, CloseKeepsWhatCameBeforeInItsOrder) {
    inbox c;
    std::vector<message> first(4);
    std::vector<message> second(4);
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
    inbox c;
    message n;
    ASSERT_TRUE(c.send(&n));
    c.close();
    c.close();
    EXPECT_EQ(c.receive(), &n);
    EXPECT_EQ(c.receive(), nullptr);
}

TEST(Mpsc, OpensAgainAndKeepsTheOrder) {
    inbox c;
    std::vector<message> before(3);
    std::vector<message> after(3);
    send_all(c, before, 0);
    c.close();
    c.open();
    EXPECT_FALSE(c.is_closed());
    send_all(c, after, 3);
    expect_numbers(c, 0, 6);
}

TEST(Mpsc, OpeningAnOpenChannelChangesNothing) {
    inbox c;
    message n;
    ASSERT_TRUE(c.send(&n));
    c.open();
    EXPECT_EQ(c.receive(), &n);
}

TEST(Mpsc, ANodeMayBeSentAgainAsSoonAsItWasReceived) {
    inbox c;
    message a;
    message b;
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
    inbox a;
    inbox b;
    a.close();
    message n;
    EXPECT_FALSE(a.send(&n));
    EXPECT_FALSE(b.is_closed());
    EXPECT_TRUE(b.send(&n));
    EXPECT_EQ(b.receive(), &n);
}

TEST(Mpsc, BehavesAsAQueueWithADoorUnderRandomUse) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        parley::base::rng random(seed);
        inbox c;
        std::deque<message*> queue;
        std::vector<message> messages(20);
        std::vector<message*> free;
        for (message& n : messages) free.push_back(&n);
        bool open = true;
        for (int step = 0; step < 2000; ++step) {
            switch (random.below(9)) {
                case 0: c.close(); open = false; break;
                case 1:
                case 2: c.open(); open = true; break;
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
            ASSERT_EQ(c.count_if([](const message&) { return true; }), queue.size());
            ASSERT_EQ(c.is_closed(), !open);
        }
    }
}

}  // namespace
