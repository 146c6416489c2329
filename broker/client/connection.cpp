#include <broker/client/connection.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

namespace {

using clock = std::chrono::steady_clock;
constexpr auto longest_answer = std::chrono::seconds(1);
constexpr int pages_sent = 2;
constexpr int most_at_once = 256;  // packets, before one looks around

// One packet, and the descriptors that came with it; a larger one than we know is cut and has another size.
struct packet {
    ssize_t size = -1;  // 0: the end; -1: none
    alignas(8) std::array<unsigned char, 512> bytes{};
    std::vector<descriptor> descriptors;

    // Null if it is not whole.
    template <class Packet>
    [[nodiscard]] const Packet* as(packet_type type) const noexcept {
        if (size != static_cast<ssize_t>(sizeof(Packet))) return nullptr;
        const auto* p = reinterpret_cast<const Packet*>(bytes.data());
        return p->head.type == type ? p : nullptr;
    }
};

void take_descriptors(msghdr& message, std::vector<descriptor>& all) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(c) + i * sizeof(int), sizeof number);
            all.emplace_back(number);
        }
    }
}

packet receive(int socket) {
    packet p;
    iovec bytes{p.bytes.data(), p.bytes.size()};
    // Room for one more than there may be; the system closes what does not fit.
    alignas(cmsghdr) std::array<unsigned char, CMSG_SPACE((pages_sent + 1) * sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    do p.size = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (p.size < 0 && errno == EINTR);
    if (p.size < 0 && errno != EAGAIN) p.size = 0;  // as good as closed
    if (p.size >= 0) take_descriptors(message, p.descriptors);
    return p;
}

// "" if it is a packet of ours.
std::string complaint(const packet& p) {
    packet_head head;
    if (p.size < static_cast<ssize_t>(sizeof head)) return "the broker sends what is no packet";
    std::memcpy(&head, p.bytes.data(), sizeof head);
    if (head.magic != packet_magic) return "the broker sends what is no packet";
    if (head.version != packet_version)
        return "the broker speaks version " + std::to_string(head.version) + ", this program version " +
               std::to_string(packet_version);
    return {};
}

std::string text_of(const refuse& r) {
    std::string text(r.why.begin(), std::find(r.why.begin(), r.why.end(), '\0'));
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return "the broker says: " + text;
}

// A page that could shrink would end this process by SIGBUS.
template <class Page>
std::unique_ptr<Page, unmap> map(const descriptor& memory, int protection) {
    const int seals = fcntl(memory.get(), F_GET_SEALS);
    struct stat s{};
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(memory.get(), &s) != 0 ||
        s.st_size < static_cast<off_t>(sizeof(Page)))
        return nullptr;
    void* at = mmap(nullptr, sizeof(Page), protection, MAP_SHARED, memory.get(), 0);
    if (at == MAP_FAILED) return nullptr;
    madvise(at, sizeof(Page), MADV_DONTFORK);  // a child is another program
    return {static_cast<Page*>(at), unmap{sizeof(Page)}};
}

bool is_trusted(int socket) {
    ucred peer{};
    socklen_t length = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && (peer.uid == 0 || peer.uid == geteuid());
}

// True if there is something to read.
bool wait_for_answer(int socket, int end) {
    const auto until = clock::now() + longest_answer;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
        std::array<pollfd, 2> both{{{socket, POLLIN, 0}, {end, POLLIN, 0}}};
        const int ready = poll(both.data(), both.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (ready < 0 && errno == EINTR) continue;
        return both[0].revents != 0 && both[1].revents == 0;
    }
}

bool can_be_read(int file) {
    pollfd one{file, POLLIN, 0};
    return poll(&one, 1, 0) > 0;
}

attempt welcomed(descriptor socket, const packet& p) {
    const auto* answer = p.as<welcome>(packet_type::welcome);
    if (answer == nullptr || p.descriptors.size() != pages_sent) return refusal{"the broker's answer is no answer"};
    connection c{std::move(socket), *answer, map<const allotment_page>(p.descriptors[0], PROT_READ),
                 map<feedback_page>(p.descriptors[1], PROT_READ | PROT_WRITE)};
    if (!c.allotted || !c.feedback) return refusal{"the broker's pages are too small or could shrink"};
    return c;
}

// None if nobody listens there. A full queue is an error at once, too: nothing here waits.
descriptor connect_to(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return descriptor();
    std::memcpy(address.sun_path, path.data(), path.size());
    descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return descriptor();
    return socket;
}

}  // namespace

void unmap::operator()(const void* page) const noexcept { munmap(const_cast<void*>(page), length); }

attempt join_broker(const std::string& path, const hello& who, int end) {
    descriptor socket = connect_to(path);
    if (!socket) return nobody{};
    if (!is_trusted(socket.get())) return refusal{"the broker's socket is another user's"};
    if (send(socket.get(), &who, sizeof who, MSG_NOSIGNAL | MSG_DONTWAIT) != static_cast<ssize_t>(sizeof who))
        return nobody{};
    if (!wait_for_answer(socket.get(), end)) return can_be_read(end) ? attempt(ended{}) : attempt(no_answer{});
    const packet answer = receive(socket.get());
    if (answer.size <= 0) return nobody{};
    if (std::string wrong = complaint(answer); !wrong.empty()) return refusal{std::move(wrong)};
    if (const auto* no = answer.as<refuse>(packet_type::refuse)) return refusal{text_of(*no)};
    return welcomed(std::move(socket), answer);
}

news read_news(int socket) {
    news all;
    for (int i = 0; i < most_at_once; ++i) {
        const packet p = receive(socket);
        if (p.size < 0) return all;
        if (p.size > 0 && p.as<ring>(packet_type::ring) != nullptr && complaint(p).empty()) {
            all.rings = true;
            continue;
        }
        all.is_over = true;
        if (p.size == 0) return all;
        all.refusal = complaint(p);
        if (const auto* no = p.as<refuse>(packet_type::refuse); no != nullptr && all.refusal.empty())
            all.refusal = text_of(*no);
        if (all.refusal.empty()) all.refusal = "the broker sends what makes no sense";
        return all;
    }
    return all;
}

void say_bye(int socket) noexcept {
    const bye last;
    (void)send(socket, &last, sizeof last, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool is_own_folder(const std::string& path) {
    struct stat s{};
    return lstat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && (s.st_mode & 022) == 0;
}

}  // namespace parley::inline v0::broker
