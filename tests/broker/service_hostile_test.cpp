// The broker among those who die or speak nonsense.

#include "tests/broker/service_client.hpp"

#include <parley/detail/base/rng.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

namespace {

using namespace broker_tests;

// Whatever has been before: who is there has the machine for itself, and shares it with who comes.
void expect_two_halves(const place& here, const client& a) {
    EXPECT_TRUE(a.gets(8));
    client b(here.socket());
    ASSERT_TRUE(b.join());
    EXPECT_TRUE(a.gets(4));
    EXPECT_TRUE(b.gets(4));
}

void expect_death_is_noticed(const std::function<void(client&)>& life) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(a.gets(8));
    child victim([&] {
        client c(here.socket());
        life(c);
        kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(victim.wait_for_it()));
    expect_two_halves(here, a);
    EXPECT_TRUE(a.gets(8));
    expect_agreement(broker, 2);
}

TEST(BrokerServiceDeath, RightAfterConnect) {
    expect_death_is_noticed([](client&) {});
}
TEST(BrokerServiceDeath, AfterHello) {
    expect_death_is_noticed([](client& c) { c.say(greeting()); });
}
TEST(BrokerServiceDeath, AfterWelcome) {
    expect_death_is_noticed([](client& c) { c.join(); });
}
TEST(BrokerServiceDeath, WhileItWritesItsPage) {
    expect_death_is_noticed([](client& c) {
        c.join();
        c.works(8);
        for (worker_line& l : c.feedback().lines) l.version = 1;
    });
}

TEST(BrokerServiceDeath, OfAProcessWhoseChildKeepsTheSocket) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    child parent([&] {
        client c(here.socket());
        c.join();
        const pid_t grandchild = fork();
        if (grandchild == 0)
            for (;;) pause();
        [[maybe_unused]] const ssize_t told = write(ends[1], &grandchild, sizeof grandchild);
        kill(getpid(), SIGKILL);
    });
    pid_t grandchild = 0;
    ASSERT_EQ(read(ends[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
    parent.wait_for_it();
    EXPECT_TRUE(a.gets(8));
    kill(grandchild, SIGKILL);
    close(ends[0]);
    close(ends[1]);
}

TEST(BrokerServiceRefuses, WhatIsNoHello) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    const auto bytes_of = [](const auto& packet, std::size_t size) {
        std::string bytes(size, '\0');
        std::memcpy(bytes.data(), &packet, std::min(size, sizeof packet));
        return bytes;
    };
    std::vector<std::string> wrong = {"x",
                                      "hello, broker",
                                      std::string(60'000, 'A'),
                                      bytes_of(greeting(), sizeof(hello) - 1),
                                      bytes_of(greeting(), sizeof(hello) + 1),
                                      bytes_of(greeting(), sizeof(packet_head)),
                                      bytes_of(welcome{}, sizeof(welcome)),
                                      bytes_of(bye{}, sizeof(bye)),
                                      bytes_of(greeting(0), sizeof(hello))};
    const auto with = [&](auto change) {
        hello h = greeting();
        change(h);
        wrong.push_back(bytes_of(h, sizeof h));
    };
    with([](hello& h) { h.head.magic ^= 1; });
    with([](hello& h) { ++h.head.version; });
    with([](hello& h) { h.head.type = static_cast<packet_type>(99); });
    with([](hello& h) { h.weight = 0; });
    with([](hello& h) { h.weight = ~0u; });
    with([](hello& h) { h.is_led = 7; });
    with([](hello& h) { h.unused = 1; });
    with([](hello& h) { h.name.fill('A'); });
    with([](hello& h) { h.allowed.fill(0); });
    for (const std::string& bytes : wrong) {
        client c(here.socket());
        ASSERT_TRUE(c.say(bytes));
        EXPECT_NE(c.hear_refusal(), "") << bytes.size() << " bytes";
    }
    expect_two_halves(here, a);
}

TEST(BrokerServiceRefuses, ChanceBytes) {
    const place here;
    service::settings how = calm(here);
    how.programs_per_user = 1000;  // many of these bytes are a greeting, and who has gone may not be missed yet
    service::daemon broker(std::move(how));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    parley::base::rng random(1);
    for (int i = 0; i < 300; ++i) {
        const hello h = greeting();
        std::string bytes(reinterpret_cast<const char*>(&h), sizeof h);
        for (std::uint32_t n = random.below(4); n > 0; --n) bytes[random.below(48)] = static_cast<char>(random.below(256));
        bytes.resize(random.below(2) == 0 ? bytes.size() : random.below(300));
        client c(here.socket());
        if (!bytes.empty()) c.say(bytes);
    }
    expect_two_halves(here, a);
    expect_agreement(broker, 2);
}

TEST(BrokerServiceRefuses, SecondHello) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket()), b(here.socket());
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(b.join());
    ASSERT_TRUE(a.gets(4));
    ASSERT_TRUE(b.say(greeting()));
    auto p = b.hear();
    while (p && p->type() == packet_type::ring) p = b.hear();
    ASSERT_TRUE(p);
    EXPECT_EQ(p->type(), packet_type::refuse);
    EXPECT_FALSE(b.hear());
    EXPECT_TRUE(a.gets(8));
}

TEST(BrokerServiceRefuses, WhoSaysNothing) {
    const place here;
    service::daemon broker(calm(here));
    client silent(here.socket());
    EXPECT_NE(silent.hear_refusal(), "");
}

TEST(BrokerServiceRefuses, MoreProgramsThanAUserMayHave) {
    const place here;
    service::settings s = calm(here);
    s.programs_per_user = 2;
    service::daemon broker(std::move(s));
    client a(here.socket()), b(here.socket()), c(here.socket());
    ASSERT_TRUE(a.join());
    {
        client d(here.socket());
        ASSERT_TRUE(d.join());
        ASSERT_TRUE(c.say(greeting()));
        EXPECT_NE(c.hear_refusal(), "");
    }
    EXPECT_TRUE(a.gets(8));
    EXPECT_TRUE(b.join());
}

// Whoever comes then hears at once that it is turned away, unless a descriptor gets free; who comes later gets in.
TEST(BrokerServiceRefuses, WhoComesWhenNoDescriptorIsLeft) {
    const place here;
    service::daemon broker(calm(here));
    client a(here.socket());
    ASSERT_TRUE(a.join());
    for (const rlim_t left : {0u, 1u, 2u, 3u}) {
        rlimit before{};
        ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
        child comes([&] {
            kill(getpid(), SIGSTOP);
            client c(here.socket());
            errno = 0;
            _exit(c.join() || errno != EAGAIN ? 0 : 1);
        });
        int status = 0;
        waitpid(comes.pid(), &status, WUNTRACED);
        const int next = dup(0);
        close(next);
        const rlimit narrow{static_cast<rlim_t>(next) + left, before.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &narrow), 0);
        kill(comes.pid(), SIGCONT);
        status = comes.wait_for_it();
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
        EXPECT_EQ(status, 0) << "hangs with " << left << " left";
    }
    expect_two_halves(here, a);
}

TEST(BrokerServiceRefuses, OtherUsers) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can be another user";
    const place here;
    service::settings s = calm(here);
    s.is_for_all = false;
    service::daemon broker(std::move(s));
    // The files' modes let nobody near; this is about what stands behind them.
    ASSERT_EQ(chmod(here.directory().c_str(), 0755), 0);
    ASSERT_EQ(chmod(here.socket().c_str(), 0666), 0);
    child other([&] {
        if (setresuid(65534, 65534, 65534) != 0) _exit(3);
        client c(here.socket());
        c.say(greeting());
        _exit(c.hear_refusal().empty() ? 1 : 0);
    });
    EXPECT_EQ(other.wait_for_it(), 0);
    client own(here.socket());
    EXPECT_TRUE(own.join());
}

}  // namespace
