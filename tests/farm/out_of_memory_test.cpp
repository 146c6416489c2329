// Without memory for a block of its deque, a worker still hands on what a stream has to do.
#include "tests/farm/support.hpp"

#include <parley/runtime/deque.hpp>

#include <cstdlib>
#include <new>

namespace {

// This program's operator new gives no block in this thread while it is set.
thread_local bool no_blocks = false;

void* allocate_or_null(std::size_t size) noexcept {
    if (no_blocks && size >= sizeof(parley::threading::block)) return nullptr;
    return std::malloc(size == 0 ? 1 : size);
}
void* allocate(std::size_t size) {
    if (void* const p = allocate_or_null(size)) return p;
    throw std::bad_alloc();
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

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
        no_blocks = true;
        EXPECT_THROW(while (others.size() < others.capacity()) others.push_back(async([] {})), std::bad_alloc);
        EXPECT_EQ(out.pull(), 0);
        EXPECT_EQ(out.pull(), 1);
        no_blocks = false;
        may_end = true;
        for (int i = 2; i < 10; ++i) EXPECT_EQ(out.pull(), i);
        EXPECT_EQ(out.pull(), std::nullopt);
        running.get();
    });
}

}  // namespace
