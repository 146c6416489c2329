// The broker among programs that lie, stop, or do not follow.

#include "tests/broker/service_client.hpp"

#include <parley/detail/base/rng.hpp>

#include <sched.h>

namespace {

using namespace broker_tests;

TEST(BrokerServiceLies, AbsurdCountersTakeNothingFromAnotherShare) {
    const place here;
    service::daemon broker(quick(here));
    client honest(here.socket());
    ASSERT_TRUE(honest.join());
    honest.works(8);
    ASSERT_TRUE(honest.gets(8));
    // Before it worked some quanta may have ended.
    ASSERT_TRUE(comes_true([&] { return honest.page().desire >= 8; }));
    client liar(here.socket());
    ASSERT_TRUE(liar.join(greeting(1024)));
    parley::base::rng random(7);
    feedback_page& page = liar.feedback();
    page.workers = ~0u;
    for (int i = 0; i < 300; ++i) {
        for (int k = 0; k < 2000; ++k) {
            worker_line& l = page.lines[random.below(most_page_workers)];
            const std::uint64_t any = (std::uint64_t{random.below(~0u)} << 32) + random.below(~0u);
            l.version = random.below(4);
            l.state = random.below(8);
            l.since = random.below(2) == 0 ? any : 0;
            l.useful = random.below(2) == 0 ? any : ~std::uint64_t{0};
            l.steal = any >> random.below(64);
            l.mug = any >> random.below(64);
            l.core = random.below(2) == 0 ? random.below(8) : random.below(~0u);
        }
        page.followed = random.below(~0u);
        ASSERT_GE(honest.cores(), 4);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    expect_agreement(broker, 2);
}

TEST(BrokerServiceLies, WhoDoesNotRunIsNotBelieved) {
    const place here;
    service::settings s = quick(here);
    s.ran = of_others;
    service::daemon broker(std::move(s));
    client honest(here.socket());
    ASSERT_TRUE(honest.join());
    honest.works(8);
    ASSERT_TRUE(honest.gets(8));
    child liar([&] {
        client c(here.socket());
        c.join();
        c.works(8);
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return honest.cores() < 8; }));
    EXPECT_TRUE(honest.gets(7));
}

// Nor is who says that others run for it.
TEST(BrokerServiceLies, WhoseTreeDoesNotRunIsNotBelieved) {
    const place here;
    service::settings s = quick(here);
    s.ran_in_tree = service::run_time_of_tree;
    service::daemon broker(std::move(s));
    client honest(here.socket());
    ASSERT_TRUE(honest.join());
    honest.works(8);
    ASSERT_TRUE(honest.gets(8));
    child liar([&] {
        client c(here.socket());
        hello led = greeting();
        led.is_led = 1;
        c.join(led);
        for (c.works(1);; usleep(500)) c.feedback().lines[0].useful = 100 * now();
    });
    ASSERT_TRUE(comes_true([&] { return honest.cores() < 8; }));
    EXPECT_TRUE(honest.gets(7));
}

TEST(BrokerServiceLies, StoppedProgramKeepsOneCoreOnly) {
    const place here;
    service::settings s = quick(here);
    s.ran = of_others;
    service::daemon broker(std::move(s));
    client other(here.socket());
    ASSERT_TRUE(other.join());
    other.works(8);
    ASSERT_TRUE(other.gets(8));
    child spins([&] {
        client c(here.socket());
        c.join();
        c.works(8);
        while (now() != 0) {}
    });
    ASSERT_TRUE(comes_true([&] { return other.cores() < 8; }));
    kill(spins.pid(), SIGSTOP);
    EXPECT_TRUE(other.gets(7));
    spins.kill_it();
    EXPECT_TRUE(other.gets(8));
}

// A broker of this machine that moves who does not follow; it has more than one core to give.
class BrokerServiceMoves : public testing::Test {
protected:
    void SetUp() override {
        if (all < 2) GTEST_SKIP() << "there is one processor only";
    }
    static service::settings settings_for(const place& here) {
        service::settings s = quick(here);
        s.here = service::look_at_machine();
        s.steps.moves = true;
        return s;
    }
    static void follow(const client& c) { c.feedback().followed = c.page().generation.load(); }

    const int all = processors_of(0);
    const place here;
    service::daemon broker{settings_for(here)};
    // Wants all cores, and follows.
    child neighbour{[this] {
        client c(here.socket());
        c.join();
        for (c.works(64);; usleep(500)) follow(c);
    }};
};

// Whoever does not keep to its allotment is kept to it, until it does.
TEST_F(BrokerServiceMoves, WhoDoesNotFollow) {
    child stubborn([&] {
        client c(here.socket());
        c.join();
        while (processors_of(0) == all) usleep(500);
        // It stays there when it follows: where its threads go from here is its own affair again.
        for (int i = 0; i < 100; ++i, usleep(500)) follow(c);
        _exit(processors_of(0) < all ? 0 : 1);
    });
    EXPECT_EQ(stubborn.wait_for_it(), 0);
}

// It follows no more when there are cores again than it did when there were fewer.
TEST_F(BrokerServiceMoves, WhoDoesNotFollowBackToCoresThatAreFreeAgain) {
    child stubborn([&] {
        client c(here.socket());
        c.join();
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return processors_of(stubborn.pid()) < all; }));
    neighbour.kill_it();
    EXPECT_TRUE(comes_true([&] { return processors_of(stubborn.pid()) == all; }));
}

TEST_F(BrokerServiceMoves, WhoLeavesBackToAllCores) {
    child stubborn([&] {
        {
            client c(here.socket());
            c.join();
            while (processors_of(0) == all) usleep(500);
        }
        for (int i = 0; i < 20'000 && processors_of(0) < all; ++i) usleep(500);
        _exit(processors_of(0) == all ? 0 : 1);
    });
    EXPECT_EQ(stubborn.wait_for_it(), 0);
}

// A thread that its program has bound to one of the cores that it holds stays there.
TEST(BrokerServiceLies, OnlyThreadsOutsideAreMoved) {
    cpu_set_t all{};
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor only";
    const child two([&] {
        cpu_set_t one{};
        for (unsigned c = 0; CPU_COUNT(&one) == 0; ++c)
            if (CPU_ISSET(c, &all)) CPU_SET(c, &one);
        sched_setaffinity(0, sizeof one, &one);
        kill(getpid(), SIGSTOP);
    });
    int status = 0;
    waitpid(two.pid(), &status, WUNTRACED);
    service::core_set wide{}, other{};
    std::optional<unsigned> first;
    for (unsigned c = 0; c < 1024; ++c) {
        if (!CPU_ISSET(c, &all)) continue;
        wide[c / 64] |= std::uint64_t{1} << (c % 64);
        if (first) other[c / 64] |= std::uint64_t{1} << (c % 64);
        if (!first) first = c;
    }
    EXPECT_EQ(service::confine(two.pid(), -1, wide).moved, 0u);
    EXPECT_GE(service::confine(two.pid(), -1, other).moved, 1u);
    cpu_set_t now{};
    ASSERT_EQ(sched_getaffinity(two.pid(), sizeof now, &now), 0);
    EXPECT_FALSE(CPU_ISSET(*first, &now));
    service::set_free(two.pid(), -1, other, wide);
    ASSERT_EQ(sched_getaffinity(two.pid(), sizeof now, &now), 0);
    EXPECT_EQ(CPU_COUNT(&now), CPU_COUNT(&all));
}

}  // namespace
