// The socket at which the broker listens.

#include "tests/broker/service_client.hpp"

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
    } catch (const service::trouble& t) {
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
        struct stat is {};
        ASSERT_EQ(stat(path.c_str(), &is), 0);
        EXPECT_EQ(is.st_mode & 0777, 0600u);
        ASSERT_EQ(stat((here.directory() + "/new").c_str(), &is), 0);
        EXPECT_EQ(is.st_mode & 0777, 0700u);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(BrokerServiceSocket, BadPathsAreSaid) {
    const place here;
    const auto says = [&](const std::string& path) -> std::string {
        service::settings s = calm(here);
        s.socket = path;
        try {
            service::daemon broker(std::move(s));
        } catch (const service::trouble& t) {
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
    EXPECT_NE(says(""), "");
    EXPECT_TRUE(std::filesystem::exists(here.directory() + "/f"));
}

}  // namespace
