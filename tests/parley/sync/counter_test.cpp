// Values that one party writes and others may read.
#include <parley/detail/sync/counter.hpp>

#include "tests/parley/sync/crowd.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace channel_test;
using namespace parley::sync;

template <class Counter>
void counts() {
    Counter c;
    EXPECT_EQ(c.get(), 0u);
    c.add();
    EXPECT_EQ(c.get(), 1u);
    c.add(41);
    EXPECT_EQ(c.get(), 42u);
}

TEST(Counter, Counts) { counts<counter>(); }
TEST(PublishedCounter, Counts) {
    counts<published_counter>();
    published_counter c;
    EXPECT_EQ(c.own(), 0u);
    c.add(2);
    EXPECT_EQ(c.own(), 2u);
}
TEST(SharedCounter, Counts) { counts<shared_counter>(); }

TEST(Counter, TakesOffOne) {
    counter c;
    c.add(3);
    c.take_off();
    EXPECT_EQ(c.get(), 2u);
}

TEST(SharedCounter, AddReturnsTheCountAsItWas) {
    shared_counter c;
    EXPECT_EQ(c.add(3), 0u);
    EXPECT_EQ(c.add(), 3u);
}

TEST(Published, IsWhatItsWriterSet) {
    published<int> p(3);
    EXPECT_EQ(p.get(), 3);
    EXPECT_EQ(p.own(), 3);
    p.set(4);
    EXPECT_EQ(p.get(), 4);
    EXPECT_EQ(p.own(), 4);
    EXPECT_FALSE(published<bool>().get());
}

TEST(CounterStress, ObserversSeeItGrowOnly) {
    constexpr std::uint64_t last = 20'000;
    counter c;
    in_parallel(3, [&](unsigned me) {
        if (me == 0) {
            for (std::uint64_t i = 0; i < last; ++i) c.add();
            return;
        }
        for (std::uint64_t before = 0; before < last;) {
            const std::uint64_t now = c.get();
            ASSERT_GE(now, before);
            if (now == before) std::this_thread::yield();
            before = now;
        }
    });
    EXPECT_EQ(c.get(), last);
}

TEST(PublishedCounterStress, WhoReadsNSeesWhatWasDoneBeforeTheNth) {
    constexpr std::uint64_t last = 20'000;
    published_counter c;
    std::vector<std::uint64_t> done(last, 0);
    in_parallel(3, [&](unsigned me) {
        if (me == 0) {
            for (std::uint64_t i = 0; i < last; ++i) {
                done[i] = i + 1;
                c.add();
            }
            return;
        }
        for (std::uint64_t seen = 0; seen < last;) {
            const std::uint64_t now = c.get();
            if (now == seen) std::this_thread::yield();
            for (; seen < now; ++seen) ASSERT_EQ(done[seen], seen + 1);
        }
    });
}

TEST(SharedCounterStress, NoneOfManyWritersIsForgotten) {
    constexpr std::uint64_t each = 100'000;
    shared_counter c;
    std::vector<std::atomic<int>> returned(each * crowd_size);
    in_parallel(crowd_size, [&](unsigned) {
        for (std::uint64_t i = 0; i < each; ++i) returned.at(c.add()).fetch_add(1, std::memory_order_relaxed);
    });
    EXPECT_EQ(c.get(), each * crowd_size);
    for (const auto& times : returned) ASSERT_EQ(times, 1);
}

// Both set, then read the other's: in one total order one of them comes second and sees the first.
TEST(PublishedStress, OneOfTwoWhoSetAndLookSeesTheOther) {
    constexpr long rounds = 30'000;
    struct meeting {
        published<bool> set[2];
        std::array<bool, 2> saw{};
    };
    std::vector<meeting> meetings(rounds);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            together.keep(me, round);
            m.set[me].set(true);
            m.saw[me] = m.set[1 - me].get();
        }
    });
    for (const meeting& m : meetings) ASSERT_TRUE(m.saw[0] || m.saw[1]);
}

// The four counters of the termination detection carry the tasks' results with them.
TEST(PublishedStress, WhoReadsItSeesWhatWasDoneBefore) {
    constexpr long rounds = 20'000;
    published<long> reached{0};
    std::vector<long> done(rounds + 1, 0);
    in_parallel(2, [&](unsigned me) {
        for (long round = 1; round <= rounds; ++round) {
            const auto r = static_cast<std::size_t>(round);
            if (me == 0) {
                done[r] = round;
                reached.set(reached.own() + 1);
            } else {
                spin_until([&] { return reached.get() >= round; });
                ASSERT_EQ(done[r], round);
            }
        }
    });
}

}  // namespace
