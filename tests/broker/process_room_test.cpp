// What all programs of a process have in common, and how much time of a section goes into it.

#include "tests/broker/service_client.hpp"

#include <broker/daemon/distrust.hpp>
#include <broker/daemon/process_folder.hpp>
#include <broker/daemon/process_room.hpp>

#include <algorithm>
#include <atomic>

namespace {

using namespace broker_tests;
using service::process_room;
using standing = process_room::standing;

constexpr nanoseconds one_second = 1'000'000'000, one_spell = 50'000'000;

service::look_budget in_debt(nanoseconds at) {
    service::look_budget b;
    (void)b.has_some(at);
    b.charge(one_second);
    return b;
}

// ---- The budget.

TEST(BrokerLookBudget, IsATenthOfTheTime) {
    service::look_budget b;
    nanoseconds spent = 0;
    for (nanoseconds at = one_second; at < 11 * one_second; at += one_spell / 5) {
        if (!b.has_some(at)) continue;
        b.charge(8'000'000);
        spent += 8'000'000;
    }
    EXPECT_NEAR(static_cast<double>(spent), 1e9, 2e7);
}
TEST(BrokerLookBudget, SavesNoMoreThanALittle) {
    service::look_budget b;
    EXPECT_TRUE(b.has_some(1000 * one_second));
    b.charge(service::look_budget::most);
    EXPECT_FALSE(b.has_some(1000 * one_second));
    EXPECT_TRUE(b.has_some(1001 * one_second));
    b.charge(service::look_budget::most + 100);
    EXPECT_FALSE(b.has_some(1001 * one_second + 1000)) << "first it pays what it owes";
    EXPECT_TRUE(b.has_some(1001 * one_second + 1010));
}

// ---- Looks.

int looks_counted = 0;
std::optional<nanoseconds> counted(pid_t, int) noexcept { return static_cast<nanoseconds>(++looks_counted) * 1000; }

TEST(BrokerProcessRoom, OneLookIsForAllProgramsOfTheProcess) {
    process_room room(counted, counted);
    service::look_budget one, another;
    looks_counted = 0;
    for (int i = 0; i < 64; ++i) {
        const auto r = room.read({getpid(), -1}, one_second, one_spell / 2, i % 2 == 0 ? one : another);
        EXPECT_TRUE(r.is_seen);
        EXPECT_EQ(r.ran, 1000u);
    }
    EXPECT_EQ(looks_counted, 1);
    EXPECT_EQ(room.read({getpid(), -1}, one_second + one_spell, one_spell / 2, one).ran, 2000u);
    const process_room::subject tree{getpid(), -1, true};
    EXPECT_EQ(room.read(tree, one_second + one_spell, one_spell / 2, one).ran, 3000u) << "not the process alone";
}
TEST(BrokerProcessRoom, IsNotLookedAtByWhoHasNoTimeLeft) {
    process_room room(counted, counted);
    service::look_budget rich, poor = in_debt(one_second);
    looks_counted = 0;
    EXPECT_FALSE(room.read({getpid(), -1}, one_second, one_spell / 2, poor).is_seen) << "nor for the first time";
    EXPECT_TRUE(room.read({getpid(), -1}, one_second, one_spell / 2, rich).is_seen);
    EXPECT_TRUE(room.read({getpid(), -1}, one_second, one_spell / 2, poor).is_seen) << "it has been already";
    EXPECT_FALSE(room.read({getpid(), -1}, one_second + one_spell, one_spell / 2, poor).is_seen);
    EXPECT_EQ(looks_counted, 1);
}

// ---- Rooms.

TEST(BrokerProcessRoom, CoresThatItsProgramsShareCountOnce) {
    process_room room;
    for (program_id p = 1; p <= 64; ++p) room.holds(p, {0b0001});
    nanoseconds sum = 0;
    for (program_id p = 1; p <= 64; ++p) sum = room.add(one_spell);
    EXPECT_LE(sum, one_spell);
    EXPECT_GT(sum, one_spell - 64);
    process_room other;
    other.holds(1, {0b1111});
    other.holds(2, {0b0001});
    (void)other.add(4 * one_spell);
    EXPECT_EQ(other.add(one_spell), 4 * one_spell);
}

// ---- Binding.

// A process with so many threads that rest.
class BrokerProcessRoomBinds : public testing::Test {
protected:
    void SetUp() override {
        if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
        if (processors_of(0) < 2) GTEST_SKIP() << "there is one processor only";
        const service::machine here = service::look_at_machine();
        narrow[here.number[0] / 64] |= std::uint64_t{1} << here.number[0] % 64;
        for (const std::uint32_t n : here.number) wide[n / 64] |= std::uint64_t{1} << n % 64;
        room.holds(1, narrow);
        room.holds(2, narrow);
    }
    void begin(int threads) {
        process.emplace([threads] {
            for (int i = 1; i < threads; ++i) std::thread([] { pause(); }).detach();
        });
        ASSERT_TRUE(comes_true([&] { return count([](pid_t) { return true; }) >= threads; }));
    }
    [[nodiscard]] std::ptrdiff_t count(const std::function<bool(pid_t)>& which) const {
        std::ptrdiff_t n = 0;
        (void)service::process_folder(process->pid()).for_threads(100'000, 0, [&](pid_t t) { n += which(t) ? 1 : 0; });
        return n;
    }
    [[nodiscard]] std::ptrdiff_t bound() const {
        return count([](pid_t t) { return processors_of(t) == 1; });
    }
    process_room::outcome keep(program_id p, standing how) {
        at += one_second;
        return room.keep(p, how, {process->pid(), -1}, at, 2 * one_spell, budget);
    }

    process_room room;
    service::core_set narrow{}, wide{};
    service::look_budget budget;
    nanoseconds at = one_second;
    std::optional<child> process;
};

TEST_F(BrokerProcessRoomBinds, OnceForAllProgramsThatStray) {
    begin(1);
    EXPECT_EQ(keep(1, standing::strays).moved, 1u);
    cpu_set_t all{};
    for (const std::uint32_t n : service::look_at_machine().number) CPU_SET(n, &all);
    ASSERT_EQ(sched_setaffinity(process->pid(), sizeof all, &all), 0);
    const auto again = room.keep(2, standing::strays, {process->pid(), -1}, at + one_spell, 2 * one_spell, budget);
    EXPECT_EQ(again.moved, 0u) << "it has been done a moment ago";
    EXPECT_EQ(keep(2, standing::strays).moved, 1u);
}
TEST_F(BrokerProcessRoomBinds, UntilAllOfThemFollow) {
    begin(1);
    EXPECT_EQ(keep(1, standing::strays).moved, 1u);
    EXPECT_FALSE(keep(2, standing::follows).is_freed);
    EXPECT_EQ(bound(), 1);
    room.holds(2, wide);
    EXPECT_FALSE(keep(2, standing::waits).is_freed);
    EXPECT_EQ(bound(), 0) << "its cores have changed";
    EXPECT_FALSE(keep(2, standing::follows).is_freed);
    EXPECT_TRUE(keep(1, standing::follows).is_freed);
}
TEST_F(BrokerProcessRoomBinds, NoMoreThreadsAtATimeThanAreNothingToWaitFor) {
    if (!children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    constexpr auto most = static_cast<std::ptrdiff_t>(service::most_threads);
    begin(most + 200);
    EXPECT_EQ(keep(1, standing::strays).moved, service::most_threads);
    EXPECT_EQ(bound(), most);
    EXPECT_EQ(keep(2, standing::strays).moved, 200u);
    EXPECT_EQ(bound(), most + 200);
    EXPECT_FALSE(room.leaves(1) && room.leaves(2));
    EXPECT_FALSE(room.give_back({process->pid(), -1}, wide, at, nullptr));
    EXPECT_EQ(bound(), 200);
    EXPECT_TRUE(room.give_back({process->pid(), -1}, wide, at, nullptr));
    EXPECT_EQ(bound(), 0);
}
TEST_F(BrokerProcessRoomBinds, NothingWithoutABudget) {
    begin(1);
    budget = in_debt(at);
    EXPECT_EQ(keep(1, standing::strays).moved, 0u);
    EXPECT_EQ(bound(), 0);
    at += 20 * one_second;
    EXPECT_EQ(keep(1, standing::strays).moved, 1u);
    EXPECT_FALSE(room.leaves(1) && room.leaves(2));
    service::look_budget none = in_debt(at);
    EXPECT_FALSE(room.give_back({process->pid(), -1}, wide, at, &none));
    EXPECT_EQ(bound(), 1);
    EXPECT_TRUE(room.give_back({process->pid(), -1}, wide, at, nullptr));
    EXPECT_EQ(bound(), 0);
}
// Whoever has its number now.
TEST_F(BrokerProcessRoomBinds, NobodyThroughTheFolderOfOneThatHasEnded) {
    begin(1);
    const service::process_folder folder(process->pid());
    EXPECT_EQ(folder.parent(), getpid());
    EXPECT_NE(folder.fields(), "");
    process->kill_it();
    EXPECT_EQ(folder.parent(), 0);
    EXPECT_EQ(folder.fields(), "");
    int threads = 0;
    EXPECT_EQ(folder.for_threads(10, 0, [&](pid_t) { ++threads; }), 0);
    EXPECT_EQ(threads, 0);
}

// ---- Distrust.

TEST(BrokerDistrust, LastsFromTheFirstBindingOn) {
    service::distrust d;
    EXPECT_FALSE(d.is_on(one_second));
    d.bound(one_second);
    d.begin(2 * one_second, one_second);
    d.bound(one_second);
    EXPECT_TRUE(d.is_on(100 * one_second)) << "that was before";
    d.bound(100 * one_second);
    d.bound(100 * one_second + 5);
    EXPECT_TRUE(d.is_on(101 * one_second - 1));
    EXPECT_FALSE(d.is_on(101 * one_second));
    EXPECT_FALSE(d.is_on(101 * one_second - 1)) << "it has ended";
}

// Looking has become so expensive by the time it is convicted that nothing is bound for longer than a hundred quanta.
std::atomic<int> looks_at_it = 0;
std::optional<nanoseconds> dear_later(pid_t, int) noexcept {
    const bool is_dear = ++looks_at_it > 10;
    const nanoseconds begin = service::thread_time();
    while (is_dear && service::thread_time() - begin < 20'000'000) {}
    return 10 * now();
}

TEST(BrokerDistrust, WhoseFirstBindingHasToWaitIsBoundAllTheSame) {
    if (processors_of(0) < 2) GTEST_SKIP() << "there is one processor only";
    const place here;
    service::settings s = quick(here);
    s.here = service::look_at_machine();
    s.steps.moves = true;
    s.ran_in_tree = dear_later;
    looks_at_it = 0;
    service::daemon broker(std::move(s));
    const pid_t tester = getpid();
    const child liar([&] {
        end_with(tester);
        hello led = greeting(1);
        led.is_led = 1;
        client c(here.socket());
        if (!c.join(led)) _exit(1);
        for (;; usleep(200)) c.feedback().followed = c.page().generation.load();
    });
    EXPECT_TRUE(comes_true([&] { return processors_of(liar.pid()) == 1; }));
}

}  // namespace
