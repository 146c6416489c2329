// A descriptor whose last close waits, and the ways to send one to a broker.
#pragma once

#include "tests/broker/service_client.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <span>
#include <string_view>
#include <vector>

namespace broker_tests {

// A TCP socket with unsent data that lingers: who closes it waits as long as the other end reads nothing.
class lingering {
public:
    lingering() {
        const descriptor listens(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof a;
        bind(listens.get(), reinterpret_cast<const sockaddr*>(&a), size);
        listen(listens.get(), 1);
        getsockname(listens.get(), reinterpret_cast<sockaddr*>(&a), &size);
        end_ = descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        connect(end_.get(), reinterpret_cast<const sockaddr*>(&a), size);
        other_ = descriptor(accept4(listens.get(), nullptr, nullptr, SOCK_CLOEXEC));
        const std::vector<char> much(1 << 16);
        while (send(end_.get(), much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {}
        const linger longest{1, 3600};
        setsockopt(end_.get(), SOL_SOCKET, SO_LINGER, &longest, sizeof longest);
    }

    // Its last descriptor here goes with the packet. Returns whether it was sent.
    bool goes_with(std::string_view packet, int socket) {
        const int file = end_.get();
        iovec one{const_cast<char*>(packet.data()), packet.size()};
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof file)> control{};
        msghdr m{};
        m.msg_iov = &one;
        m.msg_iovlen = 1;
        m.msg_control = control.data();
        m.msg_controllen = control.size();
        cmsghdr* const head = CMSG_FIRSTHDR(&m);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof file);
        std::memcpy(CMSG_DATA(head), &file, sizeof file);
        const bool is_sent = sendmsg(socket, &m, MSG_NOSIGNAL) == static_cast<ssize_t>(packet.size());
        const int error = errno;
        if (is_sent) end_.reset();
        errno = error;
        return is_sent;
    }

    // Whether it is closed in the end; reads what it holds back.
    [[nodiscard]] bool gets_closed() const {
        std::vector<char> much(1 << 16);
        return comes_true([&] {
            ssize_t n = 1;
            while (n > 0) n = recv(other_.get(), much.data(), much.size(), MSG_DONTWAIT);
            return n == 0;
        });
    }
    // Who waits for it waits no more.
    void let_go() { other_.reset(); }

private:
    descriptor end_, other_;
};

template <class Packet>
std::string_view bytes_in(const Packet& p) {
    return {reinterpret_cast<const char*>(&p), sizeof p};
}

// A socket that listens before the broker does, and does not refuse descriptors: what was sent to it is there already.
inline descriptor early_socket(const std::string& path) {
    descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::strncpy(a.sun_path, path.c_str(), sizeof a.sun_path - 1);
    const bool listens =
        bind(socket.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0 && listen(socket.get(), 8) == 0;
    return listens ? std::move(socket) : descriptor();
}

}  // namespace broker_tests
