// A program's end of the service: its socket and its process.
#pragma once

#include <broker/client/descriptor.hpp>
#include <broker/client/packets.hpp>
#include <broker/daemon/closing.hpp>
#include <broker/policy/ids.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace parley::inline v0::broker::service {

struct peer {
    pid_t pid = 0;
    user_id user = 0;
};

// Who is at the other end, as the system says. Not, if it has gone.
[[nodiscard]] bool identify(int socket, peer&, descriptor& pidfd);

// The destructor ends the connection, and waits for nothing that the other end has sent. No epoll may watch the socket
// any more by then: another process may have it for a while, and events would go on.
struct connection {
    connection() = default;
    connection(descriptor accepted, std::shared_ptr<closing>);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();

    descriptor socket;
    descriptor process;  // pidfd; none on systems that have none
    peer who;
    std::shared_ptr<closing> elsewhere;
};

// Never waits. Returns whether it was sent: not, if the other end does not read.
bool send_packet(int socket, const void* packet, std::size_t size, std::span<const int> files = {}) noexcept;
template <class Packet>
bool send_packet(int socket, const Packet& packet, std::span<const int> files = {}) noexcept {
    return send_packet(socket, &packet, sizeof packet, files);
}

// Says why, so that it can be read after the connection has ended, and ends it.
void send_refusal(int socket, std::string_view why) noexcept;

}  // namespace parley::inline v0::broker::service
