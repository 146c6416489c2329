// fork() while no other thread of this process is on its way through anything.
//
// A child has only the thread that called fork(), and every lock as it stood. glibc takes its own around fork(); the
// sanitizers' runtimes (g++ 12) keep what other threads held in their allocator and their table of stacks, and a child
// that comes to such a lock waits forever.
#pragma once

#include "tests/build_kind.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace parley_tests {

// How often each other thread of this process has been given a processor; nothing if one of them is not asleep, or the
// system does not count. The count is read before the state: who runs later counts once more.
inline std::optional<std::map<std::string, std::uint64_t>> sleepers() {
    std::map<std::string, std::uint64_t> all;
    const std::string itself = std::to_string(gettid());
    std::error_code failed;
    for (std::filesystem::directory_iterator i("/proc/self/task", failed), end; !failed && i != end; i.increment(failed)) {
        if (i->path().filename() == itself) continue;
        std::uint64_t ran = 0, waited = 0, times = 0;
        if (!(std::ifstream(i->path() / "schedstat") >> ran >> waited >> times)) return std::nullopt;
        std::string line;
        std::getline(std::ifstream(i->path() / "stat"), line);
        const std::size_t name_ends = line.rfind(") ");
        if (name_ends == std::string::npos || line[name_ends + 2] != 'S') return std::nullopt;
        all.emplace(i->path().filename(), times);
    }
    if (failed) return std::nullopt;
    return all;
}

inline bool has_lost_threads = false;  // this process is a child of fork_at_rest(): see leaks_after_fork.cpp

// As fork(). With a sanitizer the child goes on once it is known that all other threads slept from before to after; one
// for which that is not so is ended, and another one made. If they never rest at the same time, it is a plain fork().
inline pid_t fork_at_rest() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(is_sanitized ? 300 : 0);
    for (; std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(std::chrono::microseconds(100))) {
        const auto before = sleepers();
        int ends[2] = {};
        if (!before || ::pipe2(ends, O_CLOEXEC) != 0) continue;
        const pid_t made = ::fork();
        if (made == 0) {
            ::close(ends[1]);
            char go = 0;
            while (::read(ends[0], &go, 1) < 0 && errno == EINTR) {}
            if (go == 0) _exit(1);
            ::close(ends[0]);
            has_lost_threads = true;
            return 0;
        }
        ::close(ends[0]);
        const char go = made > 0 && sleepers() == before ? 1 : 0;
        const bool is_told = go != 0 && ::write(ends[1], &go, 1) == 1;
        ::close(ends[1]);
        if (is_told || made < 0) return made;
        ::kill(made, SIGKILL);  // it may stand at such a lock already
        ::waitpid(made, nullptr, 0);
    }
    const pid_t made = ::fork();
    has_lost_threads = has_lost_threads || made == 0;
    return made;
}

}  // namespace parley_tests
