// FUTURE and AWAIT.
#include "tests/parley/tasking/support.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace {

using namespace tasking_test;

int fib(int n);
FUTURE_DECL(int, fib, int n, n);
int fib(int n) {
    if (n < 2) return n;
    const future x = FUTURE(fib, n - 1);
    const int y = fib(n - 2);
    return AWAIT(x, int) + y;
}

int twice(int x) { return 2 * x; }
FUTURE_DECL(int, twice, int x, x);

TEST(TaskingFuture, AwaitGivesTheResult) {
    with_each_size([] {
        const future f = FUTURE(twice, 21);
        EXPECT_EQ(AWAIT(f, int), 42);
    });
}

TEST(TaskingFuture, MayBeAwaitedInFuturesAtAnyDepth) {
    with_each_size([] { EXPECT_EQ(fib(22), 17711); });
}

TEST(TaskingFuture, MayBeAwaitedInAnyOrder) {
    with_each_size([] {
        constexpr int many = 1000;
        std::vector<future> all;
        for (int i = 0; i < many; ++i) all.push_back(FUTURE(twice, i));
        for (int i = 0; i < many; ++i) {
            const int which = i * 7 % many;
            ASSERT_EQ(AWAIT(all[static_cast<std::size_t>(which)], int), 2 * which);
        }
    });
}

int awaited_plus_1(future f) { return AWAIT(f, int) + 1; }
FUTURE_DECL(int, awaited_plus_1, future f, f);

// Each awaits the one before it, so that all of them wait on top of each other.
TEST(TaskingFuture, AChainLongerThanOneStackIsAwaited) {
    const int length = is_sanitized ? 3'000 : 100'000;
    with_each_size([length] {
        future last = FUTURE(twice, 0);
        for (int i = 0; i < length; ++i) last = FUTURE(awaited_plus_1, last);
        EXPECT_EQ(AWAIT(last, int), length);
    });
}

std::atomic<int> at_work{0};
unsigned where(int others) {
    ++at_work;
    poll_until([&] { return at_work >= others; });
    return parley::worker_index().value();
}
FUTURE_DECL(unsigned, where, int others, others);
unsigned await_there(future f) { return AWAIT(f, unsigned); }
FUTURE_DECL(unsigned, await_there, future f, f);

// The first is taken by another worker, which waits for the second to begin; what awaits the first is run on top of
// nothing.
TEST(TaskingFuture, MayBeAwaitedByAnotherTaskOnAnyWorker) {
    const parallel_region here(3);
    for (int round = 0; round < 100; ++round) {
        at_work = 0;
        const future a = FUTURE(where, 2);
        const future b = FUTURE(where, 2);
        const future of_a = FUTURE(await_there, a);
        const future of_b = FUTURE(await_there, b);
        const unsigned x = AWAIT(of_a, unsigned);
        const unsigned y = AWAIT(of_b, unsigned);
        ASSERT_NE(x, y);
    }
}

int fail(int how) {
    if (how < 0) throw boom{-how};
    return how;
}
FUTURE_DECL(int, fail, int how, how);

struct large {
    double values[20];
};
large fail_largely(large l) {
    if (l.values[0] < 0) throw boom{7};
    return l;
}
FUTURE_DECL(large, fail_largely, large l, l);

TEST(TaskingFuture, AwaitThrowsWhatTheTaskThrew) {
    with_each_size([] {
        std::vector<future> all;
        for (int i = 1; i <= 200; ++i) all.push_back(FUTURE(fail, i % 3 == 0 ? -i : i));
        for (int i = 1; i <= 200; ++i) {
            const future f = all[static_cast<std::size_t>(i) - 1];
            if (i % 3 != 0) {
                ASSERT_EQ(AWAIT(f, int), i);
                continue;
            }
            try {
                AWAIT(f, int);
                FAIL() << "nothing thrown";
            } catch (const boom& b) {
                ASSERT_EQ(b.number, i);
            }
        }
        EXPECT_THROW(AWAIT(FUTURE(fail_largely, large{{-1}}), large), boom);
        EXPECT_EQ(AWAIT(FUTURE(fail_largely, large{{3}}), large).values[0], 3);
    });
}

