// The broker among programs that are there and do nothing.

#include "tests/broker/service_client.hpp"

namespace {

using namespace broker_tests;

class BrokerServiceAsleep : public testing::Test {
protected:
    // Looks at all processes but this one, which is whatever a test needs it to be.
    void begin(const char* machine = "synthetic:l3:2 core:4 pu:1") {
        service::settings s = quick(here, machine);
        s.ran = of_others;
        s.ran_in_tree = service::run_time_of_tree;
        s.steps.asleep_after = 100'000'000;
        broker_ = std::make_unique<service::daemon>(std::move(s));
        worker.connect_to(here.socket());
        ASSERT_TRUE(worker.join());
        worker.works(64);
    }
    [[nodiscard]] child busy() const {
        return child([this] {
            client c(here.socket());
            c.join();
            c.works(8);
            burn();
        });
    }
    [[noreturn]] static void burn() {
        for (volatile int on = 1;;)
            if (on == 0) _exit(0);
    }

    const place here;
    client worker;

private:
    std::unique_ptr<service::daemon> broker_;
};

TEST_F(BrokerServiceAsleep, WhoIsStoppedLeavesItsCoresUntilItGoesOn) {
    begin();
    const child other = busy();
    ASSERT_TRUE(comes_true([&] { return worker.cores() < 8; }));
    for (int i = 0; i < 2; ++i) {
        kill(other.pid(), SIGSTOP);
        ASSERT_TRUE(worker.gets(8));
        kill(other.pid(), SIGCONT);
        ASSERT_TRUE(comes_true([&] { return worker.cores() < 8; }));
    }
}

TEST_F(BrokerServiceAsleep, WhoOnlyWaitsLeavesItsCores) {
    begin();
    const child other([this] {
        client c(here.socket());
        c.join();
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return worker.cores() < 8; }));
    EXPECT_TRUE(worker.gets(8));
}

TEST_F(BrokerServiceAsleep, ItsPageKeepsWhatItHadLast) {
    begin();
    int up[2];
    ASSERT_EQ(pipe(up), 0);
    const child other([&] {
        client c(here.socket());
        c.join();
        while (worker.cores() == 8) usleep(100);
        // The test's page says when it has been taken for asleep.
        while (worker.cores() != 8) usleep(1000);
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
    begin("synthetic:core:2 pu:1");
    const child others([this] {
        std::vector<std::unique_ptr<client>> all;
        for (int i = 0; i < 20; ++i) {
            all.push_back(std::make_unique<client>(here.socket()));
            all.back()->join();
        }
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return worker.page().shared[0] != 0; }));
    EXPECT_TRUE(comes_true([&] { return worker.cores() == 2 && worker.page().shared[0] == 0; }));
}

// It is the whole tree that must not run.
TEST_F(BrokerServiceAsleep, WhoseChildrenRunIsAwake) {
    begin();
    const child leader([this] {
        client c(here.socket());
        hello led = greeting();
        led.is_led = 1;
        c.join(led);
        const pid_t self = getpid();
        const pid_t burns = fork();
        if (burns == 0) {
            end_with(self);
            burn();
        }
        for (;; usleep(20'000)) c.feedback().lines[0].useful = now();
    });
    ASSERT_TRUE(comes_true([&] { return worker.cores() < 8; }));
    for (int i = 0; i < 300; ++i) {
        ASSERT_LT(worker.cores(), 8);
        usleep(1000);
    }
}

TEST_F(BrokerServiceAsleep, WhoseTreeWaitsIsNot) {
    begin();
    const child leader([this] {
        client c(here.socket());
        hello led = greeting();
        led.is_led = 1;
        c.join(led);
        for (;;) pause();
    });
    ASSERT_TRUE(comes_true([&] { return worker.cores() < 8; }));
    EXPECT_TRUE(worker.gets(8));
}

}  // namespace
