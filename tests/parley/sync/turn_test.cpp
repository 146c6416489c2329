// The turn: one at a time serves, and nothing that was put in stays behind.

#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/turn.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using parley::sync::turn;

TEST(Turn, IsForOneAtATime) {
    turn t;
    EXPECT_TRUE(t.call());
    EXPECT_FALSE(t.call());
    EXPECT_FALSE(t.leave()) << "it was called meanwhile";
    EXPECT_TRUE(t.leave());
    EXPECT_TRUE(t.call());
    EXPECT_TRUE(t.leave());
}

TEST(Turn, ManyCallsMeanOneMoreLook) {
    turn t;
    EXPECT_TRUE(t.call());
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(t.call());
    EXPECT_FALSE(t.leave());
    EXPECT_TRUE(t.leave());
}

struct task {
    task* next = nullptr;
    int number = 0;
};

TEST(Turn, WhatManyThreadsPutInIsServedByOneAtATime) {
    constexpr int threads = 4, each = 5'000;
    turn t;
    parley::sync::mpsc<task, &task::next> inbox;
    std::vector<task> tasks(threads * each);
    int served = 0;  // whoever has the turn
    std::vector<std::thread> all;
    for (int k = 0; k < threads; ++k)
        all.emplace_back([&, k] {
            for (int i = 0; i < each; ++i) {
                (void)inbox.send(&tasks[static_cast<std::size_t>(k * each + i)]);
                if (!t.call()) continue;
                do {
                    while (inbox.receive() != nullptr) ++served;
                } while (!t.leave());
            }
        });
    for (auto& thread : all) thread.join();
    EXPECT_EQ(served, threads * each);
}

}  // namespace
