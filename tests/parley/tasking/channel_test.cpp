// Channels of tasking.h; the rings behind them: tests/parley/sync/ring_test.cpp.
#include "tests/parley/tasking/support.hpp"

#include <atomic>
#include <vector>

namespace {

using namespace tasking_test;

struct message {
    int number;
    char text[20];
};

TEST(TaskingChannel, HoldsItsCapacityInTheOrderOfSending) {
    for (const chan_t type : {MPMC, MPSC, SPSC}) {
        for (const unsigned capacity : {1U, 3U, 8U}) {
            Channel* const c = channel_alloc(sizeof(message), capacity, type);
            for (int round = 0; round < 5; ++round) {
                message m{};
                EXPECT_EQ(channel_peek(c), 0U);
                EXPECT_FALSE(channel_receive(c, &m, sizeof m));
                for (unsigned i = 0; i < capacity; ++i) {
                    m.number = static_cast<int>(i);
                    EXPECT_TRUE(channel_send(c, &m, sizeof m));
                    EXPECT_EQ(channel_peek(c), i + 1);
                }
                EXPECT_FALSE(channel_send(c, &m, sizeof m));
                EXPECT_EQ(channel_peek(c), capacity);
                for (unsigned i = 0; i < capacity; ++i) {
                    ASSERT_TRUE(channel_receive(c, &m, sizeof m));
                    EXPECT_EQ(m.number, static_cast<int>(i));
                }
            }
            channel_free(c);
        }
    }
}

TEST(TaskingChannel, CopiesSmallerMessagesAndPointers) {
    Channel* const c = channel_alloc(sizeof(message), 2, SPSC);
    message m{7, "seven"};
    EXPECT_TRUE(channel_send(c, &m.number, sizeof m.number));
    m.number = 8;
    EXPECT_TRUE(channel_send(c, &m, sizeof m));
    int n = 0;
    EXPECT_TRUE(channel_receive(c, &n, sizeof n));
    EXPECT_EQ(n, 7);
    EXPECT_TRUE(channel_receive(c, &m, sizeof m));
    EXPECT_STREQ(m.text, "seven");
    message* p = &m;
    EXPECT_TRUE(channel_send(c, &p, sizeof p));
    p = nullptr;
    EXPECT_TRUE(channel_receive(c, &p, sizeof p));
    EXPECT_EQ(p, &m);
    channel_free(c);
    channel_free(nullptr);
}

TEST(TaskingChannel, IsFreedWithWhatIsInIt) {
    Channel* const c = channel_alloc(1, 10, MPMC);
    EXPECT_TRUE(channel_send(c, "x", 1));
    channel_free(c);
}

// Tasks that send and receive on all workers; nobody blocks, so any number of workers will do.
std::atomic<long> received{0}, sum_received{0};
constexpr long of_each = 2000;
constexpr long senders = 4;
void send_numbers(Channel* c, long which) {
    for (long i = 0; i < of_each; ++i) {
        const long number = which * of_each + i;
        while (!channel_send(c, &number, sizeof number)) {
            long mine = 0;
            if (channel_receive(c, &mine, sizeof mine)) {
                sum_received += mine;
                ++received;
            }
            rts_poll();
        }
    }
}
ASYNC_VOID_DECL(send_numbers, Channel* c; long which, c, which);

TEST(TaskingChannel, CarriesEveryMessageOnceBetweenTasks) {
    with_each_size([] {
        received = sum_received = 0;
        Channel* const c = channel_alloc(sizeof(long), 5, MPMC);
        for (long which = 0; which < senders; ++which) ASYNC(send_numbers, c, which);
        TASKING_BARRIER();
        long mine = 0;
        while (channel_receive(c, &mine, sizeof mine)) {
            sum_received += mine;
            ++received;
        }
        constexpr long all = senders * of_each;
        EXPECT_EQ(received, all);
        EXPECT_EQ(sum_received, all * (all - 1) / 2);
        channel_free(c);
    });
}

}  // namespace
