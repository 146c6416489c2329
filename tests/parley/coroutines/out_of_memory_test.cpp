// A coroutine allocates its frame, and nothing after that.
#include "tests/failing_new.hpp"
#include "tests/parley/coroutines/support.hpp"

#include <chrono>
#include <new>
#include <utility>

namespace {

using namespace coroutine_test;
using failing_new::without_memory;
using parley::future;
using parley::promise;
using parley::task;

task<int> sum_of(future<int> f, task<int> t) {
    const int x = co_await t;
    co_return x + co_await f;
}

TEST(CoroutineMemory, AllocatesItsFrameAlone) {
    parley::runtime rt{{.workers = 1}};
    rt.run([] {
        for (int turn = 0; turn < 2; ++turn) {
            promise<int> p;
            task<int> t = sum_of(p.get_future(), value_of(1));
            const without_memory here;
            future<int> f = parley::async(std::move(t));
            EXPECT_EQ(f.wait_for(std::chrono::seconds(0)), std::future_status::timeout);  // it runs, and is suspended
            p.set_value(3);
            EXPECT_EQ(f.get(), 4);
        }
    });
}

TEST(CoroutineMemory, WithoutAnyTheCallOfTheCoroutineThrows) {
    const without_memory here;
    EXPECT_THROW((void)value_of(1), std::bad_alloc);
    EXPECT_THROW((void)promise<int>(), std::bad_alloc);
}

}  // namespace
