// The system's own functions, which the explorer has put its own in front of (interception.cpp).
#pragma once

#include <cstdint>
#include <ctime>
#include <pthread.h>

namespace parley::explore::real {

int create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept;
int join(pthread_t, void**) noexcept;
int lock(pthread_mutex_t*) noexcept;
int try_lock(pthread_mutex_t*) noexcept;
int unlock(pthread_mutex_t*) noexcept;
int yield() noexcept;
int clock(clockid_t, timespec*) noexcept;
int sleep(const timespec*, timespec*) noexcept;
int once(pthread_once_t*, void (*)());
int wait(pthread_cond_t*, pthread_mutex_t*) noexcept;
int wait_until(pthread_cond_t*, clockid_t, pthread_mutex_t*, const timespec*) noexcept;
int wake_one(pthread_cond_t*) noexcept;
int wake_all(pthread_cond_t*) noexcept;
long call(long number, long a, long b, long c, long d, long e, long f) noexcept;

// Sleeps while the word holds `expected`, and wakes who sleeps there.
void sleep_on(const std::uint32_t& word, std::uint32_t expected) noexcept;
void wake_from(const std::uint32_t& word) noexcept;

}  // namespace parley::explore::real
