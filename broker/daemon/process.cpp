#include <broker/daemon/process.hpp>

#include <broker/client/clock.hpp>
#include <broker/daemon/process_folder.hpp>

#include <cstring>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <time.h>

namespace parley::inline v0::broker::service {
namespace {

cpu_set_t set_of(const core_set& words) noexcept {
    static_assert(sizeof(cpu_set_t) == sizeof(core_set));
    cpu_set_t set;
    std::memcpy(&set, words.data(), sizeof set);
    return set;
}

}  // namespace

bool has_ended(int pidfd) noexcept {
    pollfd one{pidfd, POLLIN, 0};
    return poll(&one, 1, 0) > 0;
}

std::optional<nanoseconds> run_time(pid_t pid, int pidfd) noexcept {
    clockid_t clock = 0;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0) return std::nullopt;
    const nanoseconds ran = read_clock(clock);
    return has_ended(pidfd) ? std::nullopt : std::optional(ran);
}

void confine_thread(pid_t thread, const core_set& to, confined& done) noexcept {
    const cpu_set_t set = set_of(to);
    cpu_set_t is{}, both{};
    if (sched_getaffinity(thread, sizeof is, &is) != 0) return;  // it has ended
    CPU_AND(&both, &is, &set);
    if (CPU_EQUAL(&both, &is)) return;
    const bool moves = sched_setaffinity(thread, sizeof set, &set) == 0;
    ++(moves ? done.moved : done.refused);
}

void set_thread_free(pid_t thread, const core_set& from, const core_set& to) noexcept {
    const cpu_set_t narrow = set_of(from);
    const cpu_set_t wide = set_of(to);
    cpu_set_t is{};
    if (sched_getaffinity(thread, sizeof is, &is) == 0 && CPU_EQUAL(&is, &narrow))
        sched_setaffinity(thread, sizeof wide, &wide);
}

confined confine(pid_t pid, int pidfd, const core_set& to, long from_thread) noexcept {
    confined done;
    // Open before the look at the pidfd: so it is the folder of the process that is meant.
    const process_folder folder(pid);
    if (!folder || has_ended(pidfd)) return done;
    done.next = folder.for_threads(most_threads, from_thread, [&](pid_t t) { confine_thread(t, to, done); });
    return done;
}

long set_free(pid_t pid, int pidfd, const core_set& from, const core_set& to, long from_thread) noexcept {
    const process_folder folder(pid);
    if (!folder || has_ended(pidfd)) return 0;
    return folder.for_threads(most_threads, from_thread, [&](pid_t t) { set_thread_free(t, from, to); });
}

}  // namespace parley::inline v0::broker::service
