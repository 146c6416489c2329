// Starting a thread with a stack of a chosen size.
#include <parley/detail/runtime/thread.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <pthread.h>
#include <string>
#include <system_error>

namespace {

using parley::threading::start_thread;

// What a new thread finds out about itself.
struct findings {
    std::size_t stack_size = 0;
    sigset_t mask{};
};

findings of_thread(std::size_t stack_size) {
    findings found;
    const pthread_t thread = start_thread(stack_size, &found, [](void* argument) -> void* {
        auto& mine = *static_cast<findings*>(argument);
        pthread_sigmask(SIG_SETMASK, nullptr, &mine.mask);
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstacksize(&attributes, &mine.stack_size);
            pthread_attr_destroy(&attributes);
        }
        return nullptr;
    });
    pthread_join(thread, nullptr);
    return found;
}

TEST(StartThread, HasTheStackThatWasAskedFor) {
    constexpr std::size_t mebibyte = 1 << 20;
    EXPECT_GE(of_thread(16 * mebibyte).stack_size, 16 * mebibyte);
    EXPECT_LT(of_thread(16 * mebibyte).stack_size, 17 * mebibyte);
}

TEST(StartThread, ZeroMeansTheSystemsDefault) {
    pthread_attr_t attributes;
    std::size_t expected = 0;
    ASSERT_EQ(pthread_getattr_default_np(&attributes), 0);
    pthread_attr_getstacksize(&attributes, &expected);
    pthread_attr_destroy(&attributes);
    EXPECT_GE(of_thread(0).stack_size, expected);
}

// Signals that are sent to the process are for the program's own threads.
TEST(StartThread, BlocksSignalsOfTheProcess) {
    const findings found = of_thread(0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD})
        EXPECT_EQ(sigismember(&found.mask, signal), 1) << signal;
}

TEST(StartThread, LeavesTheCallersMaskAsItWas) {
    sigset_t before;
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    (void)of_thread(0);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (int signal = 1; signal < 32; ++signal)
        EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
}

TEST(StartThread, SaysThatAStackIsTooSmall) {
    const auto nothing = [](void*) -> void* { return nullptr; };
    try {
        pthread_join(start_thread(1, nullptr, nothing), nullptr);
        ADD_FAILURE() << "a stack of one byte";
    } catch (const std::system_error& e) {
        EXPECT_EQ(e.code(), std::errc::invalid_argument);
        EXPECT_NE(std::string(e.what()).find("parley: no worker thread"), std::string::npos);
    }
}

}  // namespace
