// TASKING_INIT, TASKING_EXIT and TASKING_BARRIER.
#include "tests/parley/tasking/support.hpp"

#include <parley/tasking/session.hpp>

#include <atomic>

namespace {

using namespace tasking_test;

unsigned workers_now() { return parley::tasking::current_session()->pool().size(); }

std::atomic<int> entered{0};

void call() { ++entered; }
ASYNC_VOID_DECL(call);

// Each makes two of the next depth, and none is waited for but by the barrier.
void grow(int depth);
ASYNC_VOID_DECL(grow, int depth, depth);
void grow(int depth) {
    ++entered;
    if (depth == 0) return;
    ASYNC(grow, depth - 1);
    ASYNC(grow, depth - 1);
}

TEST(TaskingSession, WorkersAreThatManyTheMasterIncluded) {
    for (const unsigned n : worker_counts) {
        const parallel_region here(n);
        EXPECT_EQ(workers_now(), n);
        EXPECT_EQ(parley::worker_index(), 0U);
        EXPECT_EQ(tasking_workers(), n);
        EXPECT_EQ(tasking_worker_index(), 0);
        std::thread([n] {
            EXPECT_EQ(tasking_worker_index(), -1);
            EXPECT_EQ(tasking_workers(), n);
        }).join();
    }
}

TEST(TaskingSession, BeforeInitWorkersAreThoseThatItWouldStart) {
    ::setenv("TASKING_NUM_WORKERS", "7", 1);
    EXPECT_EQ(tasking_workers(), 7U);
    EXPECT_EQ(tasking_worker_index(), -1);
    ::unsetenv("TASKING_NUM_WORKERS");
    EXPECT_EQ(tasking_workers(), parley::default_workers());
    parley::runtime other{{.workers = 2}};
    EXPECT_EQ(other.run([] { return tasking_worker_index(); }), -1);
}

TEST(TaskingSession, WithoutTheVariableThereAreAsManyWorkersAsParleyHas) {
    ::unsetenv("TASKING_NUM_WORKERS");
    ::unsetenv("PARLEY_WORKERS");
    TASKING_INIT();
    EXPECT_EQ(workers_now(), parley::default_workers());
    TASKING_EXIT();
    ::setenv("PARLEY_WORKERS", "3", 1);
    TASKING_INIT();
    EXPECT_EQ(workers_now(), 3U);
    TASKING_EXIT();
    ::setenv("TASKING_NUM_WORKERS", "2", 1);
    TASKING_INIT();
    EXPECT_EQ(workers_now(), 2U);
    TASKING_EXIT();
    ::unsetenv("PARLEY_WORKERS");
}

TEST(TaskingSession, InitMayFollowExit) {
    entered = 0;
    for (int i = 1; i <= 20; ++i) {
        const parallel_region here(1 + static_cast<unsigned>(i) % 3);
        ASYNC(call);
        TASKING_BARRIER();
        EXPECT_EQ(entered, i);
    }
}

TEST(TaskingSession, TheMasterMayBeAnyThread) {
    entered = 0;
    std::thread([] {
        const parallel_region here(2);
        ASYNC(call);
    }).join();
    EXPECT_EQ(entered, 1);
}

TEST(TaskingSession, ExitWaitsForAllTasks) {
    for (const unsigned n : worker_counts) {
        entered = 0;
        {
            const parallel_region here(n);
            ASYNC(grow, 8);
        }
        EXPECT_EQ(entered, (1 << 9) - 1);
    }
}

TEST(TaskingBarrier, WaitsForTasksOfTasksToo) {
    with_each_size([] {
        for (int round = 0; round < 5; ++round) {
            entered = 0;
            ASYNC(grow, 9);
            TASKING_BARRIER();
            ASSERT_EQ(entered, (1 << 10) - 1);
        }
    });
}

TEST(TaskingBarrier, OfNothingReturns) {
    with_each_size([] {
        for (int i = 0; i < 100; ++i) TASKING_BARRIER();
    });
}

// A queue holds some 16,000 tasks; more of them are run where they are made.
TEST(TaskingBarrier, WaitsForMoreTasksThanTheQueueHolds) {
    with_each_size([] {
        entered = 0;
        for (int i = 0; i < 50'000; ++i) ASYNC(call);
        TASKING_BARRIER();
        EXPECT_EQ(entered, 50'000);
    });
}

TEST(TaskingSession, RunsEverythingAtOnceWhereParleyIsSerial) {
    ::setenv("PARLEY_SERIAL", "1", 1);
    {
        const parallel_region here(4);
        EXPECT_EQ(workers_now(), 1U);
        entered = 0;
        ASYNC(call);
        EXPECT_EQ(entered, 1);
        ASYNC(grow, 3);
        EXPECT_EQ(entered, 16);
    }
    ::unsetenv("PARLEY_SERIAL");
}

TEST(TaskingPoll, DoesNothingOutside) { rts_poll(); }

// The only other worker gets the task from one that does nothing but poll.
TEST(TaskingPoll, GivesTasksToThoseWhoAsk) {
    const parallel_region here(2);
    entered = 0;
    ASYNC(call);
    poll_until([] { return entered == 1; });
}

}  // namespace
