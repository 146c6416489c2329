#include "lab/command/sim/two_threads.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <parley/runtime.hpp>
#include <ratio>
#include <thread>
#include <vector>

#include "lab/command/sim/stopwatch.hpp"

namespace parley_cli {
namespace {

struct alignas(128) word {
    std::atomic<std::uint32_t> value{0};
};

// Whoever waits for long may have the processor that the other one needs.
void await(const word& w, std::uint32_t wanted) {
    for (unsigned turns = 1; w.value.load(std::memory_order_acquire) != wanted; ++turns)
        if (turns % 10'000 == 0) std::this_thread::yield();
}

// No two processors of a machine are further from each other.
constexpr double longest_line = 1000;

// A word goes to the other thread, another one comes back: each is written by one and read by the other. Of many short
// batches the fastest: in the others one of the threads was not running.
void line_transfer(between_threads& found) {
    constexpr std::uint32_t batches = 400;
    constexpr std::uint32_t rounds = 50;
    word to, back;
    std::thread other([&] {
        for (std::uint32_t i = 1; i <= batches * rounds; ++i) {
            await(to, i);
            back.value.store(i, std::memory_order_release);
        }
    });
    std::vector<double> all;
    std::uint32_t i = 0;
    for (std::uint32_t batch = 0; batch < batches; ++batch) {
        const auto begin = stopwatch::now();
        for (std::uint32_t round = 0; round < rounds; ++round) {
            to.value.store(++i, std::memory_order_release);
            await(back, i);
        }
        all.push_back(nanoseconds_since(begin) / (4.0 * rounds));
    }
    other.join();
    const double best = *std::min_element(all.begin(), all.end());
    const auto slow =
        std::count_if(all.begin(), all.end(), [&](double one) { return one > 3 * std::min(best, longest_line); });
    found.line = best;
    found.apart = static_cast<double>(slow) / batches;
}

void futex(word& w, int operation, std::uint32_t value) {
    syscall(SYS_futex, &w.value, operation, value, nullptr, nullptr, 0);
}

// Somebody who has slept for a while, as a worker without work has.
void wake_ups(between_threads& found) {
    constexpr std::uint32_t rounds = 50;
    word bell;
    std::atomic<std::int64_t> awake_at{0};
    std::vector<double> wakes, delays;
    std::thread sleeper([&] {
        for (std::uint32_t i = 0; i < rounds; ++i) {
            while (bell.value.load(std::memory_order_acquire) == i) futex(bell, FUTEX_WAIT_PRIVATE, i);
            awake_at.store(stopwatch::now().time_since_epoch().count(), std::memory_order_release);
        }
    });
    for (std::uint32_t i = 0; i < rounds; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        awake_at.store(0, std::memory_order_relaxed);
        const auto begin = stopwatch::now();
        bell.value.store(i + 1, std::memory_order_release);
        futex(bell, FUTEX_WAKE_PRIVATE, 1);
        wakes.push_back(nanoseconds_since(begin));
        std::int64_t when = 0;
        while ((when = awake_at.load(std::memory_order_acquire)) == 0) std::this_thread::yield();
        const stopwatch::time_point awake{stopwatch::duration(when)};
        delays.push_back(std::chrono::duration<double, std::nano>(awake - begin).count());
    }
    sleeper.join();
    found.wake = median(wakes);
    found.wake_delay = std::max(median(delays) - found.wake, 0.0);
    constexpr int calls = 2000;  // that do not sleep: the value is another one
    found.sleep = each_takes(calls, [&] {
        for (int i = 0; i < calls; ++i) futex(bell, FUTEX_WAIT_PRIVATE, 0);
    });
}

void signals(between_threads& found) {
    struct sigaction mine{}, before{};
    mine.sa_handler = [](int) {};
    sigaction(SIGURG, &mine, &before);
    constexpr int calls = 2000;
    const double both = each_takes(calls, [] {
        for (int i = 0; i < calls; ++i) pthread_kill(pthread_self(), SIGURG);
    });
    struct sigaction ignored{};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGURG, &ignored, nullptr);
    found.signal = each_takes(calls, [] {
        for (int i = 0; i < calls; ++i) pthread_kill(pthread_self(), SIGURG);
    });
    found.handler = std::max(both - found.signal, 0.0);
    sigaction(SIGURG, &before, nullptr);
}

bool run_on(const cpu_set_t& processors) { return sched_setaffinity(0, sizeof processors, &processors) == 0; }

// On one processor each lets the other one go on, in turn.
void changes(between_threads& found) {
    cpu_set_t before, one;
    const int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof before, &before) != 0) return;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(here), &one);
    if (!run_on(one)) return;
    std::atomic<bool> ends{false};
    std::thread other([&] {  // on the same processor, as it is started there
        while (!ends.load(std::memory_order_relaxed)) std::this_thread::yield();
    });
    constexpr int calls = 500;
    found.change = each_takes(2 * calls, [] {
        for (int i = 0; i < calls; ++i) std::this_thread::yield();
    });
    ends.store(true, std::memory_order_relaxed);
    other.join();
    run_on(before);
}

}  // namespace

between_threads measure_two_threads() {
    between_threads found;
    if (parley::available_processors().affinity >= 2) line_transfer(found);
    wake_ups(found);
    signals(found);
    changes(found);
    return found;
}

}  // namespace parley_cli
