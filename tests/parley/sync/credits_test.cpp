// Credits: never more taken than there are, no wake-up lost, one end.
#include <parley/detail/sync/credits.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using parley::sync::credits;
using given = credits::given;

TEST(Credits, GiveWhatIsThereIfItIsEnough) {
    credits c(10);
    EXPECT_EQ(c.take(1, 4, 1), 4U);
    EXPECT_EQ(c.take(1, 100, 1), 6U);
    EXPECT_EQ(c.take(1, 1, 1), 0U);
    EXPECT_EQ(c.taken(), 10U);
}

TEST(Credits, LessThanTheLeastIsNotTaken) {
    credits c(10);
    EXPECT_EQ(c.take(7, 7, 7), 7U);
    EXPECT_EQ(c.take(4, 8, 4), 0U);
    EXPECT_EQ(c.taken(), 7U);
}

TEST(Credits, WhoBringsEnoughMakesTheTakerGoOnOnce) {
    credits c(4);
    EXPECT_EQ(c.give(0), given::nothing);
    EXPECT_EQ(c.take(4, 4, 1), 4U);
    EXPECT_EQ(c.take(1, 1, 3), 0U);
    EXPECT_EQ(c.give(1), given::nothing);
    EXPECT_EQ(c.give(1), given::nothing);
    EXPECT_EQ(c.give(1), given::resume);
    EXPECT_EQ(c.give(1), given::nothing);
}

TEST(Credits, ATakerThatGotSomethingDoesNotWaitAnyMore) {
    credits c(4);
    EXPECT_EQ(c.take(4, 4, 1), 4U);
    EXPECT_EQ(c.take(1, 1, 4), 0U);
    EXPECT_EQ(c.give(1), given::nothing);
    EXPECT_EQ(c.take(1, 1, 1), 1U);  // it looked by itself
    EXPECT_EQ(c.give(4), given::nothing);
}

TEST(Credits, TheLastOnesBackAfterTheEndFinish) {
    credits c(3);
    EXPECT_EQ(c.take(3, 3, 1), 3U);
    EXPECT_FALSE(c.end());
    EXPECT_EQ(c.give(1), given::nothing);
    EXPECT_EQ(c.give(2), given::finished);
}

TEST(Credits, AnEndWithAllThereFinishesAtOnce) {
    credits c(3);
    EXPECT_EQ(c.take(2, 2, 1), 2U);
    EXPECT_EQ(c.give(2), given::nothing);
    EXPECT_TRUE(c.end());
}

TEST(Credits, AnEndWhileItWaitsIsAnEnd) {
    credits c(2);
    EXPECT_EQ(c.take(2, 2, 1), 2U);
    EXPECT_EQ(c.take(1, 1, 1), 0U);
    EXPECT_FALSE(c.end());
    EXPECT_EQ(c.give(1), given::nothing);
    EXPECT_EQ(c.give(1), given::finished);
}

// One taker and three who give back; the taker sleeps when it is told to and goes on when somebody says so.
TEST(Credits, NoWakeUpIsLostAndOneFinishes) {
    constexpr std::uint64_t all = 5, total = 30'000;
    credits c(all);
    std::atomic<std::uint64_t> on_the_way{0};
    std::atomic<int> finished{0}, resumed{1};
    std::atomic<bool> over{false};
    const auto tell = [&](given g) {
        if (g == given::resume) ++resumed;
        if (g == given::finished) ++finished;
    };
    std::vector<std::thread> givers;
    for (int i = 0; i < 3; ++i)
        givers.emplace_back([&] {
            for (;;) {
                std::uint64_t n = on_the_way.load();
                if (n > 0 && on_the_way.compare_exchange_weak(n, n - 1)) tell(c.give(1));
                else if (n == 0 && over) return;
                else std::this_thread::yield();
            }
        });
    for (std::uint64_t taken = 0; taken < total;) {
        while (resumed == 0) std::this_thread::yield();
        --resumed;
        while (const std::uint64_t n = c.take(1, 3, 2)) {
            on_the_way += n;
            taken += n;
        }
    }
    if (c.end()) ++finished;
    over = true;
    for (auto& g : givers) g.join();
    EXPECT_EQ(finished, 1);
    EXPECT_EQ(c.taken(), 0U);
}

}  // namespace
