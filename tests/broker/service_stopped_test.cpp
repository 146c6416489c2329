// A broker that is stopped, and goes on.

#include "tests/broker/service_client.hpp"

#include <parley/parley.hpp>

namespace {

using namespace broker_tests;

class BrokerServiceStopped : public testing::Test {
protected:
    // A process of its own, of this machine.
    void begin() {
        broker_.emplace([this] {
            service::settings s = quick(here);
            s.here = service::look_at_machine();
            static const service::daemon runs(std::move(s));
        });
        ASSERT_TRUE(comes_true([&] { return client().connect_to(here.socket()); }));
    }
    void stop() const {
        kill(broker_->pid(), SIGSTOP);
        int status = 0;
        ASSERT_EQ(waitpid(broker_->pid(), &status, WUNTRACED), broker_->pid());
        ASSERT_TRUE(WIFSTOPPED(status));
    }
    void go_on() const { kill(broker_->pid(), SIGCONT); }

    const place here;
    const int all = processors_of(0);

private:
    std::optional<child> broker_;
};

std::uint64_t count_leaves(unsigned depth) {
    if (depth == 0) return 1;
    auto [a, b] = parley::fork_join([=] { return count_leaves(depth - 1); }, [=] { return count_leaves(depth - 1); });
    return a + b;
}

// They cannot tell it from one that has nothing to say.
TEST_F(BrokerServiceStopped, ProgramsGoOnMeanwhileAndFollowAfterwards) {
    if (all < 2) GTEST_SKIP() << "one core has nothing to share";
    begin();
    {
        parley::options o;
        o.workers = static_cast<unsigned>(all);
        o.broker = here.socket();
        parley::runtime program(o);
        client first(here.socket());
        ASSERT_TRUE(first.join());
        const auto works_on_all = [&] {
            return program.run([] { return count_leaves(12); }) == 4096 && program.active_workers() == o.workers;
        };
        ASSERT_TRUE(comes_true([&] { return !works_on_all(); })) << "it has joined, too";
        stop();
        client late(here.socket());
        ASSERT_TRUE(late.say(greeting()));
        ASSERT_TRUE(first.say(bye{}));
        for (int i = 0; i < 50; ++i) {
            ASSERT_EQ(program.run([] { return count_leaves(12); }), 4096u);
            ASSERT_LT(program.active_workers(), o.workers);
        }
        go_on();
        ASSERT_TRUE(late.get_welcome());
        ASSERT_TRUE(late.say(bye{}));
        EXPECT_TRUE(comes_true(works_on_all));
    }
    EXPECT_EQ(processors_of(0), all);
}

TEST_F(BrokerServiceStopped, WhoEndsMeanwhileLeavesItsCoresAfterwards) {
    if (all < 2) GTEST_SKIP() << "one core has nothing to share";
    begin();
    client stays(here.socket());
    ASSERT_TRUE(stays.join());
    stays.works(64);
    ASSERT_TRUE(stays.gets(all));
    child victim([&] {
        client c(here.socket());
        c.join();
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return stays.cores() < all; }));
    const int before = stays.cores();
    stop();
    victim.kill_it();
    EXPECT_EQ(stays.cores(), before);
    go_on();
    EXPECT_TRUE(stays.gets(all));
}

}  // namespace
