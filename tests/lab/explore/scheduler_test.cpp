// The explorer of the real runtime, by small programs of threads, locks and time.
#include <lab/explore/execution.hpp>
#include <lab/explore/readable.hpp>
#include <lab/explore/scene.hpp>
#include <lab/explore/search.hpp>
#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/futex.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace parley::explore;
using parley::sync::atomic;

scene scene_of(void (*run)(), unsigned deviations) {
    return {.name = "local", .asks = "", .run = run, .deviations = deviations, .steps = 5000};
}

search_result searched(void (*run)(), unsigned deviations, unsigned seeds = 0) {
    executions process;
    return search(process, scene_of(run, deviations), {.deviations = deviations, .seeds = seeds});
}

void two_that_read_and_write() {
    const explored here;
    atomic<int> sum{0};
    const auto add = [&sum] { sum.store(sum.load() + 1); };
    std::thread other(add);
    add();
    other.join();
    check(sum.load() == 2, "one of two was lost");
}

void two_that_add() {
    const explored here;
    atomic<int> sum{0};
    std::thread other([&sum] { sum.fetch_add(1); });
    sum.fetch_add(1);
    other.join();
    check(sum.load() == 2, "one of two was lost");
}

TEST(RuntimeExplorer, FindsALostUpdateWithOneDeviation) {
    EXPECT_FALSE(searched(&two_that_read_and_write, 0).found);
    const search_result r = searched(&two_that_read_and_write, 1);
    ASSERT_TRUE(r.found);
    EXPECT_EQ(r.found->how.size(), 1U);
    EXPECT_EQ(r.found->what, "one of two was lost");
}

TEST(RuntimeExplorer, RepeatsWhatItHasFound) {
    const search_result r = searched(&two_that_read_and_write, 1);
    ASSERT_TRUE(r.found);
    executions process;
    const schedule again = schedule_of(text_of(r.found->how));
    EXPECT_EQ(again, r.found->how);
    const report& shown = process.run(scene_of(&two_that_read_and_write, 0), {.deviations = again, .random = {}});
    EXPECT_EQ(shown.how, verdict::wrong);
    EXPECT_NE(text_of_steps(shown).find("GOES ON"), std::string::npos);
}

TEST(RuntimeExplorer, FindsNothingWhereThereIsNothing) {
    const search_result r = searched(&two_that_add, 3, 200);
    EXPECT_FALSE(r.found);
    EXPECT_TRUE(r.is_complete);
    EXPECT_EQ(r.executions[0], 1U);
    EXPECT_GT(r.executions[1], 0U);
    EXPECT_EQ(r.random, 200U);
}

TEST(RuntimeExplorer, FindsALostUpdateAtRandomAndNamesItsSchedule) {
    const search_result r = searched(&two_that_read_and_write, 0, 200);
    ASSERT_TRUE(r.found);
    executions process;
    EXPECT_EQ(process.run(scene_of(&two_that_read_and_write, 0), {.deviations = r.found->how, .random = {}}).how,
              verdict::wrong);
}

void locks_in_two_orders() {
    const explored here;
    std::mutex a, b;
    std::thread other([&] {
        const std::scoped_lock first(a);
        const std::scoped_lock second(b);
    });
    {
        const std::scoped_lock first(b);
        const std::scoped_lock second(a);
    }
    other.join();
}

TEST(RuntimeExplorer, FindsADeadlock) {
    const search_result r = searched(&locks_in_two_orders, 2);
    ASSERT_TRUE(r.found);
    EXPECT_TRUE(r.found->what.starts_with("all threads wait for each other"));
}

void waits_for_what_never_comes() {
    const explored here;
    atomic<bool> flag{false};
    while (!flag.load()) {}
}

TEST(RuntimeExplorer, FindsALoopWithoutEnd) {
    const search_result r = searched(&waits_for_what_never_comes, 0);
    ASSERT_TRUE(r.found);
    EXPECT_TRUE(r.found->what.starts_with("it does not end"));
}

// It spins: others go on though nobody waits in the kernel.
void spins_until_another_has_set_it() {
    const explored here;
    atomic<bool> flag{false};
    std::thread other([&flag] { flag.store(true); });
    while (!flag.load()) {}
    other.join();
}

TEST(RuntimeExplorer, WhoSpinsLetsOthersGoOn) { EXPECT_FALSE(searched(&spins_until_another_has_set_it, 2, 50).found); }

// The look and the sleep are two steps, and the notice may come in between.
void sleeps_without_a_lock() {
    const explored here;
    atomic<std::uint32_t> word{0};
    std::thread other([&word] {
        word.store(1);
        parley::sync::futex_wake(word, 1);
    });
    if (word.load() == 0) parley::sync::futex_wait(word, word.load());
    other.join();
}
void sleeps_as_it_should() {
    const explored here;
    atomic<std::uint32_t> word{0};
    std::thread other([&word] {
        word.store(1);
        parley::sync::futex_wake(word, 1);
    });
    while (word.load() == 0) parley::sync::futex_wait(word, 0);
    other.join();
}

TEST(RuntimeExplorer, KnowsTheKernelsSleep) {
    EXPECT_TRUE(searched(&sleeps_without_a_lock, 1).found);
    EXPECT_FALSE(searched(&sleeps_as_it_should, 3, 100).found);
}

