// A process for system calls that this one must not make: they may wait without end, or need another umask.
#pragma once

#include <cerrno>
#include <csignal>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::inline v0::broker::service {

// Returns twice, like fork(), but runs nothing that fork() runs. Other threads may hold any lock at that moment: the new
// process makes system calls only, and ends with end_bare_process(). Its end sends no signal.
[[nodiscard]] inline pid_t start_bare_process() noexcept {
    return static_cast<pid_t>(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr));
}

[[noreturn]] inline void end_bare_process(int status) noexcept {
    for (;;) syscall(SYS_exit_group, status);
}

// As waitpid(), which finds a process that sends no signal only if it is asked for all kinds.
inline pid_t wait_for_bare_process(pid_t who, int& status, int flags = 0) noexcept {
    pid_t ended = -1;
    do ended = waitpid(who, &status, flags | __WALL);
    while (ended < 0 && errno == EINTR);
    return ended;
}

}  // namespace parley::inline v0::broker::service
