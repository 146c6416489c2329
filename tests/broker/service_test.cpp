// The broker as programs meet it.

#include "tests/broker/service_client.hpp"

#include <parley/base/rng.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace {

using namespace broker_tests;

TEST(BrokerService, ProgramAloneGetsAllCores) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    EXPECT_TRUE(a.gets(8));
    EXPECT_EQ(a.page().cores, 8u);
    EXPECT_EQ(a.page().generation % 2, 0u);
    expect_agreement(broker, 2);
}

TEST(BrokerService, ProgramGetsNoMoreThanItHasWorkers) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join(greeting(3)));
    EXPECT_TRUE(a.gets(3));
}

TEST(BrokerService, TwoProgramsShareTheMachine) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), b(here.socket());
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(a.gets(8));
    ASSERT_TRUE(b.join());
    EXPECT_TRUE(b.gets(4));
    EXPECT_TRUE(a.gets(4));
    EXPECT_EQ(a.mask() & b.mask(), 0u);
    expect_agreement(broker, 2);
}

TEST(BrokerService, RingComesWhenTheAllotmentChanges) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), b(here.socket());
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(a.gets(8));
    ASSERT_TRUE(b.join());
    for (std::uint32_t heard = 0; a.cores() != 4 || heard != a.page().generation;) {
        const auto p = a.hear();
        ASSERT_TRUE(p);
        ASSERT_EQ(p->type(), packet_type::ring);
        heard = p->as<ring>().generation;
    }
}

TEST(BrokerService, ByeGivesTheCoresBack) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), b(here.socket());
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(b.join());
    ASSERT_TRUE(a.gets(4));
    ASSERT_TRUE(b.say(bye{}));
    EXPECT_TRUE(a.gets(8));
    EXPECT_FALSE(b.hear() && b.hear() && b.hear() && b.hear() && b.hear());
    expect_agreement(broker, 2);
}

TEST(BrokerService, MoreProgramsThanCoresShareThem) {
    const place here;
    service::daemon broker(calm(here));
    std::vector<client> all;
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(all.emplace_back(here.socket()).join());
    }
    for (const client& c : all) EXPECT_TRUE(comes_true([&] { return c.cores() >= 1; }));
    EXPECT_TRUE(comes_true([&] {
        int shared = 0;
        for (const client& c : all) shared += std::popcount(c.page().shared[0].load());
        return shared >= 8;
    }));
    expect_agreement(broker, 2);
}

TEST(BrokerService, SharedCoresHaveTurnsIfAskedFor) {
    const place here;
    service::settings s = calm(here, "synthetic:l3:1 core:2 pu:1");
    s.slot = 10'000'000;
    service::daemon broker(std::move(s));
    std::vector<client> all;
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(all.emplace_back(here.socket()).join());
    }
    for (const client& c : all)
        EXPECT_TRUE(comes_true([&] { return c.page().slot_length == 10'000'000 && c.page().slot_period == 2; }));
    EXPECT_TRUE(comes_true([&] {
        std::uint32_t firsts = 0;
        for (const client& c : all) firsts += c.page().first_slot;
        return firsts == 2;
    }));
}

