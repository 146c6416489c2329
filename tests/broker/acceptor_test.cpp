// Where programs come in, without the rest of the broker.

#include "tests/broker/service_client.hpp"

#include <broker/daemon/acceptor.hpp>
#include <broker/daemon/listening.hpp>

#include <fcntl.h>
#include <vector>

namespace {

using namespace broker_tests;

int waiting_at(int listening) {
    int n = 0;
    while (descriptor(accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC))) ++n;
    return n;
}

// What it accepts at a time is bounded: a hundred come, then it is told to end, and ends without having seen them all.
TEST(BrokerDoor, LooksAtItsMailBetweenThoseWhoCome) {
    const place here;
    const service::settings how = calm(here);
    service::mailboxes mail(2);
    service::listening_socket socket(here.socket(), false);
    descriptor listening = socket.take();
    const descriptor same(fcntl(listening.get(), F_DUPFD_CLOEXEC, 0));
    service::acceptor entrance(std::move(listening), how, mail);
    constexpr int crowd = 100;
    std::vector<broker_tests::client> those;
    for (int i = 0; i < crowd; ++i) ASSERT_TRUE(those.emplace_back().connect_to(here.socket())) << i;
    mail.acceptor.post(service::halt{});
    entrance.run();
    EXPECT_EQ(waiting_at(same.get()), crowd - 32);
}

}  // namespace
