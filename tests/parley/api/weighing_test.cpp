// What is kept back because it is not worth giving yet: it wakes nobody, and it is nobody's last hope.
#include "tests/parley/api/support.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include <unistd.h>

namespace {

using namespace api_test;
using namespace std::chrono_literals;

// ThreadSanitizer delivers signals in calls of the C library only.
template <class Condition>
void spin_until(Condition condition) {
    while (!condition())
        if (is_sanitized) usleep(50);
}

std::uint64_t wakes(const parley::runtime& rt) {
    std::uint64_t all = 0;
    for (const parley::worker_counters& c : rt.counters()) all += c.wakes;
    return all;
}

// The root task goes on meanwhile, and does not look.
void for_a_while() { std::this_thread::sleep_for(1ms); }

template <class Work>
void expect_that_nobody_is_woken_for(const Work& work) {
    constexpr std::uint64_t rounds = 200;
    parley::runtime rt{{.workers = 3}};
    rt.run([&] {
        for (int i = 0; i < 50; ++i) work(), for_a_while();  // it is the first time that code must be learned
        const std::uint64_t before = wakes(rt);
        for (std::uint64_t i = 0; i < rounds; ++i) work(), for_a_while();
        // With a sanitizer's checks in it, nothing is short.
        if (!is_sanitized) {
            EXPECT_LT(wakes(rt) - before, rounds / 4);
        }
    });
}

TEST(Weighing, NobodyIsWokenForAShortFork) {
    std::atomic<int> ran{0};
    expect_that_nobody_is_woken_for([&] { parley::fork_join([&] { ++ran; }, [&] { ++ran; }); });
    EXPECT_EQ(ran, 500);
}

TEST(Weighing, NobodyIsWokenForAShortScope) {
    std::atomic<int> ran{0};
    expect_that_nobody_is_woken_for([&] {
        parley::scope s;
        for (int i = 0; i < 4; ++i) s.spawn([&] { ++ran; });
        s.wait();
    });
    EXPECT_EQ(ran, 1000);
}

TEST(Weighing, NobodyIsWokenForAShortScopeThatIsUsedAgain) {
    std::atomic<int> ran{0};
    std::optional<parley::scope> s;
    expect_that_nobody_is_woken_for([&] {
        if (!s) s.emplace();
        for (int i = 0; i < 4; ++i) s->spawn([&] { ++ran; });
        s->wait();
        if (ran == 1000) s.reset();
    });
    EXPECT_EQ(ran, 1000);
}

TEST(Weighing, NobodyIsWokenForAShortLoop) {
    std::atomic<int> ran{0};
    expect_that_nobody_is_woken_for([&] { parley::for_each_index(0, 20, [&](int) { ++ran; }); });
    EXPECT_EQ(ran, 5000);
}

// Each branch waits until all have begun: so all must be given, though the same code has been short a hundred times. After
// pauses, too, in which everybody has fallen asleep.
template <class AllOf>
void expect_that_all_begin(unsigned workers, const AllOf& all_of) {
    parley::runtime rt{{.workers = workers}};
    rt.run([&] {
        for (const auto pause : {0us, 300us, 5000us})
            for (int round = 0; round < 5; ++round) {
                std::atomic<unsigned> begun{0};
                const auto each = [&](bool waits) {
                    ++begun;
                    if (waits) spin_until([&] { return begun >= workers; });
                };
                for (int i = 0; i < 100; ++i) all_of(workers, [&] { each(false); });
                begun = 0;
                std::this_thread::sleep_for(pause);
                all_of(workers, [&] { each(true); });
                EXPECT_EQ(begun, workers);
            }
    });
}

template <class F>
void fork_all(unsigned n, const F& f) {
    if (n == 1) return f();
    parley::fork_join([&] { fork_all(n / 2, f); }, [&] { fork_all(n - n / 2, f); });
}

TEST(Weighing, ForksThatWereShortAreGivenWhenTheyAreLong) {
    for (const unsigned n : {2U, 3U}) expect_that_all_begin(n, [](unsigned k, const auto& f) { fork_all(k, f); });
}

TEST(Weighing, ScopesThatWereShortAreGivenWhenTheyAreLong) {
    for (const unsigned n : {2U, 3U})
        expect_that_all_begin(n, [](unsigned k, const auto& f) {
            parley::scope s;
            for (unsigned i = 0; i < k; ++i) s.spawn([&] { f(); });
            s.wait();
        });
}

TEST(Weighing, LoopsThatWereShortAreGivenWhenTheyAreLong) {
    for (const unsigned n : {2U, 3U})
        expect_that_all_begin(n, [](unsigned k, const auto& f) { parley::for_each_index(0U, k, [&](unsigned) { f(); }); });
}

// The first iteration of a loop does `little` again and again, until another worker has the second one.
template <class Little>
void expect_that_the_outer_loop_is_given(const Little& little) {
    parley::runtime rt{{.workers = 2}};
    for (int round = 0; round < 5; ++round)
        rt.run([&] {
            std::atomic<int> ran{0};
            parley::for_each_index(0, 2, [&](int i) {
                ++ran;
                if (i == 0)
                    while (ran < 2) little();
            });
            EXPECT_EQ(ran, 2);
        });
}

TEST(Weighing, ShortLoopsDoNotHideTheLoopAroundThem) {
    expect_that_the_outer_loop_is_given([] { parley::for_each_index(0, 10, [](int) {}); });
}

TEST(Weighing, ShortForksDoNotHideTheLoopAroundThem) {
    expect_that_the_outer_loop_is_given([] { parley::fork_join([] {}, [] {}); });
}

// The wait keeps its stack, and nothing of the loop may wait for it.
TEST(Weighing, AnIsolatedWaitGivesTheRestOfTheLoopAroundIt) {
    parley::runtime rt{{.workers = 3}};
    for (int round = 0; round < 5; ++round)
        rt.run([&] {
            std::atomic<bool> second_ran{false};
            parley::for_each_index(0, 2, [&](int i) {
                if (i == 1) {
                    second_ran = true;
                    return;
                }
                parley::isolated([&] {
                    std::atomic<bool> began{false};
                    parley::scope s;
                    s.spawn([&] {
                        began = true;
                        while (!second_ran) std::this_thread::yield();
                    });
                    while (!began) std::this_thread::yield();
                    s.wait();
                });
            });
            EXPECT_TRUE(second_ran);
        });
}

}  // namespace
