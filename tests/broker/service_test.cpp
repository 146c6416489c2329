// The broker as programs meet it.

#include "tests/broker/service_client.hpp"

#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <atomic>
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

TEST(BrokerService, TwoProgramsShareTheOnlyCore) {
    const place here;
    service::daemon broker(quick(here, "synthetic:core:1 pu:1"));
    client a(here.socket()), b(here.socket());
    ASSERT_TRUE(a.join());
    EXPECT_TRUE(comes_true([&] { return a.page().alone[0] == 1; }));
    ASSERT_TRUE(b.join());
    for (const client* c : {&a, &b})
        EXPECT_TRUE(comes_true([&] { return c->page().shared[0] == 1 && c->page().alone[0] == 0; }));
    ASSERT_TRUE(a.say(bye{}));
    EXPECT_TRUE(comes_true([&] { return b.page().alone[0] == 1 && b.page().shared[0] == 0; }));
    expect_agreement(broker, 1);
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

// Each has its core for itself, whoever came first.
TEST(BrokerService, WhoMayUseOneCoreOnlyGetsThatOne) {
    const place here;
    service::settings s = calm(here);
    const auto table = s.here.table;
    const auto how = s.how;
    std::map<section_id, std::vector<record>> logs;
    s.log = [&](section_id where, const record& r) { logs[where].push_back(r); };  // of one thread
    service::daemon broker(std::move(s));
    client all(here.socket()), first(here.socket()), last(here.socket());
    ASSERT_TRUE(all.join());
    ASSERT_TRUE(all.gets(8));
    hello h = greeting();
    h.allowed = {0b0000'0001};
    ASSERT_TRUE(first.join(h));
    EXPECT_TRUE(comes_true([&] { return first.page().alone[0] == 0b0000'0001; }));
    h.allowed = {0b1000'0000};
    ASSERT_TRUE(last.join(h));
    EXPECT_TRUE(comes_true([&] { return last.page().alone[0] == 0b1000'0000; }));
    EXPECT_TRUE(comes_true([&] { return all.mask() == 0b0111'1110; }));
    expect_agreement(broker, 2);
    for (const auto& [where, log] : logs) {
        section fresh(where, table, how);
        EXPECT_EQ(replay(fresh, log), std::nullopt) << "section " << where;
    }
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
    EXPECT_TRUE(comes_true([&] { return busy.cores() == 7 && idle.cores() == 1; }));
    EXPECT_EQ(idle.page().judged, static_cast<std::uint32_t>(program_class::inefficient));
}

// Who is a guest for good lacks a core for good: asking again between quanta ends, until somebody comes or goes.
TEST(BrokerService, AskingAgainForWhatIsNotThereComesToAnEnd) {
    const place here;
    service::settings s = quick(here, "synthetic:l3:1 core:2 pu:1");
    std::vector<bool> is_extra;  // of the quanta since somebody joined: without length
    std::atomic<std::size_t> quanta = 0;
    s.log = [&](section_id, const record& r) {  // of one thread
        if (std::holds_alternative<joining>(r.in)) is_extra.clear();
        if (const quantum* const q = std::get_if<quantum>(&r.in)) is_extra.push_back(q->length == 0);
        quanta = is_extra.size();
    };
    service::daemon broker(std::move(s));
    std::vector<client> all;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(all.emplace_back(here.socket()).join());
    }
    ASSERT_TRUE(comes_true([&] { return quanta > 60; }));
    expect_agreement(broker, 1);
    EXPECT_GT(std::count(is_extra.begin(), is_extra.begin() + 20, true), 0);
    EXPECT_EQ(std::count(is_extra.begin() + 20, is_extra.end(), true), 0);
}

TEST(BrokerService, HeartbeatGoesOn) {
    const place here;
    service::daemon broker(quick(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    const std::uint64_t first = a.page().heartbeat;
    EXPECT_TRUE(comes_true([&] { return a.page().heartbeat > first; }));
}

// Whoever gets a core finds it free of its last holder, as far as pages go.
TEST(BrokerService, PagesShrinkBeforeOthersGrow) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(a.gets(8));
        client b(here.socket());
        ASSERT_TRUE(b.join());
        for (int cores = 0; cores != 4;) {
            const std::uint32_t before = b.page().generation;
            const std::uint64_t taken = b.mask();
            const std::uint64_t left = a.mask();
            if (b.page().generation == before) {
                ASSERT_EQ(taken & left, 0u);
            }
            cores = std::popcount(taken);
        }
    }
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
