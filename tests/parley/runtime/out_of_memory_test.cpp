// Without memory, the deque and task memory throw std::bad_alloc and stay as they were.
#include <parley/detail/driver/deque.hpp>
#include <parley/detail/runtime/depot.hpp>

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "tests/failing_new.hpp"

namespace {

using failing_new::without_memory;
using parley::threading::block;
using parley::threading::deque;
using parley::threading::task;

template <class Call>
bool throws_without_memory(Call call) {
    try {
        const without_memory now;
        call();
    } catch (const std::bad_alloc&) {
        return true;
    }
    return false;
}

TEST(OutOfMemory, PushThrowsAndTheDequeIsUnchanged) {
    // 16 blocks: the directory, too, has to grow then.
    for (const std::size_t blocks : {1u, 2u, 16u}) {
        std::vector<task> tasks(blocks * block::capacity + 1);
        deque d;
        task** slot = nullptr;
        for (std::size_t i = 0; i + 1 < tasks.size(); ++i) slot = d.push(&tasks[i]);
        for (int again = 0; again < 2; ++again) ASSERT_TRUE(throws_without_memory([&] { (void)d.push(&tasks.back()); }));
        ASSERT_EQ(d.size(), tasks.size() - 1);
        ASSERT_TRUE(d.pop_if(&tasks[tasks.size() - 2], slot));
        (void)d.push(&tasks[tasks.size() - 2]);
        (void)d.push(&tasks.back());
        for (std::size_t i = tasks.size(); i-- > 0;) ASSERT_EQ(d.pop(), &tasks[i]);
    }
}

TEST(OutOfMemory, TakeHalfThrowsAndTheDequeIsUnchanged) {
    std::vector<task> tasks(10);
    deque d;
    for (task& t : tasks) (void)d.push(&t);
    ASSERT_TRUE(throws_without_memory([&] { (void)d.take_half(); }));
    for (task& t : tasks) ASSERT_EQ(d.take_oldest(), &t);
}

// What must work without memory does: the answer of one task, and of a whole block.
TEST(OutOfMemory, OneTaskOrAWholeBlockCanStillBeGiven) {
    std::vector<task> tasks(3 * block::capacity);
    deque d;
    deque thief;
    for (task& t : tasks) (void)d.push(&t);
    {
        const without_memory now;
        thief.receive(d.take_half());
        (void)d.take_oldest();
    }
    EXPECT_EQ(thief.size(), block::capacity);
    EXPECT_EQ(d.size(), 2 * block::capacity - 1);
}

// A depth that moves over a block boundary and back reuses the block.
TEST(OutOfMemory, BlocksAreReusedAtABoundary) {
    std::vector<task> tasks(block::capacity + 1);
    deque d;
    for (task& t : tasks) (void)d.push(&t);
    const without_memory now;
    for (int i = 0; i < 100; ++i) {
        for (int n = 0; n < 2; ++n) (void)d.pop();
        for (std::size_t n = 2; n > 0; --n) (void)d.push(&tasks[tasks.size() - n]);
    }
}

TEST(OutOfMemory, TaskMemoryThrowsAndGoesOnLater) {
    parley::threading::depot shared;
    parley::threading::task_memory memory(shared);
    ASSERT_TRUE(throws_without_memory([&] { memory.free(memory.allocate()); }));
    memory.free(memory.allocate());
}

}  // namespace
