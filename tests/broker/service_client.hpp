// A broker of this process for a machine that is not there, and programs that speak to it packet by packet.
#pragma once

#include "tests/build_kind.hpp"
#include "tests/fork_at_rest.hpp"

#include <broker/client/clock.hpp>
#include <broker/client/packets.hpp>
#include <broker/daemon/daemon.hpp>
#include <broker/daemon/startup_error.hpp>
#include <broker/policy/fair_share.hpp>
#include <parley/detail/sync/versioned.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace broker_tests {

using namespace parley::broker;
using parley_tests::children_have_threads_of_their_own;
namespace service = parley::broker::service;

// Waits as long as a test may last: a limit against hanging, not a claim.
inline bool comes_true(const std::function<bool()>& what) {
    for (int i = 0; i < 40'000; ++i) {
        if (what()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

class place {
public:
    place() {
        std::string pattern = "/tmp/parley-broker-test-XXXXXX";
        directory_ = mkdtemp(pattern.data());
    }
    place(const place&) = delete;
    place& operator=(const place&) = delete;
    ~place() {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }
    [[nodiscard]] std::string directory() const { return directory_; }
    [[nodiscard]] std::string socket() const { return directory_ + "/s"; }

private:
    std::string directory_;
};

inline constexpr nanoseconds never = 3'600'000'000'000;

// The system knows nothing of run times: this process does not run on the cores that it says it has.
inline std::optional<nanoseconds> unknown(pid_t, int) noexcept { return std::nullopt; }
inline std::optional<nanoseconds> of_others(pid_t pid, int pidfd) noexcept {
    return pid == getpid() ? std::nullopt : service::run_time(pid, pidfd);
}

// Quanta that never end: programs are not judged, and what they hold follows from who is there.
inline service::settings calm(const place& at, const char* machine = "synthetic:l3:2 core:4 pu:1") {
    service::settings s;
    s.socket = at.socket();
    s.here = service::look_at_machine({.topology = machine, .sections = "caches"});
    s.how = std::make_shared<fair_share>();
    s.steps = {.sample = never, .quantum = never};
    s.ran = s.ran_in_tree = unknown;
    return s;
}
// With a sanitizer, threads must rest for as long as fork() takes.
inline constexpr nanoseconds slowness = parley_tests::is_sanitized ? 8 : 1;
inline service::settings quick(const place& at, const char* machine = "synthetic:l3:2 core:4 pu:1") {
    service::settings s = calm(at, machine);
    // Not this process's own threads.
    s.steps = {.sample = 2'000'000 * slowness, .quantum = 5'000'000 * slowness, .moves = false, .asleep_after = 0};
    return s;
}

inline hello greeting(std::uint32_t most = 64, const char* name = "test") {
    hello h;
    h.most = most;
    h.allowed.fill(~std::uint64_t{0});
    std::strncpy(h.name.data(), name, h.name.size() - 1);
    return h;
}

class client {
public:
    client() = default;
    explicit client(const std::string& path) { connect_to(path); }
    client(client&& other) noexcept
        : socket_(std::move(other.socket_)),
          down_(std::exchange(other.down_, nullptr)),
          up_(std::exchange(other.up_, nullptr)),
          files_(std::move(other.files_)) {}
    // Children of this process may have a copy of the socket.
    ~client() {
        if (socket_) shutdown(socket_.get(), SHUT_RDWR);
        if (down_ != nullptr) munmap(down_, sizeof(allotment_page));
        if (up_ != nullptr) munmap(up_, sizeof(feedback_page));
    }

    bool connect_to(const std::string& path) {
        socket_ = descriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        sockaddr_un a{};
        a.sun_family = AF_UNIX;
        std::strncpy(a.sun_path, path.c_str(), sizeof a.sun_path - 1);
        const timeval longest{40, 0};
        setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
        return connect(socket_.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0;
    }
    template <class Packet>
    bool say(const Packet& p) {
        return send(socket_.get(), &p, sizeof p, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof p);
    }
    bool say(const std::string& bytes) { return send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) >= 0; }

    struct packet {
        std::array<std::byte, 1024> bytes{};
        std::size_t size = 0;
        template <class P>
        [[nodiscard]] P as() const {
            P p;
            std::memcpy(&p, bytes.data(), sizeof p);
            return p;
        }
        [[nodiscard]] packet_type type() const { return as<packet_head>().type; }
    };
    // None: the other end has hung up.
    std::optional<packet> hear() {
        packet p;
        iovec one{p.bytes.data(), p.bytes.size()};
        alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
        msghdr m{};
        m.msg_iov = &one;
        m.msg_iovlen = 1;
        m.msg_control = control.data();
        m.msg_controllen = control.size();
        const ssize_t n = recvmsg(socket_.get(), &m, MSG_CMSG_CLOEXEC);
        if (n <= 0) return std::nullopt;
        p.size = static_cast<std::size_t>(n);
        if (const cmsghdr* const c = CMSG_FIRSTHDR(&m); c != nullptr && c->cmsg_type == SCM_RIGHTS) {
            std::array<int, 2> fds{};
            std::memcpy(fds.data(), CMSG_DATA(c), sizeof fds);
            files_ = {descriptor(fds[0]), descriptor(fds[1])};
        }
        return p;
    }
    // The refusal's reason, then the end; else empty.
    std::string hear_refusal() {
        const std::optional<packet> p = hear();
        if (!p || p->type() != packet_type::refuse || hear()) return {};
        return p->as<refuse>().why.data();
    }

    bool join(const hello& h = greeting()) { return say(h) && get_welcome(); }
    bool get_welcome() {
        const std::optional<packet> p = hear();
        if (!p || p->type() != packet_type::welcome || !files_.first) return false;
        down_ = mmap(nullptr, sizeof(allotment_page), PROT_READ, MAP_SHARED, files_.first.get(), 0);
        up_ = mmap(nullptr, sizeof(feedback_page), PROT_READ | PROT_WRITE, MAP_SHARED, files_.second.get(), 0);
        if (down_ == MAP_FAILED) down_ = nullptr;
        if (up_ == MAP_FAILED) up_ = nullptr;
        return down_ != nullptr && up_ != nullptr;
    }

    [[nodiscard]] const allotment_page& page() const { return *static_cast<const allotment_page*>(down_); }
    [[nodiscard]] feedback_page& feedback() const { return *static_cast<feedback_page*>(up_); }
    [[nodiscard]] std::uint64_t mask() const {
        std::uint64_t m = 0;
        while (!parley::sync::copy_whole(page().generation, 1, [&] { m = page().alone[0] | page().shared[0]; })) {}
        return m;
    }
    [[nodiscard]] int cores() const { return std::popcount(mask()); }
    bool gets(int n) const {
        return comes_true([&] { return cores() == n; });
    }
    // Each of n workers says that it has worked from now on, and does so.
    void works(std::uint32_t n) const {
        for (std::uint32_t i = 0; i < n; ++i)
            parley::sync::write_whole(feedback().lines[i].version, [&] {
                feedback().lines[i].since = now();
                feedback().lines[i].core = i;
                feedback().lines[i].state = static_cast<std::uint32_t>(worker_state::useful);
            });
        feedback().workers = n;
    }

    [[nodiscard]] int socket() const { return socket_.get(); }
    [[nodiscard]] const std::pair<descriptor, descriptor>& files() const { return files_; }

private:
    descriptor socket_;
    void* down_ = nullptr;
    void* up_ = nullptr;
    std::pair<descriptor, descriptor> files_;
};

// Whoever calls this ends with its parent, one that has ended before the call included: nobody is left behind who runs on
// and keeps the test's output open.
inline void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

// A process that does this and then waits for its end.
class child {
public:
    explicit child(const std::function<void()>& what) {
        const pid_t parent = getpid();
        pid_ = parley_tests::fork_at_rest();
        if (pid_ != 0) return;
        end_with(parent);
        what();
        for (;;) pause();
    }
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child() { kill_it(); }
    void kill_it() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        wait_for_it();
    }
    int wait_for_it() {
        int status = 0;
        waitpid(std::exchange(pid_, -1), &status, 0);
        return status;
    }
    [[nodiscard]] bool is_alive() const {
        siginfo_t ended{};
        return waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
    }
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    pid_t pid_ = -1;
};

// How many processors a thread may use.
inline int processors_of(pid_t thread) {
    cpu_set_t set{};
    return sched_getaffinity(thread, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}
// Whether each thread of a process may use so many.
inline bool all_threads_have(pid_t process, int processors) {
    std::error_code failed;
    for (std::filesystem::directory_iterator i("/proc/" + std::to_string(process) + "/task", failed), end;
         !failed && i != end; i.increment(failed))
        if (processors_of(std::stoi(i->path().filename())) != processors) return false;
    return !failed;
}

// After its end all sections of a broker know the same, and it is true.
inline void expect_agreement(service::daemon& d, std::uint32_t sections) {
    d.stop();
    const knowledge& first = d.at(0).known();
    for (section_id s = 0; s < sections; ++s) {
        const knowledge& k = d.at(s).known();
        EXPECT_TRUE(k.who.agrees_with(first.who)) << "replica " << s;
        EXPECT_EQ(k.rows.rows(), first.rows.rows()) << "replica " << s;
        EXPECT_EQ(k.rows.ending(), 0u);
        for (const auto& [p, state] : k.led) EXPECT_FALSE(state.asked) << "a request is lost";
    }
    for (const auto& [p, row] : first.rows.rows()) {
        std::uint32_t leaders = 0;
        for (section_id s = 0; s < sections; ++s) leaders += d.at(s).leads(p) ? 1u : 0u;
        EXPECT_EQ(leaders, 1u) << "program " << p;
    }
}

}  // namespace broker_tests
