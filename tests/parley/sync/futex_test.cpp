// Waiting in the kernel for a word to change.
#include <parley/detail/sync/futex.hpp>

#include "tests/parley/sync/sleepers.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace {

using namespace channel_test;
using word = std::atomic<std::uint32_t>;

TEST(Futex, WaitReturnsAtOnceIfTheWordHasChanged) {
    const word w{1};
    parley::sync::futex_wait(w, 2);
}

TEST(Futex, WakeOfNobodyIsHarmless) {
    const word w{1};
    parley::sync::futex_wake(w, 1);
}

TEST(Futex, ErrnoIsKept) {
    const word w{1};
    errno = 4711;
    parley::sync::futex_wait(w, 2);                                   // fails with EAGAIN in the kernel
    parley::sync::futex_wait_for(w, 1, std::chrono::nanoseconds(1));  // and this with ETIMEDOUT
    parley::sync::futex_wake(w, 1);
    EXPECT_EQ(errno, 4711);
}

TEST(Futex, WakesAsManyAsAsked) {
    word w{0};
    std::vector<std::jthread> sleepers;
    for (int i = 0; i < 5; ++i) sleepers.emplace_back([&] { parley::sync::futex_wait(w, 0); });
    spin_until_sleeping(&w, 5);
    parley::sync::futex_wake(w, 2);
    EXPECT_EQ(sleepers_on(&w), 3);
    parley::sync::futex_wake(w, 3);
    EXPECT_EQ(sleepers_on(&w), 0);
}

}  // namespace
