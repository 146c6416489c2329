#include <broker/daemon/connection.hpp>

#include <broker/daemon/unasked.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <poll.h>
#include <span>
#include <string_view>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <utility>

namespace parley::inline v0::broker::service {
namespace {

constexpr int peer_pidfd = 77;  // SO_PEERPIDFD, since Linux 6.5: headers may be older

bool has_hung_up(int socket) noexcept {
    pollfd one{socket, 0, 0};
    return poll(&one, 1, 0) > 0;
}

}  // namespace

connection::connection(descriptor accepted, std::shared_ptr<closing> by)
    : socket(std::move(accepted)), elsewhere(std::move(by)) {
    prepare_accepted(socket.get());
}

// A socket that is closed with packets unread in it is reset, and the other end would see that before what was sent to
// it: so they are taken first.
connection::~connection() {
    if (socket && !end_and_empty(socket.get()) && elsewhere) elsewhere->close(std::move(socket));
}

bool identify(int socket, peer& who, descriptor& pidfd) {
    ucred said{};
    socklen_t size = sizeof said;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &said, &size) != 0) return false;
    who = {said.pid, said.uid};
    int fd = -1;
    size = sizeof fd;
    if (getsockopt(socket, SOL_SOCKET, peer_pidfd, &fd, &size) == 0) {
        pidfd = descriptor(fd);
        return true;
    }
    if (errno == ESRCH || errno == EINVAL || errno == ENODATA) return false;  // it has ended
    if (errno == EMFILE || errno == ENFILE) return false;
    pidfd = descriptor(static_cast<int>(syscall(SYS_pidfd_open, said.pid, 0)));
    // Still connected afterwards: then the number was still that process's.
    return pidfd && !has_hung_up(socket);
}

bool send_packet(int socket, const void* packet, std::size_t size, std::span<const int> files) noexcept {
    iovec one{const_cast<void*>(packet), size};
    msghdr m{};
    m.msg_iov = &one;
    m.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
    if (!files.empty() && files.size() <= 2) {
        m.msg_control = control.data();
        m.msg_controllen = CMSG_SPACE(files.size_bytes());
        cmsghdr* const head = CMSG_FIRSTHDR(&m);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(files.size_bytes());
        std::memcpy(CMSG_DATA(head), files.data(), files.size_bytes());
    }
    return sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

void send_refusal(int socket, std::string_view why) noexcept {
    refuse r;
    std::copy_n(why.begin(), std::min(why.size(), r.why.size() - 1), r.why.begin());
    send_packet(socket, r);
    shutdown(socket, SHUT_RDWR);
}

}  // namespace parley::inline v0::broker::service