large await_large(future f) { return AWAIT(f, large); }
FUTURE_DECL(large, await_large, future f, f);

TEST(TaskingFuture, LargeOnesMayBeAwaitedOnAnyWorker) {
    with_each_size([] {
        constexpr int many = 500;
        std::vector<future> all;
        for (int i = 0; i < many; ++i) all.push_back(FUTURE(await_large, FUTURE(fail_largely, large{{double(i)}})));
        for (int i = 0; i < many; ++i) ASSERT_EQ(AWAIT(all[static_cast<std::size_t>(i)], large).values[0], i);
    });
}

void throw_in_child(int n) {
    if (n == 0) throw boom{1};
}
ASYNC_VOID_DECL(throw_in_child, int n, n);
int leaves_child(int n) {
    SPAWN(throw_in_child, n);
    return 1;
}
FUTURE_DECL(int, leaves_child, int n, n);

TEST(TaskingFuture, AwaitThrowsWhatAChildThrewThatWasNotSynced) {
    with_each_size([] {
        EXPECT_EQ(AWAIT(FUTURE(leaves_child, 1), int), 1);
        EXPECT_THROW(AWAIT(FUTURE(leaves_child, 0), int), boom);
    });
}

void forget(future) {}

// With AddressSanitizer: nothing is left.
TEST(TaskingFuture, WhatNobodyAwaitsEndsWithTheSession) {
    with_each_size([] {
        for (int i = 0; i < 50; ++i) {
            forget(FUTURE(twice, i));
            forget(FUTURE(fail, -1));
            forget(FUTURE(fail_largely, large{{double(i)}}));
            forget(FUTURE(fail_largely, large{{-1}}));
        }
    });
}

int overloaded(int a) { return a; }
int overloaded(int a, int b) { return 10 * a + b; }
int overloaded(int a, int b, int c) { return 100 * a + 10 * b + c; }
FUTURE_DECL(int, overloaded, int a, a);
FUTURE_DECL(int, overloaded, int a; int b, a, b);
FUTURE_DECL(int, overloaded, int a; int b; int c, a, b, c);

TEST(TaskingFuture, FunctionsOfOneNameMayDifferInTheNumberOfArguments) {
    const parallel_region here(2);
    EXPECT_EQ(AWAIT(FUTURE(overloaded, 1), int), 1);
    EXPECT_EQ(AWAIT(FUTURE(overloaded, 1, 2), int), 12);
    EXPECT_EQ(AWAIT(FUTURE(overloaded, 1, 2, 3), int), 123);
}

TEST(TaskingFuture, IsCalledAtOnceWhereParleyIsSerial) {
    ::setenv("PARLEY_SERIAL", "1", 1);
    {
        const parallel_region here(4);
        at_work = 0;
        const future f = FUTURE(where, 1);
        EXPECT_EQ(at_work, 1);
        EXPECT_EQ(AWAIT(f, unsigned), 0U);
        EXPECT_EQ(fib(12), 144);
    }
    ::unsetenv("PARLEY_SERIAL");
}

// A wait for Parley's own things in between, and their tasks among the others.
int mixes(int n) {
    auto inner = parley::async([n] { return AWAIT(FUTURE(fib, n), int); });
    const auto [a, b] = parley::fork_join([n] { return AWAIT(FUTURE(fib, n), int); }, [n] { return fib(n); });
    return a + b + inner.get();
}
FUTURE_DECL(int, mixes, int n, n);

TEST(TaskingFuture, GoesWithParleysOwnWords) {
    with_each_size([] {
        std::vector<future> all;
        for (int i = 0; i < 20; ++i) all.push_back(FUTURE(mixes, 10));
        for (const future& f : all) ASSERT_EQ(AWAIT(f, int), 3 * 55);
    });
}

}  // namespace
