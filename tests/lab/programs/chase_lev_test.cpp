// The deque of the reference scheduler: each item comes out once, whoever takes it.
#include "lab/peers/deque/chase_lev.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using deque = parley_peers::deque_detail::chase_lev<int>;

TEST(ChaseLev, OwnerTakesTheNewestThievesTheOldest) {
    deque d;
    int items[3] = {};
    for (int& i : items) d.push(&i);
    EXPECT_EQ(d.pop(), &items[2]);
    EXPECT_EQ(d.steal(), &items[0]);
    EXPECT_FALSE(d.looks_empty());
    EXPECT_EQ(d.pop(), &items[1]);
    EXPECT_EQ(d.pop(), nullptr);
    EXPECT_EQ(d.steal(), nullptr);
    EXPECT_TRUE(d.looks_empty());
    d.push(&items[0]);
    EXPECT_EQ(d.pop(), &items[0]);
}

TEST(ChaseLev, GrowsWithoutLosingOrder) {
    deque d;
    std::vector<int> items(10'000);
    for (int& i : items) d.push(&i);
    EXPECT_EQ(d.steal(), &items.front());
    for (std::size_t i = items.size() - 1; i > 0; --i) ASSERT_EQ(d.pop(), &items[i]);
    EXPECT_EQ(d.pop(), nullptr);
}

// Few items at a time, so that owner and thieves meet at the last one.
TEST(ChaseLevStress, EachItemIsTakenOnce) {
    constexpr int thieves = 3;
    constexpr std::size_t count = 50'000;
    std::vector<int> items(count);
    std::vector<std::atomic<int>> taken(count);
    deque d;
    std::atomic<bool> end{false};
    const auto note = [&](const int* item) {
        if (item != nullptr) ++taken[static_cast<std::size_t>(item - items.data())];
    };
    std::vector<std::thread> others;
    for (int i = 0; i < thieves; ++i)
        others.emplace_back([&] {
            while (!end) {
                note(d.steal());
                std::this_thread::yield();
            }
        });
    for (std::size_t i = 0; i < count; ++i) {
        d.push(&items[i]);
        if (i % 3 == 0) note(d.pop());
        if (i % 64 == 0)
            while (int* item = d.pop()) note(item);
    }
    while (int* item = d.pop()) note(item);
    end = true;
    for (std::thread& t : others) t.join();
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(taken[i], 1) << i;
}

}  // namespace
