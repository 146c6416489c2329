// A crowd that connects without end.

#include "tests/broker/service_client.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace {

using namespace broker_tests;

// The acceptor hears of its end, and of everything else, while they come.
TEST(BrokerServiceCrowd, ThatConnectsWithoutEndHoldsNobodyUp) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    std::vector<std::unique_ptr<child>> crowd;
    for (int i = 0; i < 8; ++i)
        crowd.push_back(std::make_unique<child>([&] {
            for (client c;;) c.connect_to(here.socket());
        }));
    {
        client b(here.socket());
        while (!b.join()) b.connect_to(here.socket());  // it may have had to make room for others of its user
        EXPECT_TRUE(a.gets(4));
    }
    EXPECT_TRUE(a.gets(8));
    expect_agreement(broker, 2);
    for (const auto& c : crowd) EXPECT_EQ(kill(c->pid(), 0), 0);
}

}  // namespace
