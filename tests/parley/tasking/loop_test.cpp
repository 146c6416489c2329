// ASYNC_FOR and for_each_task.
#include "tests/parley/tasking/support.hpp"

#include <atomic>
#include <climits>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using namespace tasking_test;

std::vector<std::atomic<int>> seen(20'000);
std::atomic<int> calls{0}, done{0};

void reset() {
    for (auto& s : seen) s = 0;
    calls = 0;
}
void expect_each_once(long first, long last) {
    for (std::size_t i = 0; i < seen.size(); ++i)
        ASSERT_EQ(seen[i], static_cast<long>(i) >= first && static_cast<long>(i) < last ? 1 : 0) << i;
}

void visit() {
    ++calls;
    long i;
    for_each_task(i)++ seen[static_cast<std::size_t>(i)];
}
ASYNC_VOID_DECL(visit);

TEST(TaskingLoop, DoesEachIterationOnce) {
    with_each_size([] {
        for (const auto& [first, last] : {std::pair{0L, 20'000L}, {3L, 4L}, {5L, 5L}, {9L, 2L}, {100L, 107L}}) {
            reset();
            ASYNC_FOR(visit, first, last);
            TASKING_BARRIER();
            expect_each_once(first, last);
            EXPECT_EQ(calls == 0, first >= last);
        }
    });
}

TEST(TaskingLoop, CallsTheFunctionOnceWhereNobodyAsks) {
    const parallel_region here(1);
    reset();
    ASYNC_FOR(visit, 0, 20'000);
    TASKING_BARRIER();
    EXPECT_EQ(calls, 1);
    expect_each_once(0, 20'000);
}

TEST(TaskingLoop, DoesSingleIterations) {
    with_each_size([] {
        reset();
        for (long i = 10; i < 20;) ASYNC_FOR_SINGLE(visit, i++);
        TASKING_BARRIER();
        expect_each_once(10, 20);
        EXPECT_EQ(calls, 10);
    });
}

std::atomic<unsigned> workers_seen{0};
void meet(unsigned workers) {
    workers_seen |= 1U << parley::worker_index().value();
    long i;
    for_each_task(i) poll_until([&] { return workers_seen == (1U << workers) - 1; });
}
ASYNC_VOID_DECL(meet, unsigned workers, workers);

// Ends only if every worker gets a part, and calls the function for it.
TEST(TaskingLoop, GivesPartsToIdleWorkers) {
    for (const unsigned n : {2U, 3U, 8U}) {
        const parallel_region here(n);
        workers_seen = 0;
        ASYNC_FOR(meet, 0, 1000, n);
        TASKING_BARRIER();
        EXPECT_EQ(workers_seen, (1U << n) - 1);
    }
}

struct wide {
    long offset;
    double values[30];
};
std::atomic<long> sum{0};
void add(wide l, const int* factor) {
    long i, mine = 0;
    for_each_task(i) mine += (i + l.offset) * *factor;
    sum += mine;
}
ASYNC_VOID_DECL(add, wide l; const int* factor, l, factor);

TEST(TaskingLoop, PassesItsArgumentsToEveryPart) {
    with_each_size([] {
        sum = 0;
        int factor = 2;
        for (int round = 0; round < 20; ++round) ASYNC_FOR(add, -500, 500, (wide{1, {}}), &factor);
        TASKING_BARRIER();
        EXPECT_EQ(sum, 20 * 2 * (1000 - 500));
    });
}

std::atomic<unsigned long> iterations{0};
std::atomic<bool> at_begin{false}, at_end{false};
void ends() {
    long i;
    for_each_task(i) {
        ++iterations;
        if (i == LONG_MIN) at_begin = true;
        if (i == LONG_MAX - 1) at_end = true;
    }
}
ASYNC_VOID_DECL(ends);

TEST(TaskingLoop, ReachesTheEndsOfLong) {
    with_each_size([] {
        iterations = 0;
        ASYNC_FOR(ends, LONG_MIN, LONG_MIN + 100);
        ASYNC_FOR(ends, LONG_MAX - 100, LONG_MAX);
        TASKING_BARRIER();
        EXPECT_EQ(iterations, 200U);
        EXPECT_TRUE(at_begin);
        EXPECT_TRUE(at_end);
    });
}

long last_of_first = -1, first_of_second = -1;
void leaves_early() {
    ++calls;
    long i;
    for_each_task(i) {
        if (i % 2 != 0) continue;
        last_of_first = i;
        if (i == 10) break;
        ++seen[static_cast<std::size_t>(i)];
    }
    for_each_task(i) {
        if (first_of_second < 0) first_of_second = i;
        ++seen[static_cast<std::size_t>(i)];
    }
}
ASYNC_VOID_DECL(leaves_early);

// The loop that breaks off takes its block with it, and a second loop goes on behind that, to the end.
TEST(TaskingLoop, MayBreakAndContinue) {
    const parallel_region here(1);
    reset();
    last_of_first = first_of_second = -1;
    ASYNC_FOR(leaves_early, 0, 20'000);
    TASKING_BARRIER();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(last_of_first, 10);
    ASSERT_GT(first_of_second, 10);
    for (long i = 0; i < 20'000; ++i)
        ASSERT_EQ(seen[static_cast<std::size_t>(i)], i < 10 ? i % 2 == 0 : i >= first_of_second) << i;
}

void rest() { ++done; }
ASYNC_VOID_DECL(rest);
void leaves_at_once() {
    ++calls;
    long i;
    for_each_task(i) {
        ++seen[static_cast<std::size_t>(i)];
        break;
    }
    SPAWN(rest);
}
ASYNC_VOID_DECL(leaves_at_once);

// The wait at the end of a task, for a child, runs tasks that lie above the loop's own; what the loop has left is none.
TEST(TaskingLoop, WhatBreakHasLeftNeverBegins) {
    const parallel_region here(1);
    reset();
    done = 0;
    ASYNC_FOR(leaves_at_once, 0, 20'000);
    TASKING_BARRIER();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(done, 1);
    expect_each_once(0, 1);
}

int square(int n) { return n * n; }
FUTURE_DECL(int, square, int n, n);
ASYNC_DECL(int, square, int n, n);
void inner(long row) {
    long i;
    for_each_task(i) {
        int spawned = 0;
        SPAWN(square, static_cast<int>(i), &spawned);
        const int awaited = AWAIT(FUTURE(square, static_cast<int>(i)), int);
        SYNC();
        if (spawned == awaited) ++seen[static_cast<std::size_t>(100 * row + i)];
    }
}
ASYNC_VOID_DECL(inner, long row, row);
void outer() {
    long i;
    for_each_task(i) ASYNC_FOR(inner, 0, 100, i);
}
ASYNC_VOID_DECL(outer);

TEST(TaskingLoop, MayMakeAndAwaitTasksAndLoops) {
    with_each_size([] {
        reset();
        ASYNC_FOR(outer, 0, 50);
        TASKING_BARRIER();
        expect_each_once(0, 5000);
    });
}

// A loop within a wait of a loop: each has its own iterations.
void run_loop(int depth);
FUTURE_VOID_DECL(run_loop, int depth, depth);
void waits(int depth) {
    long i;
    for_each_task(i) {
        ++calls;
        if (depth > 0) AWAIT_VOID(FUTURE(run_loop, depth - 1));
    }
}
ASYNC_VOID_DECL(waits, int depth, depth);
void run_loop(int depth) { ASYNC_FOR(waits, 0, 3, depth); }

TEST(TaskingLoop, KeepsItsIterationsOverWaits) {
    with_each_size([] {
        reset();
        ASYNC_FOR(waits, 0, 3, 4);
        TASKING_BARRIER();
        EXPECT_EQ(calls, 3 + 9 + 27 + 81 + 243);
    });
}

}  // namespace
