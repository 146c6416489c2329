// A runtime under a broker: works on what it is given, says what it does, and does without when the broker dies.

#include "tests/broker/fake_broker.hpp"
#include "tests/broker/onlooker.hpp"
#include "tests/broker/service_client.hpp"

#include <parley/parley.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <sched.h>
#include <string>
#include <thread>

namespace {

using namespace broker_tests;

// This machine: threads are really moved.
service::settings this_machine(const place& at) {
    service::settings s = quick(at);
    s.here = service::look_at_machine();
    s.ran = &service::run_time;
    return s;
}
bool is_too_small() { return service::look_at_machine().number.size() < 2; }

parley::options member_of(const place& at, unsigned workers = 2) {
    parley::options o;
    o.workers = workers;
    o.broker = at.socket();
    return o;
}

std::uint64_t fib_of(unsigned n) {
    if (n < 2) return n;
    auto [a, b] = parley::fork_join([n] { return fib_of(n - 1); }, [n] { return fib_of(n - 2); });
    return a + b;
}

// Who asks too often is refused.
std::optional<seen> look_slowly(client& c) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return look(c);
}

int own_cores_now() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    return CPU_COUNT(&mine);
}

class PoolMember : public testing::Test {
protected:
    void SetUp() override {
        if (is_too_small()) GTEST_SKIP() << "one core has nothing to share";
        before_ = own_cores_now();
    }
    static void SetUpTestSuite() { sched_getaffinity(0, sizeof first_, &first_); }
    // This thread, too, is where it was before.
    void TearDown() override {
        cpu_set_t now;
        sched_getaffinity(0, sizeof now, &now);
        EXPECT_TRUE(CPU_EQUAL(&now, &first_));
        sched_setaffinity(0, sizeof first_, &first_);
    }
    static inline cpu_set_t first_{};
    int before_ = 0;
    place here;
};

TEST_F(PoolMember, ItsWorkersAreAsManyAsItsCores) {
    const auto cores = static_cast<unsigned>(service::look_at_machine().number.size());
    service::daemon broker(this_machine(here));
    parley::runtime r(member_of(here, cores));
    EXPECT_EQ(r.run([] { return fib_of(15); }), 610u);
    client onlooker(here.socket());
    ASSERT_TRUE(comes_true([&] {
        const auto s = look_slowly(onlooker);
        return s && s->programs.size() == 1;
    }));
    client other(here.socket());
    ASSERT_TRUE(other.join(greeting(cores)));
    EXPECT_TRUE(comes_true([&] { return r.active_workers() < cores; }));
    EXPECT_TRUE(comes_true([&] { return own_cores_now() < before_; }));
    EXPECT_EQ(r.run([] { return fib_of(18); }), 2584u);
    EXPECT_TRUE(other.say(bye{}));
    EXPECT_TRUE(comes_true([&] {
        (void)r.run([] { return fib_of(10); });
        return r.active_workers() == cores;
    }));
    EXPECT_TRUE(comes_true([&] { return own_cores_now() == before_; }));
}

// Gang scheduling: both workers in its turns, one in others'.
TEST_F(PoolMember, KeepsTurns) {
    fake_broker broker(here.socket());
    parley::runtime r(member_of(here));
    EXPECT_EQ(r.run([] { return fib_of(10); }), 55u);
    const auto cores = service::look_at_machine().number;
    member m = broker.welcome_next();
    m.allotted->slot_length = 20'000'000;
    m.allotted->slot_period = 2;
    m.allot({}, {cores[0], cores[1]});
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(comes_true([&] { return r.active_workers() == 1 && own_cores_now() == 1; }));
        EXPECT_EQ(r.run([] { return fib_of(15); }), 610u);
        EXPECT_TRUE(comes_true([&] { return r.active_workers() == 2 && own_cores_now() == 2; }));
        EXPECT_EQ(r.run([] { return fib_of(15); }), 610u);
    }
}

