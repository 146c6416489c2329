#include <broker/client/realtime_priority.hpp>

#include <cerrno>
#include <cstdint>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::inline v0::broker {

namespace {

// struct sched_attr as sched_setattr(2) has it; the headers of older systems do not.
struct attributes {
    std::uint32_t size = 48;
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 0;  // of SCHED_OTHER: the slice, in nanoseconds
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
};
static_assert(sizeof(attributes) == 48);

constexpr std::uint64_t slice = 100'000;  // the shortest that there is

}  // namespace

void use_realtime_priority() noexcept {
    if (sched_getscheduler(0) != SCHED_OTHER) return;
    attributes a;
    errno = 0;
    a.nice = getpriority(PRIO_PROCESS, 0);
    if (errno != 0) return;
    a.runtime = slice;
    syscall(SYS_sched_setattr, 0, &a, 0);
}

}  // namespace parley::inline v0::broker
