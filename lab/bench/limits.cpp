#include "lab/bench/limits.hpp"

#include <atomic>
#include <cstdint>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace parley_bench {

namespace {

struct alignas(128) word {
    std::atomic<std::uint32_t> value{0};
};

void await(const word& w, std::uint32_t wanted, bool asleep) {
    for (;;) {
        const std::uint32_t seen = w.value.load(std::memory_order_acquire);
        if (seen == wanted) return;
        if (asleep) syscall(SYS_futex, &w.value, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    }
}

void put(word& w, std::uint32_t next, bool wake) {
    w.value.store(next, std::memory_order_release);
    if (wake) syscall(SYS_futex, &w.value, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Through the kernel the other thread has slept for a millisecond before each round, as a worker without
// work has: waking who has just fallen asleep is several times cheaper. The start of the thread is not
// in the time.
double round_trip(int rounds, bool through_the_kernel) {
    word to;
    word back;
    std::atomic<bool> started{false};
    std::thread other([&] {
        started = true;
        for (int i = 1; i <= rounds; ++i) {
            await(to, static_cast<std::uint32_t>(i), through_the_kernel);
            put(back, static_cast<std::uint32_t>(i), through_the_kernel);
        }
    });
    while (!started) std::this_thread::yield();
    const auto round = [&](int i) {
        put(to, static_cast<std::uint32_t>(i), through_the_kernel);
        await(back, static_cast<std::uint32_t>(i), through_the_kernel);
    };
    double all = 0;
    if (through_the_kernel) {
        for (int i = 1; i <= rounds; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            all += seconds([&] { round(i); });
        }
    } else {
        all = seconds([&] {
            for (int i = 1; i <= rounds; ++i) round(i);
        });
    }
    other.join();
    return all / rounds;
}

}  // namespace

double cache_line_round_trip(int rounds) { return round_trip(rounds, false); }
double futex_round_trip(int rounds) { return round_trip(rounds, true); }

void pin_this_thread(int i) {
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    int seen = 0;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &all) || seen++ != i % CPU_COUNT(&all)) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

}  // namespace parley_bench