TEST(BrokerService, CoresThatAProgramMayNotUseAreNotOnItsPage) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    hello h = greeting();
    h.allowed = {0b0000'0110};
    ASSERT_TRUE(a.join(h));
    EXPECT_EQ(a.mask() & ~0b0000'0110u, 0u);
    EXPECT_NE(a.mask(), 0u);
}

TEST(BrokerService, ClientCannotWriteItsAllotment) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    const int file = a.files().first.get();
    EXPECT_EQ(mmap(nullptr, sizeof(allotment_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), MAP_FAILED);
    void* const again = mmap(nullptr, sizeof(allotment_page), PROT_READ, MAP_SHARED, file, 0);
    ASSERT_NE(again, MAP_FAILED);
    EXPECT_NE(mprotect(again, sizeof(allotment_page), PROT_READ | PROT_WRITE), 0);
    munmap(again, sizeof(allotment_page));
    EXPECT_LT(pwrite(file, "x", 1, 0), 0);
    for (const int f : {file, a.files().second.get()}) {
        EXPECT_NE(ftruncate(f, 0), 0);
        EXPECT_NE(ftruncate(f, 1 << 20), 0);
    }
}

TEST(BrokerService, WhoDoesNotReadHoldsNobodyUp) {
    const place here;
    service::daemon broker(calm(here));
    client frozen(here.socket());
    ASSERT_TRUE(frozen.join());
    for (int i = 0; i < 400; ++i) {  // more rings than its socket can hold
        client b(here.socket());
        ASSERT_TRUE(b.join());
    }
    EXPECT_TRUE(frozen.gets(8));
    expect_agreement(broker, 2);
}

TEST(BrokerService, IdleProgramKeepsOneCore) {
    const place here;
    service::daemon broker(quick(here));
    client idle(here.socket()), busy(here.socket());
    ASSERT_TRUE(idle.join());
    ASSERT_TRUE(busy.join());
    busy.works(8);
    EXPECT_TRUE(comes_true([&] {
        return busy.cores() == 7 && idle.cores() == 1;
    }));
    EXPECT_EQ(idle.page().judged, static_cast<std::uint32_t>(program_class::inefficient));
}

TEST(BrokerService, HeartbeatGoesOn) {
    const place here;
    service::daemon broker(quick(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    const std::uint64_t first = a.page().heartbeat;
    EXPECT_TRUE(comes_true([&] { return a.page().heartbeat > first; }));
}

// ---- Those who look on.

struct seen {
    machine_row machine;
    std::vector<program_row> programs;
    std::vector<core_entry> cores;
    std::vector<event_row> events;
};
std::optional<seen> look(client& c, std::uint32_t events = 8) {
    if (!c.say(observe{.events = events})) return std::nullopt;
    seen all;
    for (;;) {
        const auto p = c.hear();
        if (!p || p->type() != packet_type::row) return std::nullopt;
        switch (p->as<end_row>().kind) {
        case row_kind::machine: all.machine = p->as<machine_row>(); break;
        case row_kind::program: all.programs.push_back(p->as<program_row>()); break;
        case row_kind::event: all.events.push_back(p->as<event_row>()); break;
        case row_kind::cores: {
            const auto row = p->as<cores_row>();
            all.cores.insert(all.cores.end(), row.cores.begin(), row.cores.begin() + row.count);
            break;
        }
        case row_kind::end: return all;
        }
    }
}

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
    const auto s = look(watcher);
    ASSERT_TRUE(s && s->programs.size() == 1);
    EXPECT_STREQ(s->programs[0].name.data(), "?[2Jx?");
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

// Programs come and go in several threads at once; in the end nothing is lost, and each section's log tells its life.
TEST(BrokerService, HundredsComeAndGoAndLogsReplay) {
    const place here;
    service::settings s = quick(here, "synthetic:l3:4 core:2 pu:1");
    std::map<section_id, std::vector<record>> logs;
    s.log = [&](section_id where, const record& r) { logs[where].push_back(r); };  // of one thread
    const auto table = s.here.table;
    const auto how = s.how;
    service::daemon broker(std::move(s));
    client stays(here.socket());
    ASSERT_TRUE(stays.join());
    stays.works(8);
    std::vector<std::thread> crowd;
    for (std::uint32_t t = 0; t < 3; ++t)
        crowd.emplace_back([&, t] {
            parley::base::rng random(t);
            for (int i = 0; i < 100; ++i) {
                client c(here.socket());
                if (random.below(8) == 0) continue;
                EXPECT_TRUE(c.join(greeting(1 + random.below(8))));
                if (random.below(2) == 0) c.works(8);
                std::this_thread::sleep_for(std::chrono::microseconds(random.below(3000)));
            }
        });
    for (std::thread& t : crowd) t.join();
    EXPECT_TRUE(stays.gets(8));
    expect_agreement(broker, 4);
    ASSERT_EQ(logs.size(), 4u);
    for (const auto& [where, log] : logs) {
        section fresh(where, table, how);
        EXPECT_EQ(replay(fresh, log), std::nullopt) << "section " << where;
    }
}

}  // namespace
