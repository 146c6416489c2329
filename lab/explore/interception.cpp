// The functions by which the library, the standard library and programs reach threads, locks and time. Those that are
// defined here are found first when the program is linked and when it is loaded; outside an execution they are the system's
// own.
#include <lab/explore/real_calls.hpp>
#include <lab/explore/scheduler.hpp>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::explore {

namespace {

// The system's function of that name. Looked up once for each name, by the first call; that a second thread may look it up,
// too, does no harm.
template <class Function>
Function* next_of(Function*& known, const char* name) noexcept {
    if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    return known;
}

std::int64_t in_ns(const timespec& t) noexcept { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

std::int64_t after(const timespec& so_long) noexcept { return now() + in_ns(so_long); }

}  // namespace

namespace real {

#define PARLEY_NEXT(name)                               \
    static constinit decltype(::name)* known = nullptr; \
    return next_of(known, #name)

int create(pthread_t* made, const pthread_attr_t* with, void* (*f)(void*), void* argument) noexcept {
    PARLEY_NEXT(pthread_create)(made, with, f, argument);
}
int join(pthread_t which, void** result) noexcept { PARLEY_NEXT(pthread_join)(which, result); }
int lock(pthread_mutex_t* m) noexcept { PARLEY_NEXT(pthread_mutex_lock)(m); }
int try_lock(pthread_mutex_t* m) noexcept { PARLEY_NEXT(pthread_mutex_trylock)(m); }
int unlock(pthread_mutex_t* m) noexcept { PARLEY_NEXT(pthread_mutex_unlock)(m); }
int yield() noexcept { PARLEY_NEXT(sched_yield)(); }
int clock(clockid_t which, timespec* into) noexcept { PARLEY_NEXT(clock_gettime)(which, into); }
int sleep(const timespec* so_long, timespec* left) noexcept { PARLEY_NEXT(nanosleep)(so_long, left); }
int once(pthread_once_t* which, void (*f)()) { PARLEY_NEXT(pthread_once)(which, f); }
int wait(pthread_cond_t* c, pthread_mutex_t* m) noexcept { PARLEY_NEXT(pthread_cond_wait)(c, m); }
int wait_until(pthread_cond_t* c, clockid_t which, pthread_mutex_t* m, const timespec* last) noexcept {
    PARLEY_NEXT(pthread_cond_clockwait)(c, m, which, last);
}
int wake_one(pthread_cond_t* c) noexcept { PARLEY_NEXT(pthread_cond_signal)(c); }
int wake_all(pthread_cond_t* c) noexcept { PARLEY_NEXT(pthread_cond_broadcast)(c); }
long call(long number, long a, long b, long c, long d, long e, long f) noexcept {
    PARLEY_NEXT(syscall)(number, a, b, c, d, e, f);
}
#undef PARLEY_NEXT

void sleep_on(const std::uint32_t& word, std::uint32_t expected) noexcept {
    (void)call(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, expected, 0, 0, 0);
}
void wake_from(const std::uint32_t& word) noexcept {
    (void)call(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

}  // namespace real

namespace {

int lock(pthread_mutex_t* m) noexcept {
    point(does::locks, m);
    int failed = real::try_lock(m);
    while (failed == EBUSY) {
        (void)block(does::locks, m, for_ever);
        failed = real::try_lock(m);
    }
    return failed;
}

int unlock(pthread_mutex_t* m) noexcept {
    point(does::unlocks, m);
    const int failed = real::unlock(m);
    (void)wake(m, most_threads);
    return failed;
}

int wait(pthread_cond_t* c, pthread_mutex_t* m, std::int64_t until) noexcept {
    point(does::waits, c);
    (void)real::unlock(m);
    (void)wake(m, most_threads);
    const bool woken = block(does::waits, c, until);
    (void)lock(m);
    return woken ? 0 : ETIMEDOUT;
}

long on_futex(const std::uint32_t* word, int what, std::uint32_t value, const timespec* time) noexcept {
    switch (what & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET: {
            point(does::waits, word);
            if (*static_cast<const volatile std::uint32_t*>(word) != value) {
                errno = EAGAIN;
                return -1;
            }
            const bool is_absolute = (what & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
            const std::int64_t until = time == nullptr ? for_ever : is_absolute ? in_ns(*time) : after(*time);
            if (block(does::waits, word, until)) return 0;
            errno = ETIMEDOUT;
            return -1;
        }
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET: point(does::wakes, word); return wake(word, value);
        default: end_execution(verdict::wrong, "the explorer does not know this operation of futex(2)");
    }
}

}  // namespace

}  // namespace parley::explore

namespace explore = parley::explore;
namespace real = explore::real;

extern "C" {

int pthread_create(pthread_t* made, const pthread_attr_t* with, void* (*f)(void*), void* argument) noexcept {
    if (!explore::is_explored()) return real::create(made, with, f, argument);
    return explore::begin_thread(made, with, f, argument);
}
int pthread_join(pthread_t which, void** result) {
    return explore::is_explored() ? explore::join_thread(which, result) : real::join(which, result);
}
int pthread_mutex_lock(pthread_mutex_t* m) noexcept { return explore::is_explored() ? explore::lock(m) : real::lock(m); }
int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
    explore::point(explore::does::tries_lock, m);
    return real::try_lock(m);
}
int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
    return explore::is_explored() ? explore::unlock(m) : real::unlock(m);
}

int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
    return explore::is_explored() ? explore::wait(c, m, explore::for_ever) : real::wait(c, m);
}
int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* last) {
    return explore::is_explored() ? explore::wait(c, m, explore::in_ns(*last))
                                  : real::wait_until(c, CLOCK_REALTIME, m, last);
}
int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t which, const timespec* last) {
    return explore::is_explored() ? explore::wait(c, m, explore::in_ns(*last)) : real::wait_until(c, which, m, last);
}
int pthread_cond_signal(pthread_cond_t* c) noexcept {
    if (!explore::is_explored()) return real::wake_one(c);
    explore::point(explore::does::wakes, c);
    (void)explore::wake(c, 1);
    return 0;
}
int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
    if (!explore::is_explored()) return real::wake_all(c);
    explore::point(explore::does::wakes, c);
    (void)explore::wake(c, explore::most_threads);
    return 0;
}

