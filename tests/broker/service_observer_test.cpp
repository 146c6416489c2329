// What those see who look on.

#include "tests/broker/onlooker.hpp"
#include "tests/broker/service_client.hpp"

#include <algorithm>
#include <vector>

namespace {

using namespace broker_tests;

TEST(BrokerObserver, SeesProgramsCoresAndDecisions) {
    const place here;
    service::daemon broker(calm(here, "synthetic:l3:2 core:40 pu:1"));
    client a(here.socket()), watcher(here.socket());
    ASSERT_TRUE(a.join(greeting(8, "eight")));
    ASSERT_TRUE(a.gets(8));
    std::optional<seen> s;
    ASSERT_TRUE(comes_true([&] {
        s = look(watcher);
        return s && s->programs.size() == 1;
    }));
    EXPECT_EQ(s->machine.cores, 80u);
    EXPECT_EQ(s->machine.sections, 2u);
    EXPECT_EQ(s->machine.pid, getpid());
    EXPECT_EQ(s->programs[0].pid, getpid());
    EXPECT_EQ(s->programs[0].cores, 8u);
    EXPECT_STREQ(s->programs[0].name.data(), "eight");
    ASSERT_EQ(s->cores.size(), 80u);
    EXPECT_EQ(std::count_if(s->cores.begin(), s->cores.end(), [](const core_entry& c) { return c.first == 1; }), 8);
    ASSERT_FALSE(s->events.empty());
    EXPECT_LE(s->events.size(), 16u);
}

TEST(BrokerObserver, SeesNamesWithoutControlCharacters) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), watcher(here.socket());
    ASSERT_TRUE(a.join(greeting(8, "\x1b[2Jx\n")));
    // Who has joined is not in all sections' tables at once.
    std::optional<seen> s;
    ASSERT_TRUE(comes_true([&] {
        s = look(watcher);
        return s && s->programs.size() == 1;
    }));
    EXPECT_STREQ(s->programs[0].name.data(), "?[2Jx?");
}

// Names that are no English keep their letters.
TEST(BrokerObserver, SeesNamesInAnyScript) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), watcher(here.socket());
    ASSERT_TRUE(a.join(greeting(8, "größer 馬 \xff\xc3")));
    std::optional<seen> s;
    ASSERT_TRUE(comes_true([&] {
        s = look(watcher);
        return s && s->programs.size() == 1;
    }));
    EXPECT_STREQ(s->programs[0].name.data(), "größer 馬 ??");
}

// It asks and does not read: pictures wait in its own place only.
TEST(BrokerObserver, WhoDoesNotReadHoldsNobodyUp) {
    const place here;
    service::daemon broker(calm(here));
    std::vector<client> frozen;
    for (int i = 0; i < 8; ++i) {
        frozen.emplace_back(here.socket());
        ASSERT_TRUE(frozen.back().say(observe{.events = ~0u}));
    }
    client a(here.socket()), watcher(here.socket());
    ASSERT_TRUE(a.join());
    EXPECT_TRUE(look(watcher));
}

TEST(BrokerObserver, WhoAsksWithoutListeningIsRefused) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), watcher(here.socket());
    ASSERT_TRUE(a.join());
    for (int i = 0; i < 1000 && watcher.say(observe{.events = 256}); ++i) {}
    auto p = watcher.hear();
    while (p && p->type() == packet_type::row) p = watcher.hear();
    EXPECT_TRUE(!p || p->type() == packet_type::refuse);
    EXPECT_TRUE(a.gets(8));
}

}  // namespace
