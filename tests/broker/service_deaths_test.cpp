// Real processes that are killed while they are confined, rung, or looked at, and while others go on.

#include "tests/broker/onlooker.hpp"
#include "tests/broker/service_client.hpp"

#include <parley/detail/base/rng.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace {

using namespace broker_tests;

TEST(BrokerServiceKill, AfterTheRingBeforeItFollows) {
    const place here;
    service::daemon broker(calm(here));
    client stays(here.socket());
    ASSERT_TRUE(stays.join());
    child victim([&] {
        client rung(here.socket());
        if (!rung.join() || !rung.gets(4)) _exit(1);
        client other(here.socket());
        if (!other.join()) _exit(1);
        while (rung.cores() == 4) {
            const auto p = rung.hear();
            if (!p || p->type() != packet_type::ring) _exit(2);
        }
        kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(victim.wait_for_it()));
    EXPECT_TRUE(stays.gets(8));
    expect_agreement(broker, 2);
}

TEST(BrokerServiceKill, WhileItIsConfined) {
    const int all = processors_of(0);
    if (all < 2) GTEST_SKIP() << "there is one processor only";
    const place here;
    service::settings s = quick(here);
    s.here = service::look_at_machine();
    s.steps.moves = true;
    s.ran = of_others;
    const std::uint32_t sections = s.here.table->sections();
    service::daemon broker(std::move(s));
    child neighbour([&] {
        client c(here.socket());
        c.join();
        for (c.works(64);; usleep(500)) c.feedback().followed = c.page().generation.load();
    });
    child victim([&] {
        client c(here.socket());
        c.join();
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return processors_of(victim.pid()) < all; }));
    victim.kill_it();
    client watcher(here.socket());
    EXPECT_TRUE(comes_true([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
        const std::optional<seen> now = look(watcher);
        return now && now->programs.size() == 1 && now->programs[0].pid == neighbour.pid() &&
               now->programs[0].cores == now->machine.cores;
    }));
    neighbour.kill_it();
    expect_agreement(broker, sections);
}

TEST(BrokerServiceKill, OfObserversTakesNothingFromOthers) {
    const place here;
    service::daemon broker(calm(here));
    client stays(here.socket());
    ASSERT_TRUE(stays.join());
    for (const int heard : {0, 1, 3}) {
        child observer([&] {
            client c(here.socket());
            if (!c.say(observe{.events = 256})) _exit(1);
            for (int i = 0; i < heard; ++i)
                if (!c.hear()) _exit(2);
            kill(getpid(), SIGKILL);
        });
        EXPECT_TRUE(WIFSIGNALED(observer.wait_for_it()));
    }
    client watcher(here.socket());
    EXPECT_TRUE(look(watcher));
    EXPECT_TRUE(stays.gets(8));
    client next(here.socket());
    ASSERT_TRUE(next.join());
    EXPECT_TRUE(stays.gets(4));
}

// Living programs have all cores, whoever was killed at whatever moment.
TEST(BrokerServiceKill, AtAnyMomentLeavesAllCoresToTheLiving) {
    const place here;
    service::settings how = quick(here, "synthetic:l3:4 core:2 pu:1");
    how.programs_per_user = 1000;  // who has gone may not be missed yet
    service::daemon broker(std::move(how));
    client stays(here.socket());
    ASSERT_TRUE(stays.join());
    stays.works(8);
    parley::base::rng random(20);
    std::vector<std::unique_ptr<child>> living(4);
    const auto begin_one = [&] {
        const std::uint32_t most = 1 + random.below(8), works = random.below(9);
        return std::make_unique<child>([&here, most, works] {
            client c(here.socket());
            if (!c.join(greeting(most))) _exit(1);
            c.works(works);
            for (;; usleep(300)) c.feedback().followed = c.page().generation.load();
        });
    };
    for (int i = 0; i < 200; ++i) {
        std::unique_ptr<child>& one = living[random.below(4)];
        const bool is_replaced = random.below(4) > 0;
        if (one) one->kill_it();  // the old one first: there is never more than one in its place
        one = is_replaced ? begin_one() : nullptr;
        std::this_thread::sleep_for(std::chrono::microseconds(random.below(6000)));
        ASSERT_GE(stays.cores(), 1);
    }
    if (!living[0]) living[0] = begin_one();
    living[1].reset();
    std::set<std::int32_t> pids{getpid()};
    for (const auto& one : living)
        if (one) pids.insert(one->pid());
    ASSERT_GE(pids.size(), 2u);
    client watcher(here.socket());
    EXPECT_TRUE(comes_true([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
        const std::optional<seen> s = look(watcher);
        if (!s || s->programs.size() != pids.size() || s->cores.size() != 8) return false;
        std::set<program_id> programs;
        for (const program_row& r : s->programs)
            if (pids.contains(r.pid)) programs.insert(r.program);
        return programs.size() == pids.size() && std::all_of(s->cores.begin(), s->cores.end(), [&](const core_entry& c) {
                   return c.holders == 1 && programs.contains(c.first);
               });
    }));
    for (auto& one : living) one.reset();
    EXPECT_TRUE(stays.gets(8));
    expect_agreement(broker, 4);
}

}  // namespace
