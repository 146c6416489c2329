// How much of the broker's time those may take who look on.

#include "tests/broker/onlooker.hpp"
#include "tests/broker/service_client.hpp"

#include <broker/daemon/observer.hpp>

#include <vector>

namespace {

using namespace broker_tests;

TEST(BrokerPictureRate, IsTwentyInASecond) {
    service::picture_rate rate;
    nanoseconds at = 7'000'000'000;
    const nanoseconds end = at + 10'000'000'000;
    int pictures = 0;
    for (; at < end; at = std::max(rate.next(at), at + 1'000'000)) {
        if (rate.next(at) > at) continue;
        rate.take(at);
        ++pictures;
    }
    EXPECT_NEAR(pictures, 10 * 20 + 20, 2);
    EXPECT_FALSE(rate.is_as_new(at));
    EXPECT_TRUE(rate.is_as_new(at + 1'000'000'000));
}

// They wait, however many of one user look on.
TEST(BrokerObserverRate, IsOfAllThatOneUserLooksAt) {
    const place here;
    service::daemon broker(calm(here));
    std::vector<client> watchers;
    for (int i = 0; i < 8; ++i) watchers.emplace_back(here.socket());
    const nanoseconds begin = now();
    constexpr int rounds = 6;
    for (int i = 0; i < rounds; ++i)
        for (client& w : watchers) EXPECT_TRUE(look(w));
    EXPECT_GT(now() - begin, (rounds * watchers.size() - 21) * 50'000'000);
}

// One that would take all of a large picture does not get it at once.
TEST(BrokerObserverPackets, GoOutSomeAtATime) {
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    const descriptor reader(ends[1]);
    auto link = std::make_shared<service::connection>();
    link->socket = descriptor(ends[0]);
    service::observer o(link);
    o.asks(8);
    EXPECT_TRUE(o.is_waiting());
    o.begin(1);
    service::section_view view;
    view.led.resize(200);
    EXPECT_TRUE(o.add(std::move(view)));
    o.compose({});
    int packets = 0, calls = 0;
    for (bool is_left = true; is_left; ++calls) {
        ASSERT_LT(calls, 100);
        is_left = o.send_on();
        int now_here = 0;
        program_row row;
        while (recv(reader.get(), &row, sizeof row, MSG_DONTWAIT) > 0) ++now_here;
        EXPECT_LE(now_here, 64);
        packets += now_here;
    }
    EXPECT_EQ(packets, 202);
    EXPECT_FALSE(o.is_waiting());
}

}  // namespace
