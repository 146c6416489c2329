// The socket at which the broker listens.

#include "tests/broker/service_client.hpp"

#include <broker/daemon/listening.hpp>

#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>

namespace {

using namespace broker_tests;

TEST(BrokerServiceSocket, InUseIsSaidWithTheBrokersNumber) {
    const place here;
    service::daemon broker(calm(here));
    try {
        service::daemon second(calm(here));
        FAIL() << "two brokers at one socket";
    } catch (const service::startup_error& t) {
        EXPECT_EQ(std::string(t.what()),
                  here.socket() + " is in use by a running broker (pid " + std::to_string(getpid()) + ")");
    }
    client a(here.socket());
    EXPECT_TRUE(a.join());
}

TEST(BrokerServiceSocket, LeftBehindIsTakenOver) {
    const place here;
    child dies([&] {
        service::daemon broker(calm(here));
        kill(getpid(), SIGKILL);
    });
    dies.wait_for_it();
    ASSERT_TRUE(std::filesystem::exists(here.socket()));
    service::daemon broker(calm(here));
    client a(here.socket());
    EXPECT_TRUE(a.join());
}

TEST(BrokerServiceSocket, IsTheUsersAloneAndGoesWithTheBroker) {
    const place here;
    service::settings s = calm(here);
    s.is_for_all = false;
    s.socket = here.directory() + "/new/s";
    const std::string path = s.socket;
    {
        service::daemon broker(std::move(s));
        struct stat is{};
        ASSERT_EQ(stat(path.c_str(), &is), 0);
        EXPECT_EQ(is.st_mode & 0777, 0600u);
        ASSERT_EQ(stat((here.directory() + "/new").c_str(), &is), 0);
        EXPECT_EQ(is.st_mode & 0777, 0700u);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

mode_t mode_of(const std::string& path) {
    struct stat is{};
    return lstat(path.c_str(), &is) == 0 ? is.st_mode & 07777 : ~mode_t{0};
}

TEST(BrokerServiceSocket, HasItsModeWhateverTheUmaskIs) {
    for (const mode_t mask : {0u, 022u, 0777u})
        for (const bool for_all : {false, true}) {
            const place here;
            const mode_t before = umask(mask);
            const service::listening_socket socket(here.socket(), for_all);
            EXPECT_EQ(umask(before), mask) << "the process's own has changed";
            EXPECT_EQ(mode_of(here.socket()), for_all ? 0666u : 0600u) << mask;
        }
}

// Who may write in the folder puts a link in the socket's place as soon as it is there.
TEST(BrokerServiceSocket, GivesNothingElseItsMode) {
    const place here;
    const std::string victim = here.directory() + "/victim", link = here.directory() + "/link";
    { const descriptor file(creat(victim.c_str(), 0600)); }
    std::atomic<bool> ends = false;
    std::thread replaces([&] {
        while (!ends) {
            if (symlink(victim.c_str(), link.c_str()) != 0 && errno != EEXIST) return;
            while (!ends && access(here.socket().c_str(), F_OK) != 0) {}
            rename(link.c_str(), here.socket().c_str());
        }
    });
    for (int i = 0; i < 300; ++i) {
        try {
            const service::listening_socket socket(here.socket(), true);
        } catch (const service::startup_error&) {
            // It is in use, or is no socket.
        }
        unlink(here.socket().c_str());
    }
    ends = true;
    replaces.join();
    EXPECT_EQ(mode_of(victim), 0600u);
}

// The folder's name leads elsewhere by then, where something of the same name is the same file.
TEST(BrokerServiceSocket, IsRemovedFromItsOwnFolderOnly) {
    const place here;
    const std::string folder = here.directory() + "/folder", moved = here.directory() + "/moved",
                      other = here.directory() + "/other";
    ASSERT_EQ(mkdir(other.c_str(), 0700), 0);
    {
        const service::listening_socket socket(folder + "/s", false);
        ASSERT_EQ(::link((folder + "/s").c_str(), (other + "/s").c_str()), 0);
        ASSERT_EQ(rename(folder.c_str(), moved.c_str()), 0);
        ASSERT_EQ(symlink(other.c_str(), folder.c_str()), 0);
    }
    EXPECT_TRUE(std::filesystem::exists(other + "/s"));
    EXPECT_FALSE(std::filesystem::exists(moved + "/s"));
}

TEST(BrokerServiceSocket, BadPathsAreSaid) {
    const place here;
    const auto says = [&](const std::string& path) -> std::string {
        service::settings s = calm(here);
        s.socket = path;
        try {
            service::daemon broker(std::move(s));
        } catch (const service::startup_error& t) {
            return t.what();
        }
        return {};
    };
    std::filesystem::create_directory(here.directory() + "/d");
    { const descriptor file(creat((here.directory() + "/f").c_str(), 0600)); }
    EXPECT_NE(says(here.directory() + "/" + std::string(200, 'x')).find("too long"), std::string::npos);
    EXPECT_NE(says(here.directory() + "/f/s").find("is not a directory"), std::string::npos);
    EXPECT_NE(says(here.directory() + "/f").find("is no socket"), std::string::npos);
    EXPECT_NE(says(here.directory() + "/d").find("is no socket"), std::string::npos);
    EXPECT_NE(says(here.directory() + "/a/b/s").find("cannot make"), std::string::npos);
    EXPECT_NE(says(here.directory() + "/d/").find("names a folder"), std::string::npos);
    EXPECT_NE(says(""), "");
    EXPECT_TRUE(std::filesystem::exists(here.directory() + "/f"));
}

// As a service manager gives it: it listens already, and its file is not the broker's.
descriptor given_socket(const std::string& path, int type, bool listens) {
    descriptor socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::strncpy(a.sun_path, path.c_str(), sizeof a.sun_path - 1);
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) != 0) return descriptor();
    if (listens && listen(socket.get(), 8) != 0) return descriptor();
    return socket;
}

// The first program may be there before the broker.
TEST(BrokerServiceSocket, GivenOneIsListenedAtAndStays) {
    const place here;
    const std::string path = here.directory() + "/given";
    const descriptor given = given_socket(path, SOCK_SEQPACKET, true);
    ASSERT_TRUE(given);
    client first(path);
    ASSERT_TRUE(first.say(greeting()));
    {
        service::settings s = calm(here);
        s.listening = dup(given.get());
        service::daemon broker(std::move(s));
        EXPECT_TRUE(first.get_welcome());
        client second(path);
        EXPECT_TRUE(second.join());
        EXPECT_TRUE(first.gets(4));
        EXPECT_FALSE(std::filesystem::exists(here.socket())) << "no other one is made";
    }
    EXPECT_TRUE(std::filesystem::exists(path)) << "it starts the next broker";
    client later(path);
    EXPECT_TRUE(later.say(greeting()));
    service::settings s = calm(here);
    s.listening = dup(given.get());
    service::daemon next(std::move(s));
    EXPECT_TRUE(later.get_welcome());
}

TEST(BrokerServiceSocket, GivenOneThatIsNoneIsRefused) {
    const place here;
    const auto says = [&](const descriptor& given) -> std::string {
        service::settings s = calm(here);
        s.listening = dup(given.get());
        try {
            service::daemon broker(std::move(s));
        } catch (const service::startup_error& t) {
            return t.what();
        }
        return {};
    };
    const std::string wrong = "what was given is no listening SOCK_SEQPACKET socket";
    EXPECT_EQ(says(descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))), wrong);
    EXPECT_EQ(says(given_socket(here.directory() + "/a", SOCK_SEQPACKET, false)), wrong);
    EXPECT_EQ(says(given_socket(here.directory() + "/b", SOCK_STREAM, true)), wrong);
    EXPECT_EQ(says(given_socket(here.directory() + "/c", SOCK_DGRAM, false)), wrong);
    EXPECT_EQ(says(given_socket(here.directory() + "/d", SOCK_SEQPACKET, true)), "");
}

}  // namespace
