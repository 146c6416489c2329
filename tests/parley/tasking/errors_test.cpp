// What makes no sense: one line on stderr that says so, exit status 2, and no hang.
#include "tests/fork_at_rest.hpp"
#include "tests/parley/tasking/support.hpp"

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <pthread.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tasking_test;
using testing::ExitedWithCode;
using testing::KilledBySignal;

int doubled(int x) { return 2 * x; }
ASYNC_DECL(int, doubled, int x, x);
FUTURE_DECL(int, doubled, int x, x);
void nothing() {}
ASYNC_VOID_DECL(nothing);
FUTURE_VOID_DECL(nothing);

// Threads are running when some of these begin.
class TaskingErrors : public testing::Test {
protected:
    void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

void begin(const char* workers = "2") {
    ::setenv("TASKING_NUM_WORKERS", workers, 1);
    TASKING_INIT();
}

#define EXPECT_COMPLAINT(what, text) EXPECT_EXIT(what, ExitedWithCode(2), "tasking: " text)

TEST_F(TaskingErrors, NothingGoesBeforeInit) {
    int s = 0;
    EXPECT_COMPLAINT(ASYNC(doubled, 1, &s), "ASYNC before TASKING_INIT");
    EXPECT_COMPLAINT(SPAWN(doubled, 1, &s), "SPAWN before TASKING_INIT");
    EXPECT_COMPLAINT(SYNC(), "SYNC before TASKING_INIT");
    EXPECT_COMPLAINT((void)AWAIT(FUTURE(doubled, 1), int), "FUTURE before TASKING_INIT");
    EXPECT_COMPLAINT(ASYNC_FOR(nothing, 0, 2), "ASYNC_FOR before TASKING_INIT");
    EXPECT_COMPLAINT(TASKING_BARRIER(), "TASKING_BARRIER before TASKING_INIT");
    EXPECT_COMPLAINT(TASKING_EXIT(), "TASKING_EXIT before TASKING_INIT");
}

TEST_F(TaskingErrors, NothingGoesAfterExit) {
    const auto run = [](auto what) {
        begin();
        TASKING_EXIT();
        what();
    };
    EXPECT_COMPLAINT(run([] { ASYNC(nothing); }), "ASYNC before TASKING_INIT, or after TASKING_EXIT");
    EXPECT_COMPLAINT(run([] { TASKING_EXIT(); }), "TASKING_EXIT before TASKING_INIT, or after TASKING_EXIT");
}

TEST_F(TaskingErrors, InitTwiceIsAnError) { EXPECT_COMPLAINT((begin(), TASKING_INIT()), "TASKING_INIT again"); }

TEST_F(TaskingErrors, ANumberOfWorkersMustBeOne) {
    for (const char* const bad : {"0", "-1", "two", "2x", " 2", "2.5", "4097", "99999999999999999999"})
        EXPECT_COMPLAINT(begin(bad), ".*TASKING_NUM_WORKERS=.*: a number of workers from 1 to 4096") << bad;
    EXPECT_COMPLAINT((::setenv("TASKING_NUM_WORKERS", "two", 1), tasking_workers()),
                     ".*TASKING_NUM_WORKERS=two: a number of workers from 1 to 4096");
}

TEST_F(TaskingErrors, ParleysVariablesAreLookedAtToo) {
    EXPECT_COMPLAINT((::setenv("PARLEY_BIND", "all", 1), begin()), ".*PARLEY_BIND=all");
}

void waits_for_all() { TASKING_BARRIER(); }
ASYNC_VOID_DECL(waits_for_all);
FUTURE_VOID_DECL(waits_for_all);
void ends_all() { TASKING_EXIT(); }
ASYNC_VOID_DECL(ends_all);
void begins_again() { TASKING_INIT(); }
ASYNC_VOID_DECL(begins_again);

TEST_F(TaskingErrors, OnlyTheRootTaskWaitsForAllAndEnds) {
    for (const char* const workers : {"1", "3"}) {
        EXPECT_COMPLAINT((begin(workers), ASYNC(waits_for_all), TASKING_BARRIER()), "TASKING_BARRIER in a child task");
        EXPECT_COMPLAINT((begin(workers), AWAIT_VOID(FUTURE(waits_for_all))), "TASKING_BARRIER in a child task");
        EXPECT_COMPLAINT((begin(workers), SPAWN(waits_for_all), SYNC()), "TASKING_BARRIER in a child task");
        EXPECT_COMPLAINT((begin(workers), ASYNC(ends_all), TASKING_BARRIER()), "TASKING_EXIT in a child task");
        EXPECT_COMPLAINT((begin(workers), ASYNC(begins_again), TASKING_BARRIER()), "TASKING_INIT again");
    }
}

void* of_a_thread(void (*end)()) {
    begin();
    ASYNC(nothing);
    end();
    return nullptr;
}

void start_and_wait(void* (*function)(void*)) {
    pthread_t thread{};
    if (pthread_create(&thread, nullptr, function, nullptr) != 0) std::abort();
    (void)pthread_join(thread, nullptr);
}

// The first thread: lab/programs/first_thread_ends.c.
TEST_F(TaskingErrors, TheRootTaskDoesNotEndWithItsThread) {
    const auto returns = [](void*) { return of_a_thread([] {}); };
    EXPECT_COMPLAINT(start_and_wait(returns), "the thread of the root task ends without TASKING_EXIT");
    const auto leaves = [](void*) { return of_a_thread([] { pthread_exit(nullptr); }); };
    EXPECT_COMPLAINT(start_and_wait(leaves), "the thread of the root task ends without TASKING_EXIT");
}

TEST_F(TaskingErrors, AThreadEndsAfterItsRootTask) {
    const auto ends = [](void*) { return of_a_thread([] { TASKING_EXIT(); }); };
    EXPECT_EXIT((start_and_wait(ends), start_and_wait(ends), std::exit(3)), ExitedWithCode(3), "^$");
}

TEST_F(TaskingErrors, AProgramMayEndInTheMiddle) {
    EXPECT_EXIT((begin(), std::exit(3)), ExitedWithCode(3), "^$");
    EXPECT_EXIT(start_and_wait([](void*) { return of_a_thread([] { std::exit(4); }); }), ExitedWithCode(4), "^$");
}

TEST_F(TaskingErrors, LeaveATimelineThatIsWhole) {
    const std::string file = testing::TempDir() + "timeline_of_an_error.json";
    EXPECT_COMPLAINT((::setenv("PARLEY_TRACE", file.c_str(), 1), begin("3"), ASYNC(waits_for_all), TASKING_BARRIER()),
                     "TASKING_BARRIER in a child task");
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_NE(text.str().find("\"ph\""), std::string::npos) << "some event";
    EXPECT_EQ(text.str().substr(text.str().find_last_not_of('\n')), "]\n");
    std::remove(file.c_str());
}

TEST_F(TaskingErrors, ThreadsThatAreNoWorkersMakeNoTasks) {
    const auto elsewhere = [](void (*what)()) {
        begin();
        std::thread(what).join();
    };
    EXPECT_COMPLAINT(elsewhere([] { ASYNC(nothing); }), "ASYNC on a thread that runs no task");
    EXPECT_COMPLAINT(elsewhere([] { AWAIT_VOID(FUTURE(nothing)); }), "FUTURE on a thread that runs no task");
    EXPECT_COMPLAINT(elsewhere([] { TASKING_BARRIER(); }), "TASKING_BARRIER on a thread that runs no task");
    EXPECT_COMPLAINT(elsewhere([] { TASKING_EXIT(); }), "TASKING_EXIT on a thread that runs no task");
}

TEST_F(TaskingErrors, AFutureIsAwaitedOnce) {
    const auto again = [](int others, int workers) {
        begin(workers == 1 ? "1" : "3");
        const future f = FUTURE(doubled, 1);
        (void)AWAIT(f, int);
        for (int i = 0; i < others; ++i) (void)AWAIT(FUTURE(doubled, i), int);
        (void)AWAIT(f, int);
    };
    for (const int workers : {1, 3}) {
        EXPECT_COMPLAINT(again(0, workers), "AWAIT of a future that has been awaited already");
        EXPECT_COMPLAINT(again(1, workers), "AWAIT of a future that has been awaited already");
        EXPECT_COMPLAINT(again(1000, workers), "AWAIT of a future that has been awaited already");
    }
}

std::atomic<int> waiting{0};
void await_it(future f) {
    ++waiting;
    (void)AWAIT(f, int);
}
ASYNC_VOID_DECL(await_it, future f, f);
int takes_long(int x) {
    for (int turns = 0; waiting < 2 || turns < 10; ++turns) {
        rts_poll();
        ::usleep(1000);
    }
    return x;
}
FUTURE_DECL(int, takes_long, int x, x);

// Two that wait for the same future at the same time.
TEST_F(TaskingErrors, AFutureIsAwaitedByOneTask) {
    const auto twice_at_once = [] {
        begin("3");
        const future f = FUTURE(takes_long, 1);
        ASYNC(await_it, f);
        ASYNC(await_it, f);
        TASKING_BARRIER();
    };
    for (int round = 0; round < 5; ++round)
        EXPECT_COMPLAINT(twice_at_once(), "AWAIT of a future that has been awaited already");
}

TEST_F(TaskingErrors, WhatIsNoFutureIsNotAwaited) {
    EXPECT_COMPLAINT((begin(), (void)AWAIT(future{}, int)), "AWAIT of a future that FUTURE has not made");
    EXPECT_COMPLAINT((begin(), (void)AWAIT(FUTURE_NONE, int)), "AWAIT of a future that FUTURE has not made");
    const auto late = [] {
        begin();
        const future f = FUTURE(doubled, 1);
        TASKING_EXIT();
        begin();
        (void)AWAIT(f, int);
    };
    EXPECT_COMPLAINT(late(), "AWAIT of a future from before the last TASKING_EXIT");
}

TEST_F(TaskingErrors, AFutureIsAwaitedAsWhatItIs) {
    EXPECT_COMPLAINT((begin(), (void)AWAIT(FUTURE(doubled, 1), double)), "AWAIT of 8 bytes where the future's result has 4");
    EXPECT_COMPLAINT((begin(), AWAIT_VOID(FUTURE(doubled, 1))), "AWAIT of 0 bytes where the future's result has 4");
}

void goes_over_tasks() {
    long i;
    for_each_task(i) nothing();
}
ASYNC_VOID_DECL(goes_over_tasks);

TEST_F(TaskingErrors, IterationsBelongToTasksOfLoops) {
    EXPECT_COMPLAINT(goes_over_tasks(), "for_each_task before TASKING_INIT");
    EXPECT_COMPLAINT((begin(), ASYNC_FOR_SINGLE(nothing, LONG_MAX)), "ASYNC_FOR_SINGLE");
    EXPECT_COMPLAINT((begin(), goes_over_tasks()), "for_each_task in a task that is none of ASYNC_FOR");
    EXPECT_COMPLAINT((begin(), ASYNC(goes_over_tasks), TASKING_BARRIER()), "for_each_task in a task that is none of");
}

TEST_F(TaskingErrors, ChildrenBelongToTasksOfTasking) {
    const auto in_parleys_task = [](void (*what)()) {
        begin();
        parley::async([what] { what(); }).get();
    };
    EXPECT_COMPLAINT(in_parleys_task([] { SPAWN(nothing); }), "SPAWN in a task that is none of");
    EXPECT_COMPLAINT(in_parleys_task([] { SYNC(); }), "SYNC in a task that is none of");
}

void throws() { throw boom{}; }
ASYNC_VOID_DECL(throws);

TEST_F(TaskingErrors, AnExceptionThatNobodyAwaitsEndsTheProgram) {
    EXPECT_EXIT((begin(), ASYNC(throws), TASKING_BARRIER()), KilledBySignal(SIGABRT),
                "tasking: a task has thrown, and nobody waits for it(.|\n)*boom");
}

TEST_F(TaskingErrors, ChannelsHaveRoomAndAType) {
    Channel* const c = channel_alloc(8, 2, MPMC);
    char data[16] = {};
    EXPECT_COMPLAINT(channel_alloc(0, 1, SPSC), "channel_alloc: messages of 0 bytes");
    EXPECT_COMPLAINT(channel_alloc(1, 0, SPSC), "channel_alloc: a capacity of 0");
    EXPECT_COMPLAINT(channel_alloc(SIZE_MAX / 2, 16, SPSC), "channel_alloc: there is no memory");
    EXPECT_COMPLAINT(channel_alloc(1, 1, static_cast<chan_t>(3)), "channel_alloc: 3 is no type of channel");
    EXPECT_COMPLAINT(channel_send(c, data, 9), "channel_send: 9 bytes over a channel for messages of up to 8");
    EXPECT_COMPLAINT(channel_receive(c, data, 16), "channel_receive: 16 bytes over a channel");
    EXPECT_COMPLAINT(channel_send(nullptr, data, 1), "channel_send: there is no channel");
    EXPECT_COMPLAINT(channel_receive(c, nullptr, 1), "channel_receive: there is no data");
    EXPECT_COMPLAINT(channel_peek(nullptr), "channel_peek: there is no channel");
    channel_free(c);
}

// What goes on in a child of fork() that was made between TASKING_INIT and TASKING_EXIT, and how it ends.
int status_of_child(void (*what)()) {
    if (const pid_t child = parley_tests::fork_at_rest(); child != 0) {
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    what();
    std::_Exit(0);
}

TEST_F(TaskingErrors, AChildOfForkDoesNotWaitForItsParentsThreads) {
    for (void (*const what)() :
         {+[] { TASKING_BARRIER(); }, +[] { TASKING_EXIT(); }, +[] { ASYNC(nothing); }, +[] { SYNC(); }}) {
        EXPECT_COMPLAINT((begin(), std::_Exit(status_of_child(what))), ".* in a child of fork()");
    }
}

// Without threads, which sanitizers do not allow around fork().
TEST_F(TaskingErrors, AChildOfForkMayBeginByItself) {
    begin("1");
    EXPECT_EQ(status_of_child([] {
                  begin("1");
                  int s = 0;
                  ASYNC(doubled, 4, &s);
                  TASKING_BARRIER();
                  const int t = AWAIT(FUTURE(doubled, 5), int);
                  TASKING_EXIT();
                  std::_Exit(s + t == 18 ? 18 : 1);
              }),
              18);
    ASYNC(nothing);
    TASKING_EXIT();
}

TEST_F(TaskingErrors, WhatHasBeenPrintedIsNotLost) {
    EXPECT_EXIT((std::fputs("printed", stdout), ::dup2(2, 1), TASKING_EXIT()), ExitedWithCode(2), "printed");
}

}  // namespace
