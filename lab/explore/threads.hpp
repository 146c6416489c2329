// What scheduler.cpp knows of the threads of the execution, and of the execution itself. Only scheduler.cpp includes this.
#pragma once

#include <lab/explore/point.hpp>
#include <lab/explore/report.hpp>
#include <lab/explore/scheduler.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <sys/types.h>
#include <unordered_map>
#include <vector>

namespace parley::explore {

enum class state : std::uint8_t { none, ready, blocked, ended };

struct thread_of_execution {
    std::atomic<std::uint32_t> may_go{0};
    state is = state::none;
    std::uint8_t number = 0;
    pid_t in_kernel = 0;
    pthread_t handle{};
    void* (*function)(void*) = nullptr;
    void* argument = nullptr;
    // Where it waits.
    does waits_by = does::waits;
    const void* object = nullptr;
    std::int64_t until = for_ever;
    std::uint64_t since = 0;
    bool woken = false;
    const void* where = nullptr;
    // A signal that has not come to it yet.
    int signal = 0;
    siginfo_t what{};
    bool handles = false;
    std::uint64_t priority = 0;
};

// One execution for each process.
struct execution {
    report* into = nullptr;
    execution_settings how;
    std::array<thread_of_execution, most_threads> threads;
    unsigned made = 0;
    std::size_t next_deviation = 0;
    bool is_explored = false;
    std::int64_t time = 1'000'000'000;
    unsigned run_length = 0;
    std::uint64_t waits = 0;
    std::unordered_map<const void*, std::uint32_t> objects;
    pid_t leaving = 0;  // a thread that has ended here, and perhaps not in the kernel
    pthread_key_t end_of_thread{};
    // Of random executions.
    std::uint64_t random = 0;
    std::uint64_t lowest = 0;
    std::uint32_t explored_steps = 0;
    std::vector<std::uint32_t> changes;
};

}  // namespace parley::explore
