// The default runtime: run(), workers(), configure(), worker_index(). Most in a process of its own, where it has not
// started.
#include "tests/fork_at_rest.hpp"
#include "tests/parley/api/support.hpp"

#include <cstdlib>
#include <optional>
#include <sys/wait.h>

namespace {

using namespace api_test;
using parley::async;

// Ends the process with 0 if f() says that all is as it should be. `workers`: PARLEY_WORKERS, or null for none.
template <class F>
void expect_before_the_start(const char* workers, F f) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            if (workers != nullptr) setenv("PARLEY_WORKERS", workers, 1);
            else unsetenv("PARLEY_WORKERS");
            parley_tests::end_after(60);
            std::_Exit(f() ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

bool is_too_late(const parley::options& o) {
    try {
        parley::configure(o);
    } catch (const parley::usage_error&) {
        return true;
    }
    return false;
}

bool has_threads() {
    std::size_t n = 0;
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) n += each.exists();
    return n > 1;
}

TEST(DefaultRuntime, RunsAFunctionAsRootTask) {
    EXPECT_EQ(parley::run([] { return 3; }), 3);
    static_assert(std::is_void_v<decltype(parley::run([] {}))>);
    int x = 0;
    EXPECT_EQ(&parley::run([&]() -> int& { return x; }), &x);
    EXPECT_THROW(parley::run([] { throw boom{}; }), boom);
    EXPECT_EQ(parley::run([] { return std::this_thread::get_id(); }), std::this_thread::get_id());
    EXPECT_EQ(parley::run([] { return fib(10); }), 55U);
}

TEST(DefaultRuntimeDeathTest, RunMayCallTheBarrier) {
    expect_before_the_start("3", [] {
        std::atomic<int> ran{0};
        parley::run([&] {
            for (int i = 0; i < 100; ++i)
                parley::spawn([&] {
                    ++ran;
                    parley::spawn([&] { ++ran; });
                });
            parley::barrier();
        });
        return ran == 200;
    });
}

TEST(DefaultRuntime, RunInATaskIsACall) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            EXPECT_EQ(parley::run([] { return parley::workers(); }), rt.workers());
            EXPECT_EQ(async([] { return parley::run([] { return fib(8); }); }).get(), 21U);
        });
    });
}

TEST(DefaultRuntime, WorkersAreThoseOfTheCallersRuntime) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_EQ(rt.run([] { return parley::workers(); }), rt.workers());
        EXPECT_EQ(rt.run([] { return async([] { return parley::workers(); }).get(); }), rt.workers());
    });
    EXPECT_EQ(parley::workers(), parley::run([] { return parley::workers(); }));
}

TEST(DefaultRuntimeDeathTest, WorkersBeforeTheStartStartNothing) {
    expect_before_the_start("3", [] { return parley::workers() == 3 && !has_threads() && !is_too_late({}); });
    expect_before_the_start(nullptr, [] { return parley::workers() == parley::default_workers() && !has_threads(); });
    expect_before_the_start("3", [] {
        parley::configure({.workers = 5});
        return parley::workers() == 5 && !has_threads() && parley::run([] { return parley::workers(); }) == 5;
    });
    expect_before_the_start("3", [] {
        setenv("PARLEY_SERIAL", "1", 1);
        return parley::workers() == 1;
    });
    expect_before_the_start("many", [] {
        try {
            (void)parley::workers();
        } catch (const parley::environment_error&) {
            return true;
        }
        return false;
    });
}

TEST(DefaultRuntime, ANumberTellsWorker0FromAThreadOutside) {
    EXPECT_EQ(parley::worker_index(), std::nullopt);
    with_each_size([](parley::runtime& rt) {
        EXPECT_EQ(rt.run([] { return parley::worker_index(); }), 0U);
        EXPECT_EQ(parley::worker_index(), std::nullopt);
        rt.run([] { std::thread([] { EXPECT_EQ(parley::worker_index(), std::nullopt); }).join(); });
    });
    parley::async([] {}).get();
    EXPECT_EQ(parley::worker_index(), std::nullopt) << "a thread that keeps its seat is outside between two words";
}

TEST(DefaultRuntimeDeathTest, WhatTheProgramSaysWinsOverTheEnvironment) {
    expect_before_the_start("3", [] {
        parley::configure({.workers = 2});
        return parley::run([] { return parley::workers(); }) == 2;
    });
}

