// Who asks that a command ends is heard, and what it writes is not cut off unless they ask again.
#include "command/signals.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <utility>

namespace {

using namespace std::chrono_literals;
using parley_cli::signal_watcher;

constexpr auto longer_than_it_is_given = 1500ms;
constexpr auto for_ever = 1min;

enum : int { ended_by_itself = 11, was_given_up = 12 };

// In a process of its own, whose signals are blocked; which writes from the beginning, if at all, and ends so long after
// the last signal.
[[noreturn]] void be_interrupted(int times, bool writes, std::chrono::milliseconds ends_after) {
    parley_cli::block_watched_signals();
    std::atomic<bool> is_heard = false;
    signal_watcher::actions actions;
    actions.interrupt = [&] { is_heard = true; };
    actions.give_up = [] { std::_Exit(was_given_up); };
    if (writes) actions.is_writing = [] { return true; };
    {
        const signal_watcher watcher(std::move(actions));
        for (int i = 0; i < times; ++i) {
            if (i > 0) std::this_thread::sleep_for(longer_than_it_is_given);
            (void)::kill(::getpid(), SIGINT);
            while (!is_heard) std::this_thread::sleep_for(1ms);
        }
        std::this_thread::sleep_for(ends_after);
    }
    std::_Exit(ended_by_itself);
}

struct Signals : testing::Test {
    static void SetUpTestSuite() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(Signals, ARunThatEndsWhenItHearsThemIsNotGivenUp) {
    EXPECT_EXIT(be_interrupted(1, false, 0ms), testing::ExitedWithCode(ended_by_itself), "");
}

TEST_F(Signals, ARunThatGoesOnIsGivenUp) {
    EXPECT_EXIT(be_interrupted(1, false, for_ever), testing::ExitedWithCode(was_given_up), "");
}

TEST_F(Signals, WhatIsBeingWrittenIsWaitedFor) {
    EXPECT_EXIT(be_interrupted(1, true, longer_than_it_is_given), testing::ExitedWithCode(ended_by_itself), "");
}

TEST_F(Signals, WhatIsBeingWrittenIsGivenUpAtAnotherOne) {
    EXPECT_EXIT(be_interrupted(2, true, for_ever), testing::ExitedWithCode(was_given_up), "");
}

}  // namespace
