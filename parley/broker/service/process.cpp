#include <parley/broker/service/process.hpp>

#include <parley/broker/clock.hpp>

#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <memory>
#include <poll.h>
#include <sched.h>
#include <string>
#include <time.h>

namespace parley::inline v0::broker::service {
namespace {

struct closer {
    void operator()(DIR* d) const noexcept { closedir(d); }
};

template <class F>
void for_each_thread(pid_t pid, int pidfd, F&& f) noexcept {
    const std::unique_ptr<DIR, closer> tasks(opendir(("/proc/" + std::to_string(pid) + "/task").c_str()));
    // Open before the look at the pidfd: so it is the directory of the process that is meant.
    if (!tasks || has_ended(pidfd)) return;
    while (const dirent* entry = readdir(tasks.get()))
        if (const long thread = std::strtol(entry->d_name, nullptr, 10); thread > 0) f(static_cast<pid_t>(thread));
}

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

confined confine(pid_t pid, int pidfd, const core_set& to) noexcept {
    const cpu_set_t set = set_of(to);
    confined done;
    for_each_thread(pid, pidfd, [&](pid_t thread) {
        cpu_set_t is{}, both{};
        if (sched_getaffinity(thread, sizeof is, &is) != 0) return;  // it has ended
        CPU_AND(&both, &is, &set);
        if (CPU_EQUAL(&both, &is)) return;
        const bool moves = sched_setaffinity(thread, sizeof set, &set) == 0;
        ++(moves ? done.moved : done.refused);
    });
    return done;
}

void set_free(pid_t pid, int pidfd, const core_set& from, const core_set& to) noexcept {
    const cpu_set_t narrow = set_of(from);
    const cpu_set_t wide = set_of(to);
    for_each_thread(pid, pidfd, [&](pid_t thread) {
        cpu_set_t is{};
        if (sched_getaffinity(thread, sizeof is, &is) == 0 && CPU_EQUAL(&is, &narrow))
            sched_setaffinity(thread, sizeof wide, &wide);
    });
}

}  // namespace parley::inline v0::broker::service