TEST(DefaultRuntimeDeathTest, WhatItLeavesOpenTheEnvironmentSays) {
    expect_before_the_start("3", [] {
        setenv("PARLEY_PROFILE", "1", 1);
        parley::configure({.queue_bound = 5000});
        const auto& settings = parley::detail::default_pool().settings();
        return settings.workers == 3 && settings.queue_bound == 5000 && settings.profile;
    });
}

TEST(DefaultRuntimeDeathTest, TheLastConfigurationCounts) {
    expect_before_the_start(nullptr, [] {
        parley::configure({.workers = 2, .queue_bound = 5000});
        parley::configure({.workers = 4});
        const auto& settings = parley::detail::default_pool().settings();
        return settings.workers == 4 && settings.queue_bound == parley::options{}.queue_bound;
    });
}

TEST(DefaultRuntimeDeathTest, OnceItHasStartedItIsTooLate) {
    for (const bool configured : {false, true})
        expect_before_the_start("2", [configured] {
            if (configured) parley::configure({.workers = 4});
            parley::async([] {}).get();
            return is_too_late({.workers = 3}) && is_too_late({}) && parley::workers() == (configured ? 4U : 2U);
        });
    expect_before_the_start("2", [] { return !is_too_late({.workers = 3}); });
    // A runtime of one's own is another one.
    expect_before_the_start("2", [] {
        parley::runtime rt{{.workers = 4}};
        rt.run([] { fib(5); });
        return !is_too_late({.workers = 3}) && parley::workers() == 3;
    });
}

TEST(DefaultRuntimeDeathTest, WhatCannotBeChosenIsRefusedAtOnce) {
    expect_before_the_start(nullptr, [] {
        return is_too_late({.workers = 5000}) && is_too_late({.complain_after = std::chrono::hours(25)}) &&
               is_too_late({.idle = std::chrono::microseconds(-2)}) && parley::workers() == parley::default_workers();
    });
}

// A start that fails is none.
TEST(DefaultRuntimeDeathTest, AfterAFailedStartItMayBeConfigured) {
    expect_before_the_start("many", [] {
        try {
            parley::async([] {}).get();
            return false;
        } catch (const parley::environment_error&) {}
        setenv("PARLEY_WORKERS", "2", 1);
        return !is_too_late({.workers = 3}) && parley::async([] { return parley::workers(); }).get() == 3;
    });
}

TEST(DefaultRuntimeDeathTest, ThreadsThatStartItAtOnceGetOneAndTheSame) {
    for (std::size_t round = 0; round < times(20); ++round)
        expect_before_the_start(nullptr, [] {
            parley::configure({.workers = 3});
            std::atomic<int> right{0};
            in_threads(4, [&](unsigned) {
                if (parley::async([] { return parley::workers(); }).get() == 3) ++right;
            });
            return right == 4 && is_too_late({});
        });
}

// Whoever was in time is heard: after configure() has returned no other options count.
TEST(DefaultRuntimeDeathTest, ConfiguredInTimeOrTooLate) {
    for (std::size_t round = 0; round < times(20); ++round)
        expect_before_the_start("2", [] {
            std::atomic<bool> late{false};
            std::thread other([&] { late = is_too_late({.workers = 3}); });
            parley::async([] {}).get();
            other.join();
            return parley::workers() == (late ? 2U : 3U);
        });
}

TEST(DefaultRuntimeDeathTest, AChildOfForkHasItsParentsOptionsAndMaySetItsOwn) {
    if (!parley_tests::children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    expect_before_the_start(nullptr, [] {
        parley::configure({.workers = 2});
        parley::async([] {}).get();
        const pid_t child = parley_tests::fork_at_rest();
        if (child == 0) {
            if (parley::workers() != 2 || is_too_late({.workers = 3}) || parley::workers() != 3) std::_Exit(1);
            if (parley::async([] { return parley::workers(); }).get() != 3) std::_Exit(2);
            std::_Exit(is_too_late({}) ? 0 : 3);
        }
        int how = 0;
        waitpid(child, &how, 0);
        return WIFEXITED(how) && WEXITSTATUS(how) == 0;
    });
}

}  // namespace
