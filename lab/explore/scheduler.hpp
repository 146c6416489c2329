// Who goes on: the threads of one execution, of which one runs at a time.
//
// A thread says before each step what it is about to do, and goes on itself unless the schedule says that another one does.
// Where it waits, the next one goes on, in the order of their numbers; so a schedule is a list of deviations from that
// (Emmi, Qadeer & Rakamaric 2011), and repeats an execution. A thread that goes on for long while others could is in a loop
// that waits for them: then the next one goes on, too (Musuvathi & Qadeer 2008 do so where a thread yields).
//
// Time passes as somebody looks at the clock, by so much at each look. What sleeps for a time is woken when that has come,
// or when nobody else can go on, or earlier, as a deviation.
#pragma once

#include <lab/explore/point.hpp>
#include <lab/explore/report.hpp>
#include <lab/explore/scene.hpp>

#include <csignal>
#include <cstdint>
#include <ctime>
#include <pthread.h>
#include <utility>

namespace parley::explore {

inline constexpr std::int64_t for_ever = INT64_MAX;

struct execution_settings {
    schedule deviations;
    randomness random;
    std::uint32_t most_steps = 20'000;
    unsigned look_us = 20;
};

[[nodiscard]] inline execution_settings settings_for(const scene& s, schedule deviations, randomness random = {}) {
    return {.deviations = std::move(deviations), .random = random, .most_steps = s.steps, .look_us = s.look_us};
}

// By the process of the execution, on its only thread, which is thread 0 from now on.
void begin_execution(report& into, const execution_settings& how);
// The process ends.
[[noreturn]] void end_execution(verdict how, const char* text) noexcept;

// Is the calling thread one of an execution?
[[nodiscard]] bool is_explored() noexcept;

// Until wake() of that object, or that time. False: it was the time.
bool block(does what, const void* object, std::int64_t until) noexcept;
// So many of those that are blocked, those first that have been longest.
unsigned wake(const void* object, unsigned most) noexcept;

[[nodiscard]] std::int64_t now() noexcept;  // in nanoseconds
std::int64_t look_at_clock() noexcept;
void yield() noexcept;

int begin_thread(pthread_t* made, const pthread_attr_t* with, void* (*function)(void*), void* argument);
int join_thread(pthread_t which, void** result);

// False: no thread of the execution has that number in the kernel.
bool send_signal(pid_t to, int number, const siginfo_t& what) noexcept;

void set_explored(bool on) noexcept;
[[nodiscard]] bool others_can_go_on() noexcept;

}  // namespace parley::explore
