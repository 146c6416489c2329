#include <parley/detail/sync/futex.hpp>

#include <parley/detail/sync/atomic.hpp>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::inline v0::sync {

static_assert(sizeof(atomic<std::uint32_t>) == sizeof(std::uint32_t));

void futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    const int saved = errno;
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
    errno = saved;  // the caller may be inside user code that looks at errno
}

void futex_wait_for(const atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds longest) noexcept {
    const int saved = errno;
    timespec relative{};
    relative.tv_sec = static_cast<time_t>(longest.count() / 1'000'000'000);
    relative.tv_nsec = static_cast<long>(longest.count() % 1'000'000'000);
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, &relative, nullptr, 0);
    errno = saved;
}

void futex_wake(const atomic<std::uint32_t>& word, int count) noexcept {
    const int saved = errno;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
    errno = saved;
}

}  // namespace parley::inline v0::sync
