// Sleeping workers cost nothing. Processor time is compared, not time: a busy machine does no harm.
#include "tests/parley/api/support.hpp"

#include <chrono>
#include <cstdint>
#include <ctime>

namespace {

using namespace api_test;
using namespace std::chrono_literals;

std::chrono::nanoseconds processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Every worker runs a task: each of them waits until all have one.
void let_all_work(parley::runtime& rt) {
    rt.run([&] {
        std::atomic<unsigned> here{0};
        parley::scope s;
        for (unsigned w = 1; w < rt.workers(); ++w)
            s.spawn([&] {
                ++here;
                poll_until([&] { return here == rt.workers() - 1; });
            });
        poll_until([&] { return here == rt.workers() - 1; });
        s.wait();
    });
}

// One worker that spins would use 300 ms. ThreadSanitizer has a thread of its own, which works now and then.
template <class Pause>
void expect_idle(Pause pause) {
    std::this_thread::sleep_for(50ms);  // to fall asleep
    const auto before = processor_time();
    pause();
    EXPECT_LT(processor_time() - before, parley_tests::is_slow ? 100ms : 30ms);
}

TEST(Idle, CostsNothingWhenEveryWorkerHasRun) {
    with_each_size([](parley::runtime& rt) {
        let_all_work(rt);
        expect_idle([] { std::this_thread::sleep_for(300ms); });
    });
}

std::uint64_t sleeps_of(const parley::runtime& rt) {
    std::uint64_t all = 0;
    for (const parley::worker_counters& c : rt.counters()) all += c.sleeps;
    return all;
}

// Half an hour is longer than a test lasts.
TEST(Idle, WorkersSleepWhenTheyWereToldTo) {
    parley::runtime at_once{{.workers = 2, .idle = 0us}};
    let_all_work(at_once);
    expect_idle([] { std::this_thread::sleep_for(300ms); });
    EXPECT_GE(sleeps_of(at_once), 1U);
    parley::runtime late{{.workers = 2, .idle = 30min}};
    late.run([&] {
        parley::async([] {}).get();  // the threads run
        const auto before = sleeps_of(late);
        std::this_thread::sleep_for(100ms);
        EXPECT_EQ(sleeps_of(late), before);
    });
}

TEST(Idle, ATimeBelowMinusOneIsRefused) { EXPECT_THROW(parley::runtime({.workers = 2, .idle = -2us}), parley::usage_error); }

// Failed requests come home and are sent again, but not for ever.
TEST(Idle, CostsNothingAfterTheLongestPause) {
    parley::runtime rt{{.workers = 4}, {.failed = parley::threading::failed_requests::backoff}};
    let_all_work(rt);
    expect_idle([] { std::this_thread::sleep_for(300ms); });
    rt.run([] { expect_idle([] { std::this_thread::sleep_for(300ms); }); });
}

TEST(Idle, CostsNothingWhileTheRootTaskSleeps) {
    for (const unsigned n : {2U, 8U}) {
        parley::runtime rt{{.workers = n}};
        let_all_work(rt);
        rt.run([] { expect_idle([] { std::this_thread::sleep_for(300ms); }); });
    }
}

TEST(Idle, CostsNothingWhileEverybodyWaitsForATaskThatSleeps) {
    for (const unsigned n : {2U, 8U}) {
        parley::runtime rt{{.workers = n}};
        let_all_work(rt);
        std::atomic<bool> begun{false};
        const auto before = processor_time();
        rt.run([&] {
            auto f = parley::async([&] {
                begun = true;
                std::this_thread::sleep_for(300ms);
            });
            poll_until([&] { return begun.load(); });
            f.get();
        });
        EXPECT_LT(processor_time() - before, 40ms);
    }
}

TEST(Idle, ThreadsOutsideWaitWithoutWorking) {
    parley::runtime rt{{.workers = 2}};
    let_all_work(rt);
    std::atomic<bool> begun{false};
    std::thread busy([&] {
        rt.run([&] {
            begun = true;
            std::this_thread::sleep_for(400ms);
        });
    });
    while (!begun) std::this_thread::yield();
    std::vector<std::thread> crowd;
    for (int i = 0; i < 4; ++i) crowd.emplace_back([&] { rt.run([] { std::this_thread::sleep_for(80ms); }); });
    expect_idle([&] {
        busy.join();
        for (auto& t : crowd) t.join();
    });
}

// And they wake up again, each time.
TEST(Idle, SleepersTakeUpWork) {
    for (const unsigned n : {2U, 3U, 8U}) {
        parley::runtime rt{{.workers = n}};
        for (int i = 0; i < (is_sanitized ? 5 : 20); ++i) {
            let_all_work(rt);
            std::this_thread::sleep_for(2ms);
        }
    }
}

}  // namespace
