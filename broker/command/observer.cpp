#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "broker/command/picture.hpp"
#include "command/usage.hpp"

namespace parley_cli {
namespace {

using namespace parley::broker;

constexpr std::size_t longest = sizeof(cores_row);
using buffer = std::array<std::byte, longest>;

template <class Packet>
Packet read_as(const buffer& bytes, std::size_t size) {
    if (size != sizeof(Packet)) {
        throw std::runtime_error("what answers is not a broker of this version");
    }
    Packet p;
    std::memcpy(&p, bytes.data(), sizeof p);
    return p;
}

std::size_t receive(int socket, buffer& into) {
    for (;;) {
        const ssize_t n = recv(socket, into.data(), into.size(), 0);
        if (n > 0) {
            return static_cast<std::size_t>(n);
        }
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            throw std::runtime_error("the broker does not answer");
        }
        if (n == 0 || errno != EINTR) {
            throw std::runtime_error("the broker has gone");
        }
    }
}

void add_cores(picture& p, const cores_row& row) {
    const std::size_t count = std::min<std::size_t>(row.count, row.cores.size());
    for (std::size_t i = 0; i < count; ++i) {
        p.cores.push_back({row.section, row.cores[i]});
    }
}

}  // namespace

observer::observer(const std::string& path) : socket_(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const bool fits = path.size() < sizeof address.sun_path;
    std::memcpy(address.sun_path, path.data(), fits ? path.size() : 0);
    const timeval patience{5, 0};
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);  // connecting may take as long
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!fits || connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = fits ? errno : ENAMETOOLONG;
        close(socket_);
        if (error == EAGAIN) {
            throw usage_error(fmt::format("the broker at {} does not answer", path));
        }
        throw usage_error(fmt::format("no broker at {} ({}); one is started by: parley broker", path, std::strerror(error)));
    }
}

observer::~observer() { close(socket_); }

bool observer::is_trusted() const noexcept {
    ucred owner{};
    socklen_t size = sizeof owner;
    return getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0 && (owner.uid == 0 || owner.uid == geteuid());
}

picture observer::look(std::uint32_t events) {
    const observe wish{.events = events};
    // A refusal may have come already: that is what is read then.
    (void)send(socket_, &wish, sizeof wish, MSG_NOSIGNAL);
    picture p;
    buffer bytes{};
    for (;;) {
        const std::size_t size = receive(socket_, bytes);
        packet_head head;
        row_kind kind{};
        if (size < sizeof head + sizeof kind) {
            throw std::runtime_error("what answers is not a broker");
        }
        std::memcpy(&head, bytes.data(), sizeof head);
        std::memcpy(&kind, bytes.data() + sizeof head, sizeof kind);
        if (head.type == packet_type::refuse) {
            const auto r = read_as<refuse>(bytes, size);
            throw std::runtime_error(fmt::format("the broker refuses: {}",
                                                 std::string(r.why.begin(), std::find(r.why.begin(), r.why.end(), '\0'))));
        }
        switch (kind) {
            case row_kind::machine: p.machine = read_as<machine_row>(bytes, size); break;
            case row_kind::program: p.programs.push_back(read_as<program_row>(bytes, size)); break;
            case row_kind::cores: add_cores(p, read_as<cores_row>(bytes, size)); break;
            case row_kind::event: p.events.push_back(read_as<event_row>(bytes, size)); break;
            case row_kind::end:
                std::stable_sort(p.events.begin(), p.events.end(),
                                 [](const auto& a, const auto& b) { return a.when < b.when; });
                std::sort(p.programs.begin(), p.programs.end(),
                          [](const auto& a, const auto& b) { return a.program < b.program; });
                return p;
        }
    }
}

}  // namespace parley_cli
