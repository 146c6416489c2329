// The countdown: opens when a known number of parties has arrived.
#include <parley/detail/sync/countdown.hpp>

#include "tests/parley/sync/sleepers.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace channel_test;
using parley::sync::countdown;

TEST(Countdown, OfNobodyIsOpen) {
    const countdown c(0);
    EXPECT_TRUE(c.is_open());
    c.wait();
}

TEST(Countdown, OpensWithTheLastArrival) {
    countdown c(3);
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(c.is_open());
        c.arrive();
    }
    EXPECT_TRUE(c.is_open());
    c.wait();
}

TEST(Countdown, OpeningWakesAllWhoWait) {
    countdown c(1);
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 4; ++i) waiters.emplace_back([&] { c.wait(); });
    spin_until_sleeping(word_of(c), 4);
    c.arrive();
}

TEST(Countdown, SpuriousWakesLetNobodyThrough) {
    countdown c(1);
    std::atomic<bool> through{false};
    std::jthread waiter([&] {
        c.wait();
        through = true;
    });
    for (int i = 0; i < 5; ++i) {
        spin_until([&] { return through || sleepers_on(word_of(c)) == 1; });
        EXPECT_FALSE(through);
        parley::sync::futex_wake(*static_cast<const std::atomic<std::uint32_t>*>(word_of(c)), 1);
    }
    c.arrive();
}

TEST(Countdown, EarlyArrivalsLetNobodyThrough) {
    countdown c(2);
    std::atomic<bool> through{false};
    std::jthread waiter([&] {
        c.wait();
        through = true;
    });
    spin_until_sleeping(word_of(c));
    c.arrive();
    spin_until([&] { return through || sleepers_on(word_of(c)) == 1; });
    EXPECT_FALSE(through);
    c.arrive();
}

TEST(CountdownStress, WhoGetsThroughSeesWhatAllDidBefore) {
    constexpr long rounds = 500;
    constexpr unsigned parties = 4;
    struct gate {
        countdown count{parties};
        std::array<long, parties> done{};
    };
    std::vector<gate> gates(rounds);
    const auto expect_done = [](const gate& g, long round) {
        for (const long done : g.done) EXPECT_EQ(done, round);
    };
    in_parallel(parties + 2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            gate& g = gates[static_cast<std::size_t>(round)];
            if (me < parties) {
                g.done[me] = round;
                g.count.arrive();
                if (me == 0) {
                    g.count.wait();
                    expect_done(g, round);
                }
                continue;
            }
            if (me == parties) g.count.wait();
            else spin_until([&] { return g.count.is_open(); });
            expect_done(g, round);
        }
    });
}

}  // namespace
