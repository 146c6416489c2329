// SPAWN and SYNC.
#include "tests/parley/tasking/support.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace {

using namespace tasking_test;

std::atomic<int> done{0};
std::atomic<bool> may_go{false};

void count() { ++done; }
ASYNC_VOID_DECL(count);
void wait_and_count() {
    poll_until([] { return may_go.load(); });
    ++done;
}
ASYNC_VOID_DECL(wait_and_count);

TEST(TaskingSync, WaitsForAllChildren) {
    with_each_size([] {
        done = 0;
        for (int i = 1; i <= 300; ++i) {
            SPAWN(count);
            if (i % 7 == 0) {
                SYNC();
                ASSERT_EQ(done, i);
            }
        }
        SYNC();
        EXPECT_EQ(done, 300);
        SYNC();
    });
}

// The task of ASYNC is taken by the other worker, and stays there while this one goes through sync.
TEST(TaskingSync, WaitsForNoTaskButItsChildren) {
    const parallel_region here(2);
    done = 0;
    may_go = false;
    ASYNC(wait_and_count);
    for (int i = 0; i < 10; ++i) {
        SPAWN(count);
        SYNC();
    }
    EXPECT_GE(done, 10);
    may_go = true;
    TASKING_BARRIER();
    EXPECT_EQ(done, 11);
}

// A child that another worker has taken, which is told only when this one already waits.
TEST(TaskingSync, WaitsForChildrenThatOthersHaveTaken) {
    const parallel_region here(3);
    for (int round = 0; round < 300; ++round) {
        done = 0;
        for (int i = 0; i < 4; ++i) SPAWN(count);
        poll_until([] { return done > 0; });
        SYNC();
        ASSERT_EQ(done, 4);
    }
}

void tree(int depth);
ASYNC_VOID_DECL(tree, int depth, depth);
// No sync: what a task leaves is waited for at its end, so its parent's sync waits for grandchildren, too.
void tree(int depth) {
    ++done;
    if (depth == 0) return;
    for (int i = 0; i < 3; ++i) SPAWN(tree, depth - 1);
}

TEST(TaskingSync, WaitsForWhatChildrenHaveLeft) {
    with_each_size([] {
        for (int round = 0; round < 5; ++round) {
            done = 0;
            SPAWN(tree, 5);
            SYNC();
            ASSERT_EQ(done, 364);
        }
    });
}

int nested(int depth);
ASYNC_DECL(int, nested, int depth, depth);
FUTURE_DECL(int, nested, int depth, depth);
int nested(int depth) {
    if (depth == 0) return 1;
    std::array<int, 3> results;
    for (int& r : results) SPAWN(nested, depth - 1, &r);
    SYNC();
    return results[0] + results[1] + results[2];
}

TEST(TaskingSync, GivesTheResultsOfChildrenAtAnyDepth) {
    with_each_size([] { EXPECT_EQ(nested(8), 6561); });
}

// Tasks of several kinds on one worker, each with children of its own.
TEST(TaskingSync, CountsForEachTaskItsOwnChildren) {
    with_each_size([] {
        std::vector<future> all;
        for (int i = 0; i < 50; ++i) {
            all.push_back(FUTURE(nested, 3));
            int ignored = 0;
            SPAWN(nested, 2, &ignored);
            SYNC();
            ASSERT_EQ(ignored, 9);
        }
        for (const future& f : all) ASSERT_EQ(AWAIT(f, int), 27);
    });
}

// A deep recursion, where waits go on on other stacks.
void dig(int depth);
ASYNC_VOID_DECL(dig, int depth, depth);
void dig(int depth) {
    if (depth > 0) SPAWN(dig, depth - 1);
    SYNC();
    ++done;
}

TEST(TaskingSync, GoesDeeperThanOneStack) {
    constexpr int depth = is_sanitized ? 600 : 50'000;
    with_each_size([] {
        done = 0;
        SPAWN(dig, depth);
        SYNC();
        EXPECT_EQ(done, depth + 1);
    });
}

void throw_number(int n) { throw boom{n}; }
ASYNC_VOID_DECL(throw_number, int n, n);
int one_more(int n) { return n + 1; }
FUTURE_DECL(int, one_more, int n, n);

TEST(TaskingSync, ThrowsWhatAChildThrewOnceAllAreDone) {
    with_each_size([] {
        done = 0;
        for (int i = 0; i < 20; ++i) SPAWN(count);
        SPAWN(throw_number, 3);
        for (int i = 0; i < 20; ++i) SPAWN(count);
        try {
            SYNC();
            FAIL() << "nothing thrown";
        } catch (const boom& b) {
            EXPECT_EQ(b.number, 3);
        }
        EXPECT_EQ(done, 40);
        SPAWN(count);
        SYNC();  // what was thrown is thrown once
        EXPECT_EQ(done, 41);
    });
}

// Nothing is left to wait for when SYNC is reached: the exception is there all the same, once.
void expect_thrown_once() {
    try {
        SYNC();
        FAIL() << "nothing thrown";
    } catch (const boom& b) {
        EXPECT_EQ(b.number, 5);
    }
    SPAWN(count);
    EXPECT_NO_THROW(SYNC());
    EXPECT_NO_THROW(SYNC());
}

TEST(TaskingSync, ThrowsWhatAChildThrewThatIsDoneAlready) {
    const parallel_region here(1);
    SPAWN(throw_number, 5);
    TASKING_BARRIER();
    expect_thrown_once();
    SPAWN(throw_number, 5);
    EXPECT_EQ(AWAIT(FUTURE(one_more, 1), int), 2);
    TASKING_BARRIER();
    expect_thrown_once();
}

TEST(TaskingSync, ThrowsWhatAChildThrewAtOnceInSerial) {
    ::setenv("PARLEY_SERIAL", "1", 1);
    {
        const parallel_region here(1);
        SPAWN(throw_number, 5);
        expect_thrown_once();
    }
    ::unsetenv("PARLEY_SERIAL");
}

// Meanwhile the worker runs other tasks, on other stacks, which have children of their own.
int waits_for_parley() {
    int mine = 0;
    SPAWN(nested, 2, &mine);
    auto f = parley::async([] {
        std::this_thread::yield();
        return 1;
    });
    const int one = f.get();
    int more = 0;
    SPAWN(nested, 3, &more);
    SYNC();
    return one + mine + more;
}
FUTURE_DECL(int, waits_for_parley);

TEST(TaskingSync, CountsItsOwnChildrenAfterAWaitOfParley) {
    with_each_size([] {
        for (int round = 0; round < 20; ++round) {
            std::vector<future> all;
            for (int i = 0; i < 30; ++i) all.push_back(FUTURE(waits_for_parley));
            for (const future& f : all) ASSERT_EQ(AWAIT(f, int), 37);
        }
    });
}

}  // namespace
