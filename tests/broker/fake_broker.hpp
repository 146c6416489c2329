// The other end of a client's socket: does what a broker does, or what none should do.
#pragma once

#include <broker/client/connection.hpp>
#include <parley/detail/sync/versioned.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace broker_tests {

using namespace parley::broker;

class own_folder {
public:
    own_folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "parley-broker-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~own_folder() { std::filesystem::remove_all(path_); }
    own_folder(const own_folder&) = delete;
    own_folder& operator=(const own_folder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

constexpr int usual_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

inline descriptor memory(std::size_t size, int seals = usual_seals) {
    descriptor m(memfd_create("page", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(ftruncate(m.get(), static_cast<off_t>(size)), 0);
    EXPECT_EQ(fcntl(m.get(), F_ADD_SEALS, seals), 0);
    return m;
}

template <class Page>
std::unique_ptr<Page, unmap> map_page(const descriptor& m) {
    void* at = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, m.get(), 0);
    EXPECT_NE(at, MAP_FAILED);
    return {new (at) Page, unmap{sizeof(Page)}};
}

// One program that has come.
class member {
public:
    explicit member(descriptor socket) : socket_(std::move(socket)) {
        receive(&who, sizeof who);
        allotted = map_page<allotment_page>(allotment_memory);
        feedback = map_page<feedback_page>(feedback_memory);
    }

    void send(const void* packet, std::size_t size, std::initializer_list<int> files = {}) {
        iovec bytes{const_cast<void*>(packet), size};
        alignas(cmsghdr) std::array<unsigned char, CMSG_SPACE(4 * sizeof(int))> control{};
        msghdr message{};
        message.msg_iov = &bytes;
        message.msg_iovlen = 1;
        if (files.size() > 0) {
            message.msg_control = control.data();
            message.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
            cmsghdr* c = CMSG_FIRSTHDR(&message);
            c->cmsg_level = SOL_SOCKET;
            c->cmsg_type = SCM_RIGHTS;
            c->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
            std::memcpy(CMSG_DATA(c), files.begin(), files.size() * sizeof(int));
        }
        EXPECT_EQ(sendmsg(socket_.get(), &message, MSG_NOSIGNAL), static_cast<ssize_t>(size));
    }
    template <class Packet>
    void send(const Packet& packet, std::initializer_list<int> files = {}) {
        send(&packet, sizeof packet, files);
    }

    void welcome_it(nanoseconds sample = 20'000'000) {
        welcome w;
        w.program = 1;
        w.sample = sample;
        w.quantum = 50'000'000;
        send(w, {allotment_memory.get(), feedback_memory.get()});
    }
    void refuse_it(const char* why) {
        refuse r;
        std::strncpy(r.why.data(), why, r.why.size() - 1);
        send(r);
    }
    void write(std::initializer_list<core_id> alone, std::initializer_list<core_id> shared = {}) {
        parley::sync::write_whole(allotted->generation, [&] { write_parts(alone, shared); });
    }
    void write_parts(std::initializer_list<core_id> alone, std::initializer_list<core_id> shared = {}) {
        for (auto* words : {&allotted->alone, &allotted->shared})
            for (auto& word : *words) word = 0;
        for (const core_id c : alone) allotted->alone[c / 64] |= std::uint64_t{1} << (c % 64);
        for (const core_id c : shared) allotted->shared[c / 64] |= std::uint64_t{1} << (c % 64);
        allotted->cores = static_cast<std::uint32_t>(alone.size() + shared.size());
    }
    void ring_it() {
        ring r;
        r.generation = allotted->generation;
        send(r);
    }
    void allot(std::initializer_list<core_id> alone, std::initializer_list<core_id> shared = {}) {
        write(alone, shared);
        ring_it();
    }

    // How long the packet was that came; 0: the program has gone.
    ssize_t receive(void* packet, std::size_t size) {
        const ssize_t got = recv(socket_.get(), packet, size, 0);
        EXPECT_GE(got, 0) << "nothing came: " << std::strerror(errno);
        return got;
    }
    bool says_bye() {
        bye b;
        return receive(&b, sizeof b) == sizeof b && b.head.type == packet_type::bye;
    }
    bool has_gone() {
        bye b;
        return receive(&b, sizeof b) == 0;
    }

    hello who;
    descriptor allotment_memory = memory(sizeof(allotment_page));
    descriptor feedback_memory = memory(sizeof(feedback_page));
    std::unique_ptr<allotment_page, unmap> allotted;
    std::unique_ptr<feedback_page, unmap> feedback;

private:
    descriptor socket_;
};

inline sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return address;
}

// Ends as if it had been killed: its socket stays in the folder.
class fake_broker {
public:
    explicit fake_broker(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)) {
        std::filesystem::remove(path);
        const sockaddr_un address = address_of(path);
        EXPECT_EQ(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(listen(socket_.get(), 16), 0);
    }

    // The next program that comes; a test that waits in vain fails and goes on.
    member accept() {
        const timeval patience{.tv_sec = 20, .tv_usec = 0};
        setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        descriptor one(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        EXPECT_TRUE(one) << "nobody came";
        setsockopt(one.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        return member(std::move(one));
    }
    member welcome_next() {
        member m = accept();
        m.welcome_it();
        return m;
    }

private:
    descriptor socket_;
};

}  // namespace broker_tests
