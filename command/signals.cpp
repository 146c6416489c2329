#include "command/signals.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>

namespace parley_cli {
namespace {

// A task that does not poll gets this long; the command has to end within a second.
constexpr std::chrono::milliseconds grace{500};
constexpr std::chrono::milliseconds between_reminders{20};

sigset_t watched() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR2}) {
        sigaddset(&set, signal);
    }
    return set;
}

int checked(int descriptor, const char* what) {
    if (descriptor < 0) {
        throw std::system_error(errno, std::generic_category(), what);
    }
    return descriptor;
}

bool is_readable(int descriptor, int timeout_ms) {
    pollfd one{descriptor, POLLIN, 0};
    return poll(&one, 1, timeout_ms) > 0;
}

struct asked {
    bool end = false;
    bool dump = false;
};

// All that is pending: the end comes first there, by its number, and would hide a question asked before it.
asked pending_signals(int signals) {
    asked found;
    signalfd_siginfo info{};
    while (read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        (info.ssi_signo == SIGUSR2 ? found.dump : found.end) = true;
    }
    return found;
}

}  // namespace

void block_watched_signals() {
    const sigset_t set = watched();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

signal_watcher::signal_watcher(actions what) : what_(std::move(what)) {
    const sigset_t set = watched();
    signals_ = checked(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
    ended_ = checked(eventfd(0, EFD_CLOEXEC), "eventfd");
    thread_ = std::thread([this] { watch(); });
}

signal_watcher::~signal_watcher() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(ended_, &one, sizeof one);
    thread_.join();
    close(ended_);
    close(signals_);
}

void signal_watcher::watch() {
    const int timeout = what_.tick_every.count() > 0 ? static_cast<int>(what_.tick_every.count()) : -1;
    for (;;) {
        std::array<pollfd, 2> both{{{ended_, POLLIN, 0}, {signals_, POLLIN, 0}}};
        const int ready = poll(both.data(), both.size(), timeout);
        if (both[0].revents != 0) {
            return;
        }
        if (ready == 0) {
            what_.tick();
        } else if (both[1].revents != 0) {
            const asked by_signals = pending_signals(signals_);
            if (by_signals.dump) what_.dump();
            if (by_signals.end) {
                wait_for_the_end();
                return;
            }
        }
    }
}

void signal_watcher::wait_for_the_end() {
    const auto deadline = std::chrono::steady_clock::now() + grace;
    do {
        what_.interrupt();
        if (is_readable(ended_, static_cast<int>(between_reminders.count()))) {
            return;
        }
    } while (std::chrono::steady_clock::now() < deadline || is_to_wait_for_writing());
    what_.give_up();
}

// False, too, if somebody asks again: they do not want to wait for the file.
bool signal_watcher::is_to_wait_for_writing() {
    if (!what_.is_writing || !what_.is_writing()) {
        return false;
    }
    const asked again = pending_signals(signals_);
    if (again.dump) what_.dump();
    return !again.end;
}

}  // namespace parley_cli