// Confined with the others, it would wait behind the worker that has the old core. The second runtime's is made by a
// thread that is confined already.
TEST_F(PoolMember, WhoBringsTheNewsIsNotConfined) {
    const auto free_threads = [&] {
        int all = 0;
        for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
            cpu_set_t mask;
            CPU_ZERO(&mask);
            sched_getaffinity(std::stoi(thread.path().filename().string()), sizeof mask, &mask);
            all += CPU_EQUAL(&mask, &first_) ? 1 : 0;
        }
        return all;
    };
    fake_broker broker(here.socket());
    const auto cores = service::look_at_machine().number;
    parley::runtime one(member_of(here));
    EXPECT_EQ(one.run([] { return fib_of(10); }), 55u);
    member first = broker.welcome_next();
    first.allot({cores[0]}, {});
    EXPECT_TRUE(comes_true([&] { return own_cores_now() == 1 && free_threads() == 1; }));
    parley::runtime two(member_of(here));
    EXPECT_EQ(two.run([] { return fib_of(10); }), 55u);
    member second = broker.welcome_next();
    second.allot({cores[0]}, {});
    EXPECT_TRUE(comes_true([&] { return two.active_workers() == 1 && free_threads() == 2; }));
}

TEST_F(PoolMember, ItsUsefulTimeIsSeen) {
    service::daemon broker(this_machine(here));
    parley::runtime r(member_of(here));
    std::atomic<bool> over = false;
    std::thread works([&] {
        r.run([&] {
            while (!over) (void)fib_of(18);
        });
    });
    client onlooker(here.socket());
    EXPECT_TRUE(comes_true([&] {
        const auto s = look_slowly(onlooker);
        return s && s->programs.size() == 1 && s->programs[0].held > 0 &&
               8 * s->programs[0].useful > s->programs[0].held;  // others may use the processors, too
    }));
    over = true;
    works.join();
    // Nothing to do: worker 0's thread, outside, does not run, and the other sleeps.
    EXPECT_TRUE(comes_true([&] {
        const auto s = look_slowly(onlooker);
        return s && s->programs.size() == 1 && s->programs[0].held > 0 && 16 * s->programs[0].useful < s->programs[0].held;
    }));
}

TEST_F(PoolMember, SurvivesItsBrokerAndJoinsTheNext) {
    parley::runtime r(member_of(here));
    std::atomic<bool> over = false;
    std::atomic<int> right = 0;
    std::thread works([&] {
        while (!over) right += r.run([] { return fib_of(16); }) == 987u ? 1 : 0;
    });
    for (int i = 0; i < 4; ++i) {
        service::daemon broker(this_machine(here));
        client onlooker(here.socket());
        EXPECT_TRUE(comes_true([&] {
            const auto s = look_slowly(onlooker);
            return s && s->programs.size() == 1;
        })) << i;
        const int before = right;
        EXPECT_TRUE(comes_true([&] { return right > before; }));
    }
    over = true;
    works.join();
}

TEST_F(PoolMember, EachOfTwoRuntimesIsAProgram) {
    service::daemon broker(this_machine(here));
    client onlooker(here.socket());
    {
        parley::runtime a(member_of(here)), b(member_of(here));
        EXPECT_EQ(a.run([&] { return b.run([] { return fib_of(15); }); }), 610u);
        EXPECT_EQ(a.run([] { return fib_of(15); }), 610u);
        EXPECT_TRUE(comes_true([&] {
            const auto s = look_slowly(onlooker);
            return s && s->programs.size() == 2;
        }));
    }
    EXPECT_TRUE(comes_true([&] {
        const auto s = look_slowly(onlooker);
        return s && s->programs.empty();
    }));
}

TEST_F(PoolMember, IsResizedWhileItWorks) {
    const auto cores = static_cast<unsigned>(service::look_at_machine().number.size());
    service::daemon broker(this_machine(here));
    parley::runtime r(member_of(here, cores + 2));
    std::atomic<bool> over = false;
    std::thread others([&] {
        while (!over) {
            client other(here.socket());
            if (other.join(greeting(cores))) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    for (int i = 0; i < 60; ++i) {
        EXPECT_EQ(r.run([] { return fib_of(21); }), 10946u);
        std::atomic<int> sum = 0;
        r.run([&] { parley::for_each_index(0, 20000, [&](int) { ++sum; }); });
        EXPECT_EQ(sum, 20000);
    }
    over = true;
    others.join();
}

}  // namespace
