// dump_state(): who waits for what, where.
#include "tests/parley/api/captured_errors.hpp"
#include "tests/parley/api/support.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace api_test;

std::string dumped(const parley::runtime& rt) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const out = open_memstream(&text, &size);
    rt.dump_state(out);
    std::fclose(out);
    std::string all(text, size);
    std::free(text);
    return all;
}

// Until it says that, or for a minute.
bool comes_to_say(const parley::runtime& rt, const std::string& words) {
    for (int i = 0; i < 12'000; ++i) {
        if (dumped(rt).find(words) != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << words << " is not in\n" << dumped(rt);
    return false;
}

// The numbers of "stack 0x... to 0x..." that follow `words`.
struct range {
    std::uintptr_t lowest = 0, end = 0;
    bool has(std::uintptr_t address) const { return address >= lowest && address < end; }
};
range stack_after(const std::string& text, const std::string& words) {
    range r;
    const std::size_t at = text.find("stack 0x", text.find(words));
    if (at != std::string::npos)
        (void)std::sscanf(text.c_str() + at, "stack 0x%" SCNxPTR " to 0x%" SCNxPTR, &r.lowest, &r.end);
    return r;
}

// Waits in a task of `rt` until look() has returned, which another thread does meanwhile.
template <class Look>
void while_a_future_is_awaited(parley::runtime& rt, Look look) {
    std::atomic<bool> begun{false}, over{false};
    std::thread other([&] {
        block_until([&] { return begun.load(); });
        look();
        over = true;
    });
    rt.run([&] {
        const auto f = parley::async([&] { begun = true, block_until([&] { return over.load(); }); });
        poll_until([&] { return begun.load(); });
        f.wait();
    });
    other.join();
}

TEST(Dump, NamesTheWaitItsThreadAndItsStack) {
    parley::runtime rt{{.workers = 2}};
    const auto thread = std::to_string(syscall(SYS_gettid));
    const int here = 0;
    while_a_future_is_awaited(rt, [&] {
        EXPECT_TRUE(comes_to_say(rt, "1 waits that last, 0 of them suspended:\n      for a future since "));
        const std::string text = dumped(rt);
        EXPECT_NE(text.find("thread " + thread + ", a thread from outside, asleep"), std::string::npos) << text;
        EXPECT_NE(text.find("a thread of the runtime's, awake"), std::string::npos) << text;
        for (const char* const line : {"for a future since ", "a thread from outside"})
            EXPECT_TRUE(stack_after(text, line).has(reinterpret_cast<std::uintptr_t>(&here))) << text;
    });
    EXPECT_EQ(dumped(rt).find("waits that last"), std::string::npos);
    EXPECT_EQ(dumped(rt).find("a thread from outside"), std::string::npos) << "it has left";
}

// Both wait on stacks of the same thread, of which the second one is a helper's.
TEST(Dump, NamesSuspendedWaitsAndTheQueueOfTheirWorker) {
    parley::runtime rt{{.workers = 1}};
    std::atomic<bool> over{false};
    std::uintptr_t outer = 0, inner = 0;
    std::atomic<bool> waits{false};
    std::thread other([&] {
        block_until([&] { return waits.load(); });
        EXPECT_TRUE(comes_to_say(rt, "1 waits that last, 1 of them suspended:\n      for a scope since "));
        const std::string text = dumped(rt);
        EXPECT_TRUE(stack_after(text, "for a scope").has(outer)) << text;
        EXPECT_TRUE(stack_after(text, "worker 0").has(inner)) << text;
        EXPECT_FALSE(stack_after(text, "worker 0").has(outer)) << text;
        over = true;
    });
    rt.run([&] {
        const int here = 0;
        outer = reinterpret_cast<std::uintptr_t>(&here);
        parley::scope s;
        std::thread([&] {
            s.spawn([&] {
                const int there = 0;
                inner = reinterpret_cast<std::uintptr_t>(&there);
                waits = true;
                block_until([&] { return over.load(); });
            });
        }).join();
        s.wait();
    });
    other.join();
}

TEST(Dump, NamesThreadsThatWaitInASecondRuntime) {
    parley::runtime first{{.workers = 1}}, second{{.workers = 2}};
    first.run([&] {
        while_a_future_is_awaited(second, [&] {
            EXPECT_TRUE(comes_to_say(first, "for what its thread waits for in another runtime since "));
            EXPECT_TRUE(comes_to_say(second,
                                     "a worker of another runtime, which visits this one, asleep as a worker of another "
                                     "runtime"));
            EXPECT_TRUE(comes_to_say(second, "for a future since "));
        });
    });
}

// The function that a debugger calls.
TEST(Dump, IsWrittenForADebugger) {
    captured_errors errors;
    const parley::runtime rt{{.workers = 213}};
    parley_dump_state();
    EXPECT_EQ(errors.count("parley: 213 workers"), 1U);
}

// For the thread sanitizer, mostly.
TEST(Dump, MayBeWrittenWhileWaitsComeAndGo) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<bool> over{false};
        std::thread other([&] {
            while (!over) (void)dumped(rt);
        });
        for (std::size_t i = 0; i < times(50); ++i)
            EXPECT_EQ(rt.run([] {
                parley::scope s;
                std::atomic<std::uint64_t> sum{0};
                for (unsigned n = 0; n < 8; ++n) s.spawn([&, n] { sum += parley::async(fib, n).get(); });
                s.wait();
                return sum.load();
            }),
                      33U);
        over = true;
        other.join();
    });
}

}  // namespace
