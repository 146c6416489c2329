// The end of a process whose default runtime has tasks that nobody awaits.
#include "tests/fork_at_rest.hpp"
#include "tests/parley/api/captured_errors.hpp"
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace api_test;
using namespace std::chrono_literals;

constexpr int many = 300;
std::atomic<int> tasks_run{0};

void take_a_moment() {
    std::this_thread::sleep_for(100us);
    ++tasks_run;
}

void spawn_many() {
    for (int i = 0; i < many; ++i) parley::spawn(take_a_moment);
}

// What exit() destroys: it says how many tasks have run by then. Made by a task, after the default runtime.
void say_at_the_end_what_ran() {
    struct report {
        ~report() { std::fprintf(stderr, "%d ran\n", tasks_run.load()); }
    };
    static const report here;
}

// Each in a process of its own, whose default runtime has so many workers.
class EndOfProcess : public testing::TestWithParam<const char*> {
protected:
    static void SetUpTestSuite() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
    void SetUp() override { setenv("PARLEY_WORKERS", GetParam(), 1); }
    void TearDown() override { unsetenv("PARLEY_WORKERS"); }
};

TEST_P(EndOfProcess, WaitsForWhatMainHasSpawned) {
    EXPECT_EXIT(
        {
            parley::spawn(say_at_the_end_what_ran);
            spawn_many();
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^300 ran\n$");
}

TEST_P(EndOfProcess, WaitsForWhatTasksAndOtherThreadsHaveSpawned) {
    EXPECT_EXIT(
        {
            parley::spawn(say_at_the_end_what_ran);
            parley::spawn([] { parley::spawn([] { spawn_many(); }); });
            std::thread(spawn_many).join();
            parley::async(spawn_many).get();
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^900 ran\n$");
}

// Those of main()'s thread are destroyed when the process ends, and a task may have used them there.
TEST_P(EndOfProcess, TasksFindTheThreadLocalVariablesOfALivingThread) {
    EXPECT_EXIT(
        {
            struct cache {
                bool is_alive = true;
                ~cache() { is_alive = false; }
            };
            const auto use = [] {
                static thread_local cache here;
                take_a_moment();
                if (!static_cast<volatile cache&>(here).is_alive) std::_Exit(1);
            };
            parley::run([&] {
                for (int i = 0; i < 20; ++i) parley::spawn(use);
                parley::barrier();
            });
            use();
            for (int i = 0; i < many; ++i) parley::spawn(use);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

// It keeps the seat of worker 0, and is somewhere else.
TEST_P(EndOfProcess, WaitsWhereAnotherThreadHasWorker0sPlace) {
    EXPECT_EXIT(
        {
            std::atomic<bool> is_there{false};
            std::thread([&] {
                parley::spawn(say_at_the_end_what_ran);
                spawn_many();
                is_there = true;
                for (;;) ::pause();
            }).detach();
            block_until([&] { return is_there.load(); });
            spawn_many();
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^600 ran\n$");
}

TEST_P(EndOfProcess, SaysWhatATaskHasThrown) {
    EXPECT_EXIT(
        {
            parley::spawn([] { throw boom{}; });
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^parley: a task failed and no barrier\\(\\) followed: boom\n$");
}

TEST_P(EndOfProcess, ByATaskDoesNotWaitForItself) {
    EXPECT_EXIT(
        {
            for (int i = 0; i < many; ++i) parley::spawn([] { std::this_thread::sleep_for(10ms); });
            parley::async([] { std::exit(3); }).get();
        },
        testing::ExitedWithCode(3), "parley: exit\\(\\) was called by a task, or not by main\\(\\)'s thread");
}

TEST_P(EndOfProcess, ByAnotherThreadDoesNotWaitForMain) {
    EXPECT_EXIT(
        {
            std::thread other([] {
                parley::spawn([] { std::this_thread::sleep_for(1h); });
                std::exit(4);
            });
            other.join();
        },
        testing::ExitedWithCode(4), "parley: exit\\(\\) was called by a task, or not by main\\(\\)'s thread");
}

TEST_P(EndOfProcess, SaysWhatItWaitsForAndEndsByASignal) {
    setenv("PARLEY_COMPLAIN_AFTER", "1", 1);
    EXPECT_EXIT(
        {
            static captured_errors errors;
            std::thread([] {
                errors.wait_for("parley: the process is to end since 1.");
                errors.stop();
                std::fputs(errors.text().c_str(), stderr);
                (void)::kill(::getpid(), SIGINT);
            }).detach();
            parley::spawn([] {
                for (;;) std::this_thread::sleep_for(1h);
            });
            std::exit(0);
        },
        testing::KilledBySignal(SIGINT),
        "s, but tasks are left in the default runtime:\nparley: . workers, . of them active");
    setenv("PARLEY_COMPLAIN_AFTER", std::to_string(parley_tests::complain_after.count()).c_str(), 1);
}

// Its count begins with what its parent's tasks have counted by then.
TEST_P(EndOfProcess, OfAChildOfForkWaitsForItsOwnAndNothingOfItsParents) {
    if (!parley_tests::children_have_threads_of_their_own) GTEST_SKIP() << "ThreadSanitizer";
    EXPECT_EXIT(
        {
            for (int i = 0; i < 50; ++i) parley::spawn(take_a_moment);
            say_at_the_end_what_ran();
            const pid_t child = parley_tests::fork_at_rest();
            if (child == 0) {
                spawn_many();
                std::exit(0);
            }
            int status = -1;
            (void)::waitpid(child, &status, 0);
            std::exit(status);
        },
        testing::ExitedWithCode(0), "^3[0-5][0-9] ran\n50 ran\n$");
}

TEST_P(EndOfProcess, ShowsWhatTheTimeWentTo) {
    setenv("PARLEY_PROFILE", "1", 1);
    EXPECT_EXIT(
        {
            parley::for_each_index(0, 1000, [](int) {});
            std::exit(0);
        },
        testing::ExitedWithCode(0),
        std::string("^parley: what the time of a runtime with ") + GetParam() +
            " workers went to, in percent\n  worker  seconds  running .*\n       0 ");
    unsetenv("PARLEY_PROFILE");
}

TEST_P(EndOfProcess, WaitsWhereWhatWorkersDoIsShown) {
    setenv("PARLEY_PROFILE", "1", 1);
    EXPECT_EXIT(
        {
            parley::spawn(say_at_the_end_what_ran);
            spawn_many();
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^300 ran\nparley: what the time of a runtime");
    unsetenv("PARLEY_PROFILE");
}

// With one worker it is certain that nothing is left.
TEST(EndOfProcessByATask, WhereNothingIsLeftIsSilent) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("PARLEY_WORKERS", "1", 1);
    EXPECT_EXIT(
        {
            auto older = parley::async([] {});
            parley::spawn(take_a_moment);
            older.get();
            if (tasks_run.load() != 1) std::_Exit(1);
            parley::async([] { std::exit(3); }).get();
        },
        testing::ExitedWithCode(3), "^$");
    unsetenv("PARLEY_WORKERS");
}

INSTANTIATE_TEST_SUITE_P(Workers, EndOfProcess, testing::Values("1", "2", "4"),
                         [](const auto& of) { return std::string("Of") + of.param; });

}  // namespace
