// Whoever waits for a socket is told when it may have come, and not of much else.
#include <broker/client/socket_watch.hpp>

#include "tests/broker/fake_broker.hpp"

#include <fstream>
#include <poll.h>

namespace {

using namespace broker_tests;

class SocketWatch : public testing::Test {
protected:
    // Events are there when a change has returned.
    [[nodiscard]] bool is_told() {
        pollfd one{watch.events(), POLLIN, 0};
        return poll(&one, 1, 0) > 0 && watch.read_events();
    }

    own_folder folder;
    const std::string inner = folder.file("a/b"), socket = inner + "/broker.sock";
    socket_watch watch{socket};
};

TEST_F(SocketWatch, TellsThatTheSocketCame) {
    std::filesystem::create_directories(inner);
    watch.arm();
    EXPECT_TRUE(watch.is_armed());
    EXPECT_FALSE(is_told());
    std::ofstream(inner + "/other").put('.');
    EXPECT_FALSE(is_told());
    const fake_broker broker(socket);
    EXPECT_TRUE(is_told());
    EXPECT_TRUE(exists(socket));
}

TEST_F(SocketWatch, TellsThatItWasMovedIntoItsPlaceOrOpenedForOthers) {
    std::filesystem::create_directories(inner);
    watch.arm();
    const fake_broker broker(inner + "/new");
    EXPECT_FALSE(is_told());
    std::filesystem::rename(inner + "/new", socket);
    EXPECT_TRUE(is_told());
    std::filesystem::permissions(socket, std::filesystem::perms::all);
    EXPECT_TRUE(is_told());
}

TEST_F(SocketWatch, TellsOfEachFolderOnTheWay) {
    watch.arm();
    std::filesystem::create_directory(folder.file("other"));
    EXPECT_FALSE(is_told());
    std::filesystem::create_directory(folder.file("a"));
    EXPECT_TRUE(is_told());
    watch.arm();
    std::filesystem::create_directory(inner);
    EXPECT_TRUE(is_told());
    watch.arm();
    const fake_broker broker(socket);
    EXPECT_TRUE(is_told());
}

TEST_F(SocketWatch, TellsThatAFolderHasGone) {
    std::filesystem::create_directories(inner);
    watch.arm();
    std::filesystem::remove(inner);
    EXPECT_TRUE(is_told());
    watch.arm();
    EXPECT_TRUE(watch.is_armed());
    std::filesystem::create_directory(inner);
    EXPECT_TRUE(is_told());
}

TEST_F(SocketWatch, IsSilentWhileDisarmed) {
    std::filesystem::create_directories(inner);
    watch.arm();
    watch.disarm();
    EXPECT_FALSE(watch.is_armed());
    EXPECT_LT(watch.events(), 0);
    watch.arm();
    (void)is_told();
    const fake_broker broker(socket);
    EXPECT_TRUE(is_told());
}

}  // namespace
