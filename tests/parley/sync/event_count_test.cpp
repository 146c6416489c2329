// Where threads that are no workers sleep.
#include <parley/detail/sync/event_count.hpp>

#include "tests/parley/sync/sleepers.hpp"

#include <gtest/gtest.h>

namespace {

using namespace channel_test;
using parley::sync::event_count;

TEST(EventCount, NotifyWakesAllWhoWait) {
    event_count e;
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 4; ++i) waiters.emplace_back([&] { e.wait(e.prepare()); });
    spin_until_sleeping(word_of(e), 4);
    e.notify();
}

TEST(EventCount, WaitReturnsAtOnceIfNotifyCameAfterPrepare) {
    event_count e;
    const std::uint32_t ticket = e.prepare();
    e.notify();
    e.wait(ticket);
}

// The second of two who prepare together waits for a notification of its own.
TEST(EventCount, CancelAndWaitLeaveTheOthersWaiting) {
    event_count e;
    (void)e.prepare();
    std::jthread waiter([&] { e.wait(e.prepare()); });
    spin_until_sleeping(word_of(e));
    e.cancel();
    spin_until_sleeping(word_of(e));  // still; the kernel may look at it for a moment meanwhile
    e.notify();
}

// If cancel() left somebody behind, this notify() would change the ticket.
TEST(EventCount, NotifyChangesNothingWhenNobodyWaits) {
    event_count e;
    const std::uint32_t ticket = e.prepare();
    e.cancel();
    e.notify();
    EXPECT_EQ(e.prepare(), ticket);
    e.notify();
    e.wait(ticket);
    e.notify();
    EXPECT_EQ(e.prepare(), ticket + 1);
}

// The waiter's side of `prepare; look; wait; look again`, the condition being a number to reach.
void await(event_count& e, const std::atomic<long>& reached, long wanted) {
    while (reached.load(std::memory_order_relaxed) < wanted) {
        const std::uint32_t ticket = e.prepare();
        if (reached.load(std::memory_order_acquire) >= wanted) e.cancel();
        else e.wait(ticket);
    }
}

// The condition is stored without an order of its own: notify() must not look for waiters before it
// is visible. A wake-up lost would stop the test for ever.
TEST(EventCountStress, NoNotificationIsLost) {
    constexpr long passes = 10'000;
    event_count events[2];
    std::atomic<long> reached[2] = {-1, -1};
    in_parallel(2, [&](unsigned me) {
        for (long turn = me; turn < passes; turn += 2) {
            if (turn > 0) await(events[me], reached[me], turn - 1);
            reached[1 - me].store(turn, std::memory_order_relaxed);
            events[1 - me].notify();
        }
    });
}

TEST(EventCountStress, ManyWaitersAllGetThrough) {
    constexpr long rounds = 400;
    event_count goes_on;
    event_count all_there;
    std::atomic<long> round_now{0};
    std::atomic<long> arrived{0};
    in_parallel(crowd_size, [&](unsigned me) {
        for (long round = 1; round <= rounds; ++round) {
            if (me == 0) {
                await(all_there, arrived, (crowd_size - 1) * round);
                round_now.store(round, std::memory_order_relaxed);
                goes_on.notify();
            } else {
                arrived.fetch_add(1, std::memory_order_relaxed);
                all_there.notify();
                await(goes_on, round_now, round);
            }
        }
    });
}

// Dekker's pattern at its narrowest: the sender stores and looks for waiters, the waiter enters and
// looks at what was stored. One of the two sees the other.
TEST(EventCountStress, EitherTheWaiterOrTheConditionIsSeen) {
    constexpr long rounds = 20'000;
    struct meeting {
        event_count events;
        std::atomic<bool> condition{false};
        std::uint32_t ticket = 0;
        bool seen = false;
    };
    std::vector<meeting> meetings(rounds);
    pace<2> together;
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            together.keep(me, round);
            if (me == 0) {
                m.condition.store(true, std::memory_order_relaxed);
                m.events.notify();
            } else {
                m.ticket = m.events.prepare();
                m.seen = m.condition.load(std::memory_order_relaxed);
            }
        }
    });
    for (meeting& m : meetings) {
        const bool notified = m.events.prepare() != m.ticket;
        ASSERT_TRUE(m.seen || notified);
    }
}

// Nobody waits, and still: who prepares after a notify() sees what was done before it.
TEST(EventCountStress, PrepareSeesWhatWasDoneBeforeNotify) {
    constexpr long rounds = 5000;
    struct meeting {
        event_count events;
        long carried = 0;
        std::atomic<bool> notified{false};
    };
    std::vector<meeting> meetings(rounds);
    in_parallel(2, [&](unsigned me) {
        for (long round = 0; round < rounds; ++round) {
            meeting& m = meetings[static_cast<std::size_t>(round)];
            if (me == 0) {
                m.carried = round;
                m.events.notify();
                m.notified.store(true, std::memory_order_relaxed);  // orders nothing
            } else {
                spin_until([&] { return m.notified.load(std::memory_order_relaxed); });
                (void)m.events.prepare();
                ASSERT_EQ(m.carried, round);
                m.events.cancel();
            }
        }
    });
}

}  // namespace
