// The broker among programs that are there and do nothing.

#include "tests/broker/service_client.hpp"

namespace {

using namespace broker_tests;

class BrokerServiceAsleep : public testing::Test {
protected:
    // Looks at all processes but this one, which is whatever a test needs it to be. It has all cores, until others come.
    void begin(nanoseconds asleep_after = 100'000'000, const char* machine = "synthetic:l3:2 core:4 pu:1") {
        service::settings s = quick(here, machine);
        s.ran = of_others;
        s.ran_in_tree = service::run_time_of_tree;
        s.steps.asleep_after = asleep_after;
        all = static_cast<int>(s.here.table->cores());
        broker_ = std::make_unique<service::daemon>(std::move(s));
        worker.connect_to(here.socket());
        ASSERT_TRUE(worker.join());
        worker.works(64);
        ASSERT_TRUE(worker.gets(all));
    }
    [[nodiscard]] bool others_have_some() const {
        return comes_true([&] { return worker.cores() < all; });
    }
    // In a child: joins and says so, or ends.
    [[nodiscard]] client joined(std::uint32_t is_led = 0) const {
        client c(here.socket());
        hello h = greeting();
        h.is_led = is_led;
        if (!c.join(h)) _exit(1);
        return c;
    }
    [[noreturn]] static void burn() {
        for (volatile int on = 1;;)
            if (on == 0) _exit(0);
    }
    static nanoseconds time_of(pid_t process) { return service::run_time(process, -1).value_or(0); }

    const place here;
    client worker;
    int all = 0;

private:
    std::unique_ptr<service::daemon> broker_;
};

TEST_F(BrokerServiceAsleep, WhoIsStoppedLeavesItsCoresUntilItGoesOn) {
    begin();
    const child other([this] {
        const client c = joined();
        c.works(8);
        burn();
    });
    ASSERT_TRUE(others_have_some());
    // It has got its welcome, or stopping would interrupt that.
    ASSERT_TRUE(comes_true([&] { return time_of(other.pid()) > 20'000'000; }));
    for (int i = 0; i < 2; ++i) {
        kill(other.pid(), SIGSTOP);
        ASSERT_TRUE(worker.gets(all));
        kill(other.pid(), SIGCONT);
        ASSERT_TRUE(others_have_some());
    }
}

TEST_F(BrokerServiceAsleep, WhoOnlyWaitsLeavesItsCores) {
    begin();
    const child other([this] {
        const client c = joined();
        for (;;) pause();
    });
    ASSERT_TRUE(others_have_some());
    EXPECT_TRUE(worker.gets(all));
}

TEST_F(BrokerServiceAsleep, ItsPageKeepsWhatItHadLast) {
    begin();
    int up[2];
    ASSERT_EQ(pipe(up), 0);
    const child other([&] {
        const client c = joined();
        while (worker.cores() == all) usleep(100);
        // The test's page says when it has been taken for asleep.
        while (worker.cores() != all) usleep(10'000);
        const int cores = c.cores();
        if (write(up[1], &cores, sizeof cores) < 0) _exit(1);
    });
    int cores = 0;
    ASSERT_EQ(read(up[0], &cores, sizeof cores), static_cast<ssize_t>(sizeof cores));
    EXPECT_GE(cores, 1);
    close(up[0]);
    close(up[1]);
}

TEST_F(BrokerServiceAsleep, ManyThatWaitMakeNobodyShare) {
    begin(300'000'000, "synthetic:core:2 pu:1");
    const child others([this] {
        std::vector<client> all_of_them;
        for (int i = 0; i < 20; ++i) all_of_them.push_back(joined());
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return worker.page().shared[0] != 0; }));
    EXPECT_TRUE(comes_true([&] { return worker.cores() == 2 && worker.page().shared[0] == 0; }));
}

// It is the whole tree that must not run.
TEST_F(BrokerServiceAsleep, WhoseChildrenRunIsAwake) {
    begin(1'000'000'000);
    int down[2];
    ASSERT_EQ(pipe(down), 0);
    const child leader([&] {
        const client c = joined(1);
        const pid_t self = getpid();
        const pid_t burns = fork();
        if (burns == 0) {
            end_with(self);
            burn();
        }
        if (write(down[1], &burns, sizeof burns) < 0) _exit(1);
        for (;; usleep(20'000)) c.feedback().lines[0].useful = now();
    });
    pid_t burns = 0;
    ASSERT_EQ(read(down[0], &burns, sizeof burns), static_cast<ssize_t>(sizeof burns));
    ASSERT_TRUE(others_have_some());
    // For as long as it takes to fall asleep and longer, by its own time.
    for (int i = 0; i < 4'000 && time_of(burns) < 2'000'000'000; ++i) {
        ASSERT_LT(worker.cores(), all);
        usleep(1000);
    }
    close(down[0]);
    close(down[1]);
}

// Its parent does not wait for it: with its end its time is gone from the tree's.
TEST_F(BrokerServiceAsleep, WhoseChildIsForgottenIsAwake) {
    begin(1'000'000'000);
    const child leader([this] {
        const client c = joined(1);
        const pid_t self = getpid();
        if (fork() == 0) {
            end_with(self);
            signal(SIGCHLD, SIG_IGN);
            const pid_t parent = getpid();
            if (fork() == 0) {
                end_with(parent);
                while (time_of(getpid()) < 2'500'000'000) {}
                _exit(0);
            }
            while (time_of(getpid()) < 9'000'000'000) {}
            _exit(0);
        }
        for (;; usleep(20'000)) c.feedback().lines[0].useful = now();
    });
    ASSERT_TRUE(others_have_some());
    const auto tree = [&] { return service::run_time_of_tree(leader.pid(), -1).value_or(0); };
    nanoseconds most = 0;
    ASSERT_TRUE(comes_true([&] {
        const nanoseconds ran = tree();
        return ran < std::exchange(most, std::max(most, ran));
    }));
    // Until what the others have run is as much again nothing could be told by the largest sum.
    for (int i = 0; i < 2'000 && tree() < most; ++i) {
        ASSERT_LT(worker.cores(), all);
        usleep(1000);
    }
}

TEST_F(BrokerServiceAsleep, WhoseTreeWaitsSleepsThoughItsLeaderLooks) {
    begin();
    const child leader([this] {
        const client c = joined(1);
        for (;; usleep(2'000))
            for (const nanoseconds begin = time_of(getpid()); time_of(getpid()) - begin < 500'000;) {}
    });
    ASSERT_TRUE(others_have_some());
    EXPECT_TRUE(worker.gets(all));
}

}  // namespace
