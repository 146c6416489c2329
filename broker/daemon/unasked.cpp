#include <broker/daemon/unasked.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>
#include <sys/socket.h>

namespace parley::inline v0::broker::service {
namespace {

constexpr int pass_descriptors = 83;  // SO_PASSRIGHTS, since Linux 6.16: headers may be older
constexpr int pass_pidfd = 76;        // SO_PASSPIDFD, since Linux 6.5
constexpr int most_unread = 64;       // packets that are looked through: others wait meanwhile

void set(int socket, int option, int value) noexcept { setsockopt(socket, SOL_SOCKET, option, &value, sizeof value); }

// There is room for who the sender is and for nothing else: if anything is cut off, the packet has descriptors.
packet_taken peek(int socket, std::span<std::byte> room) noexcept {
    iovec bytes{room.data(), room.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> sender{};
    msghdr m{};
    m.msg_iov = &bytes;
    m.msg_iovlen = 1;
    m.msg_control = sender.data();
    m.msg_controllen = sender.size();
    const ssize_t size = recvmsg(socket, &m, MSG_PEEK | MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0) return {};
    return {size, size > 0 || m.msg_controllen > 0, (m.msg_flags & MSG_CTRUNC) != 0};
}

}  // namespace

void want_no_descriptors(int listening) noexcept { set(listening, pass_descriptors, 0); }

void prepare_accepted(int socket) noexcept {
    want_no_descriptors(socket);
    // Each packet says who sent it then; the end of the connection does not.
    set(socket, SO_PASSCRED, 1);
    // A listening socket that was given may have had these set, and they would need room.
    set(socket, SO_PASSSEC, 0);
    set(socket, pass_pidfd, 0);
}

// While the packet is in the socket it keeps what came with it: looking at it closes nothing.
packet_taken take_packet(int socket, std::span<std::byte> room) noexcept {
    const packet_taken found = peek(socket, room);
    if (!found.is_packet || found.has_descriptors) return found;
    std::byte rest{};
    recv(socket, &rest, sizeof rest, MSG_DONTWAIT | MSG_TRUNC);
    return found;
}

bool end_and_empty(int socket) noexcept {
    shutdown(socket, SHUT_RDWR);  // what is sent from now on is refused
    std::array<std::byte, 1> room{};
    for (int i = 0; i < most_unread; ++i) {
        const packet_taken p = take_packet(socket, room);
        if (p.has_descriptors) return false;
        if (p.size == 0 && !p.is_packet) return true;
    }
    return false;
}

}  // namespace parley::inline v0::broker::service
