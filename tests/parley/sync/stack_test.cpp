// Many senders, one receiver that takes everything.
#include <parley/detail/sync/stack.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "tests/parley/sync/crowd.hpp"

namespace {

struct item {
    item* next = nullptr;
    std::uint64_t number = 0;  // plain: ordered by the channel
};
using stack = parley::sync::stack<item, &item::next>;

TEST(Stack, GivesAllThatWasSentNewestFirst) {
    stack s;
    EXPECT_EQ(s.take_all(), nullptr);
    std::vector<item> items(10);
    for (item& n : items) s.send(&n);
    const item* n = s.take_all();
    for (std::size_t i = items.size(); i-- > 0; n = n->next) ASSERT_EQ(n, &items[i]);
    EXPECT_EQ(n, nullptr);
    EXPECT_EQ(s.take_all(), nullptr);
    s.send(&items[3]);
    EXPECT_EQ(s.take_all(), &items[3]);
    EXPECT_EQ(items[3].next, nullptr);
}

// Each item arrives once, with what its sender wrote, and of one sender's the older ones not before the newer ones in
// one taking.
TEST(StackStress, LosesAndDoublesNothing) {
    constexpr unsigned senders = channel_test::crowd_size - 1;
    constexpr std::uint64_t each = 5'000;
    stack s;
    std::array<std::vector<item>, senders> items;
    for (auto& mine : items) mine.resize(each);
    std::vector<std::vector<bool>> seen(senders, std::vector<bool>(each, false));
    std::uint64_t received = 0;
    channel_test::in_parallel(channel_test::crowd_size, [&](unsigned me) {
        if (me < senders) {
            for (std::uint64_t i = 0; i < each; ++i) {
                items[me][i].number = me * each + i;
                s.send(&items[me][i]);
            }
            return;
        }
        channel_test::spin_until([&] {
            std::array<std::uint64_t, senders> newest;
            newest.fill(each);
            for (const item* n = s.take_all(); n != nullptr; n = n->next) {
                const auto sender = static_cast<std::size_t>(n->number / each);
                const std::uint64_t i = n->number % each;
                EXPECT_FALSE(seen[sender][i]);
                EXPECT_LT(i, newest[sender]);
                seen[sender][i] = true;
                newest[sender] = i;
                ++received;
            }
            return received == senders * each;
        });
    });
    EXPECT_EQ(received, senders * each);
}

}  // namespace
