#include <broker/daemon/closing.hpp>

#include <broker/daemon/bare_process.hpp>
#include <broker/daemon/startup_error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iterator>
#include <mutex>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds shortest_pause = 10ms, longest_pause = 1s;  // between looks at who has not ended

void close_from_to(unsigned first, unsigned last) noexcept {
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
    rlimit open_files{};
    getrlimit(RLIMIT_NOFILE, &open_files);
    for (rlim_t i = first; i <= last && i < open_files.rlim_cur; ++i) ::close(static_cast<int>(i));
}

// This is what the new process does. `kept` is in ascending order. All other descriptors are closed at once: while the
// new process waits, a socket of the broker's that it kept open would make the broker look alive.
[[noreturn]] void end_with_them(const std::vector<int>& kept, int there) noexcept {
    unsigned next = 0;
    for (const int k : kept) {
        if (static_cast<unsigned>(k) > next) close_from_to(next, static_cast<unsigned>(k) - 1);
        next = static_cast<unsigned>(k) + 1;
    }
    close_from_to(next, ~0u);
    char go = 0;
    syscall(SYS_write, there, &go, 1);
    syscall(SYS_read, there, &go, 1);  // ends when the other process has closed its own, or has ended
    end_bare_process(0);
}

}  // namespace

closing::closing() {
    if (!prepare()) throw startup_error("no descriptors left: " + system_says());
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::exception& e) {
        throw startup_error(std::string("cannot start a thread: ") + e.what());
    }
}

closing::~closing() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    something_new_.notify_one();
    thread_.join();
}

void closing::close(descriptor socket) noexcept {
    const std::lock_guard lock(mutex_);
    held_.push_back(std::move(socket));
    something_new_.notify_one();
}

bool closing::are_enough() const noexcept {
    constexpr std::size_t most_doublings = 16;
    const std::size_t enough = std::size_t{1} << std::min(processes_.size(), most_doublings);
    return !held_.empty() && held_.size() >= std::min(enough, most_held);
}

void closing::run() {
    std::unique_lock lock(mutex_);
    for (auto pause = shortest_pause;; pause = std::min(pause * 2, longest_pause)) {
        const auto has_work = [this] { return ends_ || are_enough(); };
        if (held_.empty() && processes_.empty()) something_new_.wait(lock, has_work);
        else something_new_.wait_for(lock, pause, has_work);
        forget_ended();
        if (!are_enough() && (!ends_ || held_.empty())) {
            if (ends_) break;
            continue;
        }
        std::vector<descriptor> sockets = std::exchange(held_, {});
        lock.unlock();
        const bool is_done = hand_over(sockets);
        if (!is_done) std::this_thread::sleep_for(shortest_pause);
        lock.lock();
        std::move(sockets.begin(), sockets.end(), std::back_inserter(held_));
        if (ends_) break;
        pause = shortest_pause / 2;
    }
    lock.unlock();
    for (int i = 0; i < 10 && !processes_.empty(); ++i, forget_ended()) std::this_thread::sleep_for(shortest_pause);
    // The system gave no process for those that are left. The end of this process closes them.
    for (descriptor& d : held_) [[maybe_unused]]
        const int open = d.release();
}

bool closing::prepare() noexcept {
    if (here_) return true;
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    here_ = descriptor(ends[0]);
    there_ = descriptor(ends[1]);
    return true;
}

bool closing::hand_over(std::vector<descriptor>& sockets) {
    if (!prepare()) return false;
    std::vector<int> kept{there_.get()};
    for (const descriptor& d : sockets) kept.push_back(d.get());
    std::sort(kept.begin(), kept.end());
    const pid_t process = start_bare_process();
    if (process < 0) return false;
    if (process == 0) end_with_them(kept, there_.get());
    processes_.push_back(process);
    there_.reset();
    char go = 0;
    // The new process has closed all else by then. So it never has a socket that is handed over to a later one.
    const bool is_ready = read(here_.get(), &go, 1) == 1;
    if (is_ready) {
        sockets.clear();
        [[maybe_unused]] const ssize_t told = send(here_.get(), &go, 1, MSG_NOSIGNAL);
    }
    here_.reset();
    prepare();
    return is_ready;
}

void closing::forget_ended() noexcept {
    int status = 0;
    std::erase_if(processes_, [&](pid_t p) { return wait_for_bare_process(p, status, WNOHANG) != 0; });
}

}  // namespace parley::inline v0::broker::service