template <bool LooksAgain>
void waits_by_condition_variable() {
    const explored here;
    std::mutex lock;
    std::condition_variable news;
    bool ready = false;
    std::thread other([&] {
        {
            const std::scoped_lock guard(lock);
            ready = true;
        }
        news.notify_one();
    });
    std::unique_lock guard(lock);
    if (LooksAgain) news.wait(guard, [&] { return ready; });
    else news.wait(guard);
    guard.unlock();
    other.join();
}

TEST(RuntimeExplorer, KnowsConditionVariables) {
    EXPECT_FALSE(searched(&waits_by_condition_variable<true>, 2).found);
    EXPECT_TRUE(searched(&waits_by_condition_variable<false>, 2).found);
}

// Whoever sleeps for a time may wake before the others have done anything, or after all of it.
void sleeps_for_a_time() {
    const explored here;
    bool done = false;
    std::thread other([&done] {
        std::this_thread::sleep_for(std::chrono::hours(1));
        done = true;
    });
    std::this_thread::sleep_for(std::chrono::hours(2));
    check(done, "who sleeps longer woke first");
    other.join();
}

TEST(RuntimeExplorer, TimePassesAsThreadsSleep) {
    EXPECT_FALSE(searched(&sleeps_for_a_time, 0).found);
    const search_result early = searched(&sleeps_for_a_time, 1);
    ASSERT_TRUE(early.found);
    EXPECT_EQ(early.found->what, "who sleeps longer woke first");
}

std::once_flag once;
int times_called = 0;
void called_once() {
    const explored here;
    const auto call = [] {
        std::call_once(once, [] {
            give_way();
            ++times_called;
        });
        check(times_called == 1, "it was not called when the call had returned");
    };
    std::thread other(call);
    call();
    other.join();
}

TEST(RuntimeExplorer, KnowsCallsThatAreMadeOnce) { EXPECT_FALSE(searched(&called_once, 2, 50).found); }

int handled = 0;
int handled_by = 0;
void interrupts_another() {
    struct sigaction mine{};
    mine.sa_sigaction = [](int, siginfo_t*, void*) {
        ++handled;
        handled_by = static_cast<int>(gettid());
    };
    mine.sa_flags = SA_SIGINFO;
    sigaction(SIGURG, &mine, nullptr);
    const explored here;
    atomic<int> number{0};
    std::thread other([&number] {
        number.store(static_cast<int>(gettid()));
        while (handled == 0) give_way();
        check(handled_by == number.load(), "another thread ran the handler");
    });
    while (number.load() == 0) give_way();
    siginfo_t what{};
    what.si_code = SI_QUEUE;
    check(syscall(SYS_rt_tgsigqueueinfo, getpid(), number.load(), SIGURG, &what) == 0, "there is no such thread");
    other.join();
    check(handled == 1, "a signal was handled twice");
}

TEST(RuntimeExplorer, RunsHandlersOnTheThreadThatIsInterrupted) { EXPECT_FALSE(searched(&interrupts_another, 2, 50).found); }

void ends_the_process() { std::exit(3); }
void crashes() { std::raise(SIGSEGV); }

TEST(RuntimeExplorer, SaysThatTheProcessHasEnded) {
    for (const auto run : {&ends_the_process, &crashes}) {
        const search_result r = searched(run, 0);
        ASSERT_TRUE(r.found);
        EXPECT_TRUE(r.found->what.starts_with("the process ended")) << r.found->what;
    }
}

// Its executions differ though the schedule does not: each one knows how many there were before, and the first step is
// another one in each second of them.
int* executions_so_far = nullptr;
void differs_each_time() {
    const explored here;
    atomic<int> word{0};
    if ((*executions_so_far)++ % 2 == 0) (void)word.load();
    else word.store(2);
    std::thread other([&word] { word.store(1); });
    (void)word.load();
    other.join();
}

TEST(RuntimeExplorer, RefusesWhatItCannotRepeat) {
    void* const shared = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    executions_so_far = static_cast<int*>(shared);
    EXPECT_THROW((void)searched(&differs_each_time, 1), std::runtime_error);
    EXPECT_EQ(*executions_so_far, 2);
    (void)munmap(shared, sizeof(int));
}

TEST(RuntimeExplorer, ReadsSchedules) {
    const schedule two{{.step = 12, .thread = 1}, {.step = 40, .thread = 2}};
    EXPECT_EQ(text_of(two), "12:1,40:2");
    EXPECT_EQ(schedule_of("12:1,40:2"), two);
    EXPECT_EQ(schedule_of(text_of({})), schedule{});
    for (const char* const bad : {"", "12", "12:", ":1", "12:1,", "12:99", "40:1,12:1", "12:1;40:2", "x:1"})
        EXPECT_THROW((void)schedule_of(bad), std::invalid_argument) << bad;
}

TEST(RuntimeExplorer, SaysThatAScheduleIsOfAnotherProgram) {
    executions process;
    EXPECT_EQ(process.run(scene_of(&two_that_add, 0), {.deviations = {{.step = 0, .thread = 9}}, .random = {}}).how,
              verdict::diverged);
}

}  // namespace
