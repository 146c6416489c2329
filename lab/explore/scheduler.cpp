#include <lab/explore/scheduler.hpp>

#include <lab/explore/real_calls.hpp>
#include <lab/explore/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace parley::explore {

namespace {

// So many steps without a wait are a loop that waits for others.
constexpr unsigned longest_run = 400;

execution* running = nullptr;
thread_local thread_of_execution* me = nullptr;

std::uint64_t draw() noexcept {
    std::uint64_t z = running->random += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

std::uint32_t number_of(const void* object) {
    return running->objects.try_emplace(object, static_cast<std::uint32_t>(running->objects.size())).first->second;
}

const char* name_of(does what) noexcept {
    constexpr std::array names{"reads", "writes", "changes", "locks",     "unlocks",    "tries to lock", "waits",
                               "wakes", "begins", "joins",   "gives way", "is blocked", "is signalled",  "ends"};
    return names[static_cast<std::size_t>(what)];
}

bool waits_for_a_time(const thread_of_execution& t) noexcept { return t.is == state::blocked && t.until != for_ever; }

unsigned bits_of(bool (*is_so)(const thread_of_execution&)) noexcept {
    unsigned bits = 0;
    for (unsigned i = 0; i < running->made; ++i)
        if (is_so(running->threads[i])) bits |= 1U << i;
    return bits;
}
unsigned ready() noexcept {
    return bits_of([](const thread_of_execution& t) { return t.is == state::ready; });
}
unsigned sleeping() noexcept { return bits_of(&waits_for_a_time); }

void is_ready(thread_of_execution& t, bool woken) noexcept {
    t.is = state::ready;
    t.woken = woken;
    t.object = nullptr;
}

void wake_those_in_time() noexcept {
    for (unsigned i = 0; i < running->made; ++i) {
        thread_of_execution& t = running->threads[i];
        if (waits_for_a_time(t) && t.until <= running->time) is_ready(t, false);
    }
}

void end_sleep_of(thread_of_execution& t) noexcept {
    if (t.is != state::blocked) return;
    running->time = std::max(running->time, t.until);
    is_ready(t, false);
}

// Nobody can go on. False: nor will anybody.
bool let_time_pass() noexcept {
    thread_of_execution* first = nullptr;
    for (unsigned i = 0; i < running->made; ++i) {
        thread_of_execution& t = running->threads[i];
        if (waits_for_a_time(t) && (first == nullptr || t.until < first->until)) first = &t;
    }
    if (first == nullptr) return false;
    end_sleep_of(*first);
    wake_those_in_time();
    return true;
}

unsigned next_after(unsigned from, unsigned among) noexcept {
    for (unsigned i = 1; i <= running->made; ++i) {
        const unsigned candidate = (from + i) % running->made;
        if ((among & (1U << candidate)) != 0) return candidate;
    }
    return from;
}

// Priorities of random executions (Burckhardt et al. 2010): the highest goes on, and at some steps sinks.
unsigned highest(unsigned among) noexcept {
    unsigned best = most_threads;
    for (unsigned i = 0; i < running->made; ++i)
        if ((among & (1U << i)) != 0 &&
            (best == most_threads || running->threads[i].priority > running->threads[best].priority))
            best = i;
    return best;
}

bool is_random() noexcept { return running->how.random.seed != 0; }

void sink(thread_of_execution& t) noexcept { t.priority = --running->lowest; }

// Of those whose bits are set in `can`.
unsigned usually_next(unsigned can, bool gives_way) noexcept {
    const unsigned self = me->number;
    const unsigned others = can & ~(1U << self);
    if (others == can || (gives_way && others != 0)) return next_after(self, others);
    return self;
}

unsigned randomly_next(unsigned can, unsigned sleep, bool gives_way) noexcept {
    constexpr unsigned rarely = 64;
    const auto& at = running->changes;
    if (gives_way || std::find(at.begin(), at.end(), running->explored_steps) != at.end()) sink(*me);
    if (sleep != 0 && draw() % rarely == 0) return static_cast<unsigned>(std::countr_zero(sleep));
    return highest(can);
}

unsigned as_scheduled(unsigned by_itself, unsigned can, unsigned sleep) noexcept {
    const schedule& all = running->how.deviations;
    if (running->next_deviation == all.size() || all[running->next_deviation].step != running->into->steps) return by_itself;
    const unsigned next = all[running->next_deviation++].thread;
    if (((can | sleep) & (1U << next)) == 0)
        end_execution(verdict::diverged, "the schedule names a thread that cannot go on there");
    return next;
}

void take_turn() noexcept {
    while (me->may_go.load(std::memory_order_acquire) == 0)
        real::sleep_on(reinterpret_cast<const std::uint32_t&>(me->may_go), 0);
    me->may_go.store(0, std::memory_order_relaxed);
    if (running->leaving == 0) return;
    while (real::call(SYS_tgkill, getpid(), running->leaving, 0, 0, 0, 0) == 0) real::yield();
    running->leaving = 0;
}

void give_turn(thread_of_execution& to) noexcept {
    to.may_go.store(1, std::memory_order_release);
    real::wake_from(reinterpret_cast<const std::uint32_t&>(to.may_go));
}

void describe_threads(char* text, std::size_t size) noexcept {
    std::size_t at = std::strlen(text);
    for (unsigned i = 0; i < running->made && at < size; ++i) {
        const thread_of_execution& t = running->threads[i];
        if (t.is != state::blocked) continue;
        at += static_cast<std::size_t>(
            std::snprintf(text + at, size - at, "\n  thread %u %s, object %u", i, name_of(t.waits_by), number_of(t.object)));
    }
}

[[noreturn]] void nobody_can_go_on() noexcept {
    std::array<char, 2048> text{"all threads wait for each other"};
    describe_threads(text.data(), text.size());
    end_execution(verdict::deadlock, text.data());
}

// Notes the step, decides who goes on, and returns when it is the caller's turn again. The caller may be blocked, or may
// have ended.
void decide(does what, const void* object, const void* where, bool gives_way) noexcept {
    execution& e = *running;
    wake_those_in_time();
    if (++e.run_length > longest_run) gives_way = true;
    unsigned can = ready();
    while (can == 0) {
        if (!let_time_pass()) nobody_can_go_on();
        can = ready();
    }
    if (e.into->steps >= e.how.most_steps) {
        std::array<char, 2048> text{"it does not end"};
        describe_threads(text.data(), text.size());
        end_execution(verdict::endless, text.data());
    }
    const unsigned sleep = sleeping();
    const unsigned by_itself = usually_next(can, gives_way);
    const unsigned next =
        is_random() && e.is_explored ? randomly_next(can, sleep, gives_way) : as_scheduled(by_itself, can, sleep);
    step& s = e.into->log[e.into->steps];
    s = {.thread = me->number,
         .what = what,
         .next = static_cast<std::uint8_t>(next),
         .by_itself = static_cast<std::uint8_t>(by_itself),
         .may_deviate = e.is_explored && !gives_way,
         .object = number_of(object),
         .ready = static_cast<std::uint16_t>(can),
         .sleeping = static_cast<std::uint16_t>(sleep),
         .where = where};
    ++e.into->steps;
    if (e.is_explored) ++e.explored_steps;
    me->where = where;
    thread_of_execution& other = e.threads[next];
    end_sleep_of(other);
    if (&other == me) return;
    e.run_length = 0;
    const bool ends = me->is == state::ended;
    give_turn(other);
    if (!ends) take_turn();
}

// By a thread that has its turn: what others have sent it meanwhile.
void hear_signals() noexcept {
    while (me->signal != 0 && !me->handles) {
        sigset_t blocked;
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
        if (sigismember(&blocked, me->signal) != 0) return;
        struct sigaction handler{};
        sigaction(me->signal, nullptr, &handler);
        siginfo_t what = me->what;
        const int number = std::exchange(me->signal, 0);
        if ((handler.sa_flags & SA_SIGINFO) == 0) continue;
        me->handles = true;
        handler.sa_sigaction(number, &what, nullptr);
        me->handles = false;
    }
}

void thread_ends(void*) noexcept {
    const int saved = errno;
    me->is = state::ended;
    running->leaving = me->in_kernel;
    wake(me, most_threads);
    decide(does::ends, me, nullptr, false);
    me = nullptr;
    errno = saved;
}

void* thread_begins(void* argument) {
    me = static_cast<thread_of_execution*>(argument);
    me->in_kernel = gettid();
    pthread_setspecific(running->end_of_thread, me);
    take_turn();
    return me->function(me->argument);
}

thread_of_execution& new_thread() noexcept {
    if (running->made == most_threads) end_execution(verdict::wrong, "too many threads");
    thread_of_execution& t = running->threads[running->made];
    t.number = static_cast<std::uint8_t>(running->made++);
    t.is = state::ready;
    t.priority = is_random() ? (draw() | (std::uint64_t{1} << 63)) : 0;
    return t;
}

[[gnu::noinline]] void step_of(does what, const void* object, const void* where, bool gives_way) noexcept {
    const int saved = errno;
    decide(what, object, where, gives_way);
    hear_signals();
    errno = saved;
}

}  // namespace

void begin_execution(report& into, const execution_settings& how) {
    static execution only;
    only.into = &into;
    only.how = how;
    only.objects.reserve(4096);
    only.random = how.random.seed;
    only.lowest = std::uint64_t{1} << 62;
    running = &only;
    pthread_key_create(&only.end_of_thread, &thread_ends);
    for (std::uint32_t i = 0; i < how.random.changes && how.random.length > 0; ++i)
        only.changes.push_back(static_cast<std::uint32_t>(draw() % how.random.length));
    thread_of_execution& first = new_thread();
    first.in_kernel = gettid();
    first.handle = pthread_self();
    me = &first;
}

void end_execution(verdict how, const char* text) noexcept {
    running->into->how = how;
    std::snprintf(running->into->text.data(), running->into->text.size(), "%s", text);
    _exit(0);
}

bool is_explored() noexcept { return me != nullptr; }

[[gnu::noinline]] void point(does what, const void* object) noexcept {
    if (me == nullptr) return;
    step_of(what, object, __builtin_return_address(0), false);
}

bool block(does what, const void* object, std::int64_t until) noexcept {
    const int saved = errno;
    me->is = state::blocked;
    me->waits_by = what;
    me->object = object;
    me->until = until;
    me->since = running->waits++;
    me->woken = false;
    running->run_length = 0;
    decide(does::is_blocked, object, me->where, false);
    const bool woken = me->woken;
    hear_signals();
    errno = saved;
    return woken;
}

unsigned wake(const void* object, unsigned most) noexcept {
    unsigned woken = 0;
    while (woken < most) {
        thread_of_execution* first = nullptr;
        for (unsigned i = 0; i < running->made; ++i) {
            thread_of_execution& t = running->threads[i];
            if (t.is == state::blocked && t.object == object && (first == nullptr || t.since < first->since)) first = &t;
        }
        if (first == nullptr) break;
        is_ready(*first, true);
        ++woken;
    }
    return woken;
}

std::int64_t now() noexcept { return running->time; }
std::int64_t look_at_clock() noexcept { return running->time += std::int64_t{running->how.look_us} * 1000; }
void yield() noexcept {
    (void)look_at_clock();  // who only waits for others lets time pass, too
    step_of(does::gives_way, me, __builtin_return_address(0), true);
}

int begin_thread(pthread_t* made, const pthread_attr_t* with, void* (*function)(void*), void* argument) {
    thread_of_execution& t = new_thread();
    t.function = function;
    t.argument = argument;
    const int failed = real::create(made, with, &thread_begins, &t);
    if (failed != 0) {
        t.is = state::ended;
        return failed;
    }
    t.handle = *made;
    step_of(does::begins_thread, &t, __builtin_return_address(0), false);
    return 0;
}

int join_thread(pthread_t which, void** result) {
    for (unsigned i = 0; i < running->made; ++i) {
        thread_of_execution& t = running->threads[i];
        if (pthread_equal(t.handle, which) == 0) continue;
        step_of(does::joins, &t, __builtin_return_address(0), false);
        while (t.is != state::ended) (void)block(does::joins, &t, for_ever);
        break;
    }
    return real::join(which, result);
}

bool send_signal(pid_t to, int number, const siginfo_t& what) noexcept {
    step_of(does::wakes, nullptr, __builtin_return_address(0), false);
    for (unsigned i = 0; i < running->made; ++i) {
        thread_of_execution& t = running->threads[i];
        if (t.in_kernel != to || t.is == state::ended) continue;
        if (t.signal == 0) t.what = what;  // the kernel merges them, and keeps what the first one said
        t.signal = number;
        if (t.is == state::blocked && t.waits_by == does::waits) is_ready(t, true);
        if (&t == me) hear_signals();
        return true;
    }
    return false;
}

void set_explored(bool on) noexcept { running->is_explored = on; }
bool others_can_go_on() noexcept { return (ready() & ~(1U << me->number)) != 0; }

}  // namespace parley::explore
