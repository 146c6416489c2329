// Who asks that a command ends is heard, and what it writes is not cut off unless they ask again.
#include "cli/signals.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using parley_cli::signal_watcher;

// More than a run that does not end is given.
constexpr auto long_enough = 1500ms;

enum : int { ended_by_itself = 11, was_given_up = 12, was_never_given_up = 13 };

// In a process of its own, whose signals are blocked; which writes from the beginning, if at all.
[[noreturn]] void be_interrupted(int times, bool writes, bool ends) {
    parley_cli::block_watched_signals();
    std::atomic<bool> is_heard = false;
    signal_watcher::actions actions;
    actions.interrupt = [&] { is_heard = true; };
    actions.give_up = [] { std::_Exit(was_given_up); };
    if (writes) actions.is_writing = [] { return true; };
    {
        const signal_watcher watcher(std::move(actions));
        for (int i = 0; i < times; ++i) {
            (void)::kill(::getpid(), SIGINT);
            while (!is_heard) std::this_thread::sleep_for(1ms);
            std::this_thread::sleep_for(ends ? 1ms : long_enough);
        }
    }
    std::_Exit(ends ? ended_by_itself : was_never_given_up);
}

struct Signals : testing::Test {
    static void SetUpTestSuite() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(Signals, ARunThatEndsWhenItHearsThemIsNotGivenUp) {
    EXPECT_EXIT(be_interrupted(1, false, true), testing::ExitedWithCode(ended_by_itself), "");
}

TEST_F(Signals, ARunThatGoesOnIsGivenUp) {
    EXPECT_EXIT(be_interrupted(1, false, false), testing::ExitedWithCode(was_given_up), "");
}

TEST_F(Signals, WhatIsBeingWrittenIsWaitedFor) {
    EXPECT_EXIT(be_interrupted(1, true, false), testing::ExitedWithCode(was_never_given_up), "");
}

TEST_F(Signals, WhatIsBeingWrittenIsGivenUpAtAnotherOne) {
    EXPECT_EXIT(be_interrupted(2, true, false), testing::ExitedWithCode(was_given_up), "");
}

}  // namespace
