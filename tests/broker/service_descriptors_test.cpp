// Descriptors that nobody asked for: who sends them stops nobody.

#include "tests/broker/lingering.hpp"

#include <broker/daemon/acceptor.hpp>
#include <broker/daemon/closing.hpp>
#include <broker/daemon/listening.hpp>

#include <atomic>
#include <iterator>

namespace {

using namespace broker_tests;

const std::string unasked = "descriptors came that nobody asked for";

// Whether it ends while somebody lingers, who is closed all the same.
bool ends_soon(const std::function<void()>& what, lingering& bomb) {
    std::atomic<bool> has_ended = false;
    std::thread does([&] {
        what();
        has_ended = true;
    });
    const bool is_soon = comes_true([&] { return has_ended.load(); }) && bomb.gets_closed();
    bomb.let_go();
    does.join();
    return is_soon;
}

// A broker at a socket where somebody has been before it.
class late_broker {
public:
    late_broker() : given_(early_socket(here_.socket())), first_(here_.socket()) {}
    ~late_broker() {
        bomb_.let_go();
        broker_.reset();
    }
    late_broker(const late_broker&) = delete;
    late_broker& operator=(const late_broker&) = delete;

    void say(std::string_view packet) { first_.say(std::string(packet)); }
    void send_with(std::string_view packet) { ASSERT_TRUE(bomb_.goes_with(packet, first_.socket())); }
    void begin() {
        service::settings s = calm(here_);
        s.listening = dup(given_.get());
        broker_.emplace(std::move(s));
    }
    // Others get in, and have the whole machine in the end, and the broker ends: the acceptor's thread does not wait, nor
    // does a section's.
    void expect_nobody_waits() {
        client other(here_.socket()), another(here_.socket());
        ASSERT_TRUE(other.join());
        ASSERT_TRUE(another.join());
        ASSERT_TRUE(other.gets(4));
        ASSERT_TRUE(another.gets(4));
        EXPECT_TRUE(ends_soon([this] { broker_.reset(); }, bomb_));
    }
    client& first() { return first_; }

private:
    place here_;
    descriptor given_;
    client first_;
    lingering bomb_;
    std::optional<service::daemon> broker_;
};

TEST(BrokerServiceDescriptors, WithAGreetingStopNobody) {
    late_broker b;
    b.send_with(bytes_in(greeting()));
    b.begin();
    ASSERT_EQ(b.first().hear_refusal(), unasked);
    b.expect_nobody_waits();
}

TEST(BrokerServiceDescriptors, OfAProgramStopNobody) {
    late_broker b;
    b.say(bytes_in(greeting()));
    b.send_with("x");
    b.begin();
    std::optional<client::packet> p = b.first().hear();
    while (p && p->type() != packet_type::refuse) p = b.first().hear();
    ASSERT_TRUE(p);
    EXPECT_EQ(p->as<refuse>().why.data(), unasked);
    b.expect_nobody_waits();
}

TEST(BrokerServiceDescriptors, OfAnObserverStopNobody) {
    late_broker b;
    b.say(bytes_in(observe{}));
    b.send_with(bytes_in(observe{}));
    b.begin();
    b.expect_nobody_waits();
}

// What nobody reads is closed with the connection.
TEST(BrokerServiceDescriptors, ThatAreNeverReadStopNobody) {
    for (const std::string& before : {std::string("nonsense"), std::string()}) {
        late_broker b;
        b.say(before);
        b.say(before);
        b.send_with("x");
        b.begin();
        b.expect_nobody_waits();
    }
}

// In the queue of a Unix socket that is sent itself.
TEST(BrokerServiceDescriptors, OfDescriptorsStopNobody) {
    lingering bomb;
    std::array<int, 2> pair{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
    descriptor inner(pair[0]);
    ASSERT_TRUE(bomb.goes_with("x", pair[1]));
    close(pair[1]);
    EXPECT_TRUE(ends_soon([&] { service::closing().close(std::move(inner)); }, bomb));
}

// Nobody accepts them, since the broker ends before.
TEST(BrokerServiceDescriptors, OfThoseWhoAreNotLetInStopNoEnd) {
    for (const bool is_given : {false, true}) {
        const place here;
        service::settings how = calm(here);
        service::mailboxes mail(2);
        descriptor listening = early_socket(here.socket());
        if (is_given) how.listening = listening.get();
        lingering bomb;
        client first(here.socket());
        ASSERT_TRUE(bomb.goes_with(bytes_in(greeting()), first.socket()));
        const auto comes_and_goes = [&] { std::make_unique<service::acceptor>(std::move(listening), how, mail).reset(); };
        EXPECT_TRUE(ends_soon(comes_and_goes, bomb)) << is_given;
    }
}

// The system does not take them, from a connection that nobody has accepted either.
TEST(BrokerServiceDescriptors, AreRefusedWhereTheSystemCan) {
    constexpr int pass_descriptors = 83;  // SO_PASSRIGHTS
    const place here;
    const service::settings how = calm(here);
    service::mailboxes mail(2);
    service::listening_socket socket(here.socket(), false);
    int passes = 0;
    socklen_t size = sizeof passes;
    descriptor listening = socket.take();
    if (getsockopt(listening.get(), SOL_SOCKET, pass_descriptors, &passes, &size) != 0) GTEST_SKIP() << "since Linux 6.16";
    const service::acceptor entrance(std::move(listening), how, mail);
    client c(here.socket());
    lingering bomb;
    EXPECT_FALSE(bomb.goes_with(bytes_in(greeting()), c.socket()));
    EXPECT_EQ(errno, EPERM);
}

std::size_t open_files() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Many of them cost neither descriptors nor processes.
TEST(BrokerServiceDescriptors, LeaveNothingBehind) {
    const std::size_t before = open_files();
    {
        service::closing by;
        for (int i = 0; i < 100; ++i) {
            std::array<int, 2> pair{};
            ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
            const descriptor other(pair[1]);
            by.close(descriptor(pair[0]));
            const timeval longest{40, 0};
            setsockopt(other.get(), SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
            char end = 0;
            ASSERT_EQ(read(other.get(), &end, 1), 0);
        }
    }
    EXPECT_EQ(open_files(), before);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG | __WALL), -1) << "a process is left";
}

}  // namespace
