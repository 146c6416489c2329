// A program's side of the broker: joins, follows its allotment, outlives its brokers.
#include "tests/broker/client_fixture.hpp"

#include <fstream>
#include <sched.h>
#include <thread>

namespace {

using namespace broker_tests;
using namespace std::chrono_literals;
using cores = std::vector<core_id>;

TEST_F(Client, SaysWhatItIs) {
    fake_broker broker(socket());
    client_options o = options();
    o.weight = 3;
    o.is_led = true;
    o.name = std::string(100, 'n');
    const client c(o, told.calls());
    const member m = broker.accept();
    EXPECT_EQ(m.who.head.magic, packet_magic);
    EXPECT_EQ(m.who.head.version, packet_version);
    EXPECT_EQ(m.who.head.type, packet_type::hello);
    EXPECT_EQ(m.who.most, 8u);
    EXPECT_EQ(m.who.weight, 3u);
    EXPECT_EQ(m.who.is_led, 1u);
    EXPECT_EQ(m.who.allowed, first_cores(200));
    EXPECT_EQ(std::string(m.who.name.data()), std::string(31, 'n'));
}

TEST_F(Client, OfItselfIsNamedAndAllowedAsTheProgramIs) {
    const client_options o;
    EXPECT_EQ(o.name, program_invocation_short_name);
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    for (core_id core = 0; core < CPU_SETSIZE; ++core)
        EXPECT_EQ((o.allowed[core / 64] >> (core % 64) & 1) != 0, CPU_ISSET(core, &set)) << core;
}

TEST_F(Client, IsToldEachAllotment) {
    fake_broker broker(socket());
    const client c(options(), told.calls());
    member m = broker.accept();
    m.write({1, 64, 130}, {2});
    m.allotted->desire = 7;
    m.allotted->judged = static_cast<std::uint32_t>(program_class::deprived);
    m.welcome_it();
    const allotment first = told.wait_for_allotments(1);
    EXPECT_EQ(first.generation, 2u);
    EXPECT_EQ(first.alone, (cores{1, 64, 130}));
    EXPECT_EQ(first.shared, (cores{2}));
    EXPECT_EQ(first.desire, 7u);
    EXPECT_EQ(first.judged, program_class::deprived);
    EXPECT_FALSE(first.gang);
    m.allotted->slot_length = 10;
    m.allotted->slot_phase = 5;
    m.allotted->slot_period = 3;
    m.allotted->first_slot = 1;
    m.allotted->own_slots = 2;
    m.allot({1});
    const allotment second = told.wait_for_allotments(2);
    EXPECT_EQ(second.alone, (cores{1}));
    EXPECT_EQ(second.shared, cores{});
    ASSERT_TRUE(second.gang);
    EXPECT_EQ(second.gang->round.at(5), 0u);
    EXPECT_EQ(second.gang->round.period, 3u);
    EXPECT_TRUE(second.gang->own.contains(2));
    EXPECT_FALSE(second.gang->own.contains(0));
}

TEST_F(Client, IsToldItsTurnsWhileItHasAny) {
    fake_broker broker(socket());
    const client c(options(), told.calls());
    member m = broker.welcome_next();
    m.allot({1}, {2});
    told.wait_for_allotments(1);
    EXPECT_EQ(told.turns(), 0);
    m.allotted->slot_length = 5'000'000;
    m.allotted->slot_period = 2;
    m.allot({1}, {2, 3});
    told.wait_for_turns(4);
    EXPECT_EQ(told.allotments(), 2);
    m.allot({1});
    told.wait_for_allotments(3);
    const int turns = told.turns();
    m.allot({1, 4});
    told.wait_for_allotments(4);
    EXPECT_EQ(told.turns(), turns);
}

TEST_F(Client, IsNotToldTheSameTwice) {
    fake_broker broker(socket());
    const client c(options(), told.calls());
    member m = broker.welcome_next();
    m.allot({1});
    m.ring_it();
    m.ring_it();
    told.wait_for_allotments(1);
    m.allot({2});
    EXPECT_EQ(told.wait_for_allotments(2).alone, cores{2});
    EXPECT_EQ(told.allotments(), 2);
}

TEST_F(Client, UsesNoCoreThatIsNotAllowed) {
    fake_broker broker(socket());
    const client c(options(), told.calls());
    member m = broker.welcome_next();
    m.allot({199, 200, 1023}, {5});
    EXPECT_EQ(told.wait_for_allotments(1).alone, cores{199});
    m.allot({1000});  // none is left: it keeps what it has
    m.allot({});
    m.allot({3});
    EXPECT_EQ(told.wait_for_allotments(2).alone, cores{3});
}

TEST_F(Client, FeedbackReachesTheBroker) {
    fake_broker broker(socket());
    const client c(options(), told.calls());
    member m = broker.welcome_next();
    told.wait_for_page(1)->lines[3].useful = 42;
    EXPECT_EQ(m.feedback->lines[3].useful, 42u);
    EXPECT_EQ(c.sample(), 20'000'000u);
}

TEST_F(Client, JoinsABrokerThatComesLater) {
    const client c(options(), told.calls());
    std::this_thread::sleep_for(20ms);
    fake_broker broker(socket());
    member m = broker.welcome_next();
    m.allot({1});
    told.wait_for_allotments(1);
}

TEST_F(Client, JoinsABrokerWhoseFolderComesLater) {
    client_options o = options();
    o.socket = folder.file("run/user/broker.sock");
    const client c(o, told.calls());
    std::this_thread::sleep_for(20ms);
    std::filesystem::create_directories(folder.file("run/user"));
    std::this_thread::sleep_for(20ms);
    std::ofstream(folder.file("run/user/something-else")).put('.');
    fake_broker broker(o.socket);
    const member m = broker.welcome_next();
    told.wait_for_page(1);
}

TEST_F(Client, JoinsTheBrokerThatTakesADeadOnesPlace) {
    auto first = std::make_unique<fake_broker>(socket());
    const client c(options(), told.calls());
    feedback_page* old = nullptr;
    {
        member m = first->welcome_next();
        m.allot({1, 2});
        told.wait_for_allotments(1);
        old = told.wait_for_page(1);
        first.reset();
    }
    told.wait_for_no_page();
    EXPECT_EQ(told.allotments(), 1) << "goes on with what it has";
    fake_broker second(socket());
    member m = second.accept();
    m.write({3});  // the same generation as that of the first broker's
    m.welcome_it();
    EXPECT_EQ(told.wait_for_allotments(2).alone, cores{3});
    EXPECT_NE(told.wait_for_page(2), old);
    old->lines[0].useful = 1;  // by a worker that has not heard of it yet
    EXPECT_EQ(m.feedback->lines[0].useful, 0u);
}

TEST_F(Client, IsLostAfterTheGraceAndOnce) {
    client_options o = options();
    o.grace = 1ms;
    auto broker = std::make_unique<fake_broker>(socket());
    const client c(o, told.calls());
    {
        const member m = broker->welcome_next();
        told.wait_for_page(1);
        EXPECT_EQ(told.losses(), 0);
        broker.reset();
    }
    told.wait_for_losses(1);
    fake_broker again(socket());
    {
        const member m = again.welcome_next();
        told.wait_for_page(2);
    }
    told.wait_for_losses(2);
    EXPECT_EQ(told.losses(), 2);
}

TEST_F(Client, IsNotLostIfABrokerIsThereWithinTheGrace) {
    client_options o = options();
    o.grace = 1h;
    const client c(o, told.calls());
    for (int i = 1; i < 5; ++i) {
        fake_broker broker(socket());
        const member m = broker.welcome_next();
        told.wait_for_page(i);
    }
    EXPECT_EQ(told.losses(), 0);
}

TEST_F(Client, SurvivesABrokerThatDiesAsItIsJoined) {
    const client c(options(), told.calls());
    for (int i = 0; i < 20; ++i) {
        fake_broker broker(socket());
        if (i % 3 == 0) continue;
        member m = broker.accept();
        if (i % 3 == 2) m.send("x", 1);
    }
    fake_broker broker(socket());
    const member m = broker.welcome_next();
    told.wait_for_page(1);
}

// A broker that stops, dies or is killed while it writes.
TEST_F(Client, IsNotToldWhatIsHalfWritten) {
    client_options o = options();
    o.grace = 1h;
    auto broker = std::make_unique<fake_broker>(socket());
    const client c(o, told.calls());
    {
        member m = broker->welcome_next();
        m.allot({1, 2});
        told.wait_for_allotments(1);
        ++m.allotted->generation;
        m.write_parts({3});
        m.ring_it();
        m.feedback->followed = 0;
        std::this_thread::sleep_for(20ms);
        EXPECT_EQ(told.allotments(), 1);
        ++m.allotted->generation;
        m.ring_it();
        EXPECT_EQ(told.wait_for_allotments(2).alone, cores{3});
        ++m.allotted->generation;
        m.write_parts({4});
        m.ring_it();
        broker.reset();
    }
    told.wait_for_no_page();
    EXPECT_EQ(told.allotments(), 2);
}

TEST_F(Client, SeesTheLastAllotmentThoughRingsWereDropped) {
    fake_broker broker(socket());
    std::mutex busy;
    client_calls calls = told.calls();
    calls.on_allotment = [&, tell = calls.on_allotment](const allotment& a) {
        const std::lock_guard lock(busy);
        tell(a);
    };
    std::unique_lock lock(busy);
    const client c(options(), calls);
    member m = broker.welcome_next();
    for (core_id i = 0; i < 100; ++i) m.allot({i});
    m.write({150});  // its ring would not fit
    lock.unlock();
    EXPECT_TRUE(eventually([&] { return told.wait_for_allotments(1).alone == cores{150}; }));
}

}  // namespace
