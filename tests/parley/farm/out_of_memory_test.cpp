// Without memory for a block of its deque, a worker still hands on what a stream has to do.
#include "tests/parley/farm/support.hpp"

#include <parley/detail/driver/deque.hpp>

#include <new>

#include "tests/failing_new.hpp"

namespace {

using namespace farm_test;
using namespace parley;

// Who pulls wakes the source, and holds the lock that the sink takes.
TEST(OutOfMemory, WhoPullsDoesNotRunTheSourceItself) {
    runtime rt{{.workers = 2}};
    rt.run([&] {
        pull_end<int> out;
        std::atomic<int> made{0};
        std::atomic<bool> is_taken{false}, may_end{false};
        const auto next = [&] { return made < 10 ? std::optional(made++) : std::nullopt; };
        auto running = async([&] { (source(next) | sink(out)).run({.tokens = 2}); });
        poll_until([&] { return made == 2; });
        std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the source waits for tokens
        std::vector<future<void>> others;
        others.reserve(10'000);
        others.push_back(async([&] {  // keeps the other worker
            is_taken = true;
            block_until([&] { return may_end.load(); });
        }));
        poll_until([&] { return is_taken.load(); });
        {
            const failing_new::without_memory for_blocks(sizeof(parley::threading::block));
            EXPECT_THROW(while (others.size() < others.capacity()) others.push_back(async([] {})), std::bad_alloc);
            EXPECT_EQ(out.pull(), 0);
            EXPECT_EQ(out.pull(), 1);
        }
        may_end = true;
        for (int i = 2; i < 10; ++i) EXPECT_EQ(out.pull(), i);
        EXPECT_EQ(out.pull(), std::nullopt);
        running.get();
    });
}

}  // namespace