// The words of the control are those of glibc, whose own callers look at them, too.
int pthread_once(pthread_once_t* which, void (*f)()) {
    if (!explore::is_explored()) return real::once(which, f);
    constexpr int begun = 1, done = 2;
    explore::point(explore::does::locks, which);
    while (*which == begun) (void)explore::block(explore::does::locks, which, explore::for_ever);
    if (*which == done) return 0;
    *which = begun;
    try {
        f();
    } catch (...) {
        *which = PTHREAD_ONCE_INIT;
        (void)explore::wake(which, explore::most_threads);
        throw;
    }
    *which = done;
    (void)explore::wake(which, explore::most_threads);
    return 0;
}

int sched_yield() noexcept {
    if (!explore::is_explored()) return real::yield();
    explore::yield();
    return 0;
}
int nanosleep(const timespec* so_long, timespec* left) {
    if (!explore::is_explored()) return real::sleep(so_long, left);
    explore::point(explore::does::waits, so_long);
    (void)explore::block(explore::does::waits, so_long, explore::after(*so_long));
    return 0;
}
int clock_gettime(clockid_t which, timespec* into) noexcept {
    if (!explore::is_explored()) return real::clock(which, into);
    const std::int64_t t = explore::look_at_clock();
    *into = {static_cast<time_t>(t / 1'000'000'000), static_cast<long>(t % 1'000'000'000)};
    return 0;
}
// That a thread has lost its processor is no matter of its execution.
int getrusage(__rusage_who_t who, rusage* into) noexcept {
    *into = {};
    return explore::is_explored()
               ? 0
               : static_cast<int>(real::call(SYS_getrusage, who, reinterpret_cast<long>(into), 0, 0, 0, 0));
}

long syscall(long number, ...) noexcept {
    va_list rest;
    va_start(rest, number);
    const long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long),
               e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    if (explore::is_explored()) {
        if (number == SYS_futex)
            return explore::on_futex(reinterpret_cast<const std::uint32_t*>(a), static_cast<int>(b),
                                     static_cast<std::uint32_t>(c), reinterpret_cast<const timespec*>(d));
        if (number == SYS_rt_tgsigqueueinfo) {
            if (explore::send_signal(static_cast<pid_t>(b), static_cast<int>(c), *reinterpret_cast<const siginfo_t*>(d)))
                return 0;
            errno = ESRCH;
            return -1;
        }
        if (number == SYS_membarrier) explore::point(explore::does::gives_way, nullptr);
    }
    return real::call(number, a, b, c, d, e, f);
}

}  // extern "C"
