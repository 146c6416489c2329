// What is wrong is found and said: races, accesses to what is freed, threads that wait for ever, executions without an end.
#include <lab/memory/machine.hpp>
#include <lab/memory/scene.hpp>
#include <lab/memory/search.hpp>
#include <lab/memory/weakening.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

namespace {

namespace memory = parley::memory;

memory::search_result explore(const char* name, memory::search_limits limits = {}) {
    memory::machine threads;
    const auto& all = memory::broken_scenes();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const memory::scene& s) { return std::string(name) == s.name; });
    if (found == all.end()) throw std::invalid_argument(name);
    return memory::search(threads, *found, limits);
}

void finds(const char* name, const char* what) {
    const memory::search_result r = explore(name);
    ASSERT_TRUE(r.found) << name;
    EXPECT_NE(r.found->find(what), std::string::npos) << *r.found;
    EXPECT_FALSE(r.is_complete);
}

TEST(MemorySearch, RacesAreFound) {
    finds("relaxed_message", "data race: thread 1 reads what thread 0 writes");
    finds("two_writers", "data race");
    finds("copied_bytes", "data race");
}
TEST(MemorySearch, RacesOfTwoReadersAreNone) { EXPECT_TRUE(explore("two_readers").is_complete); }
TEST(MemorySearch, LocksOrderWhatTheyGuard) { EXPECT_TRUE(explore("locked").is_complete); }
TEST(MemorySearch, FencesOrderWhatTheyShould) {
    EXPECT_TRUE(explore("fenced_message").is_complete);
    finds("unfenced_message", "data race");
}
TEST(MemorySearch, AccessToWhatWasFreedIsFound) {
    finds("freed", "frees");
    finds("destroyed", "an operation on an atomic whose life has ended");
}
TEST(MemorySearch, ThreadsThatWaitForEverAreFound) {
    finds("never_up", "thread 1 waits for ever");
    finds("never_woken", "waits for ever");
    finds("two_locks", "waits for ever");
}
TEST(MemorySearch, ExceptionsThatLeaveAThreadAreFound) { finds("thrown", "an exception leaves thread 0"); }
TEST(MemorySearch, AChangeThatNobodyExpectsIsFound) { finds("wrong_sum", "two were added"); }
TEST(MemorySearch, ExecutionsWithoutAnEndAreToldOf) {
    const memory::search_result r = explore("spins", {.steps = 100});
    EXPECT_TRUE(r.is_endless);
    EXPECT_FALSE(r.is_complete);
    EXPECT_FALSE(r.found);
}
TEST(MemorySearch, StopsAfterSoManyExecutions) {
    const memory::search_result r = explore("two_readers", {.executions = 1});
    EXPECT_EQ(r.executions, 1U);
    EXPECT_FALSE(r.is_complete);
}
TEST(MemorySearch, FiveThreadsAreRefused) { EXPECT_THROW((void)explore("five_threads"), std::invalid_argument); }

TEST(MemoryWeakening, TextsThatAreNoneAreRefused) {
    for (const char* text : {"", "mpsc.hpp", "mpsc.hpp:12", "mpsc.hpp:12=weak", "mpsc.hpp:x=relaxed", ":1=relaxed"})
        EXPECT_THROW(static_cast<void>(memory::weakening_of(text)), std::invalid_argument) << text;
}

TEST(MemoryWeakening, OneOperationIsWeakened) {
    memory::set_weakening(memory::weakening_of("tests/lab/memory/search_test.cpp:12:3=failure:relaxed"));
    memory::operation o;
    o.failure = std::memory_order_acquire;
    EXPECT_EQ(memory::weakened(o).failure, std::memory_order_acquire);
    EXPECT_FALSE(memory::was_weakened());
    memory::set_weakening(std::nullopt);
}

// Each scene of the library holds; the long ones are for explore-memory --all.
TEST(MemoryScenes, Hold) {
    memory::machine threads;
    for (const memory::scene& s : memory::scenes()) {
        if (s.is_long) continue;
        const memory::search_result r = memory::search(threads, s, {});
        EXPECT_TRUE(r.is_complete) << s.name << ": " << r.found.value_or("an execution has no end");
        EXPECT_GT(r.executions, 0U) << s.name;
    }
}

}  // namespace
