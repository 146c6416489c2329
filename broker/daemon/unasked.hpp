// Descriptors that come over a stranger's socket though nobody asked for them (SCM_RIGHTS). The last close of a file may
// take as long as the stranger likes: a TCP socket lingers, a file system in user space does not answer. A thread that
// others wait for must therefore neither receive such a packet nor close a socket that holds one.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace parley::inline v0::broker::service {

// Since Linux 6.16 the system refuses such packets at the sender. It keeps those that were sent before. A socket that is
// accepted inherits the refusal from the socket that listens, so no packet can come in between.
void want_no_descriptors(int listening) noexcept;
// Also makes the socket say who sent a packet, which take_packet() needs.
void prepare_accepted(int socket) noexcept;

struct packet_taken {
    ssize_t size = -1;             // as recv() with MSG_TRUNC says; -1: errno says why there is none
    bool is_packet = false;        // tells an empty packet from the end of the connection: both have size 0
    bool has_descriptors = false;  // the packet is still in the socket
};
// Does as recv(), but a packet with descriptors stays in the socket. Never waits. One thread at a time may call it.
packet_taken take_packet(int socket, std::span<std::byte> room) noexcept;

inline constexpr std::string_view no_descriptors = "descriptors came that nobody asked for";

// Ends the connection and takes what is unread. Returns whether it can be closed at once: nothing with descriptors is in
// it, and nothing comes any more.
[[nodiscard]] bool end_and_empty(int socket) noexcept;

}  // namespace parley::inline v0::broker::service
