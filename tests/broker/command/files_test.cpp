// Files that `parley broker` is given and that are none: nobody waits for the other end of a pipe.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "tests/broker/command/running_broker.hpp"
#include "tests/broker/recorder.hpp"

namespace {

using namespace std::chrono_literals;
using broker_tests::eventually;
using parley_tests::is_one_line;
using parley_tests::running_broker;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;

// Ends by itself, or is ended after so many seconds.
said ended(running_command& command, int seconds) {
    int left = seconds * 100;
    while (left > 0 && command.still_runs_after(10ms)) {
        --left;
    }
    if (left == 0) {
        command.signal(SIGKILL);
    }
    return command.finish();
}

class BrokerFiles : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0); }

    void expect_refused(const std::string& option, const std::string& why) const {
        running_command command({"broker", "--socket", folder.file("s"), option, pipe});
        const said answer = ended(command, 10);
        EXPECT_EQ(answer.status, 2);
        EXPECT_TRUE(is_one_line(answer.err)) << answer.err;
        EXPECT_NE(answer.err.find(why), std::string::npos) << answer.err;
    }

    const scratch_folder folder;
    const std::string pipe = folder.file("pipe");
};

TEST_F(BrokerFiles, TopologyInAPipeIsRefused) { expect_refused("--topology", "no regular file"); }
TEST_F(BrokerFiles, LogIntoAPipeThatNobodyReadsIsRefused) { expect_refused("--log", "No such device"); }

TEST_F(BrokerFiles, LogIntoAPipeIsReadFromItsFirstLineOn) {
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    running_broker broker({"--log", pipe});
    std::string text;
    EXPECT_TRUE(eventually([&] {
        std::array<char, 4096> part{};
        const ssize_t n = ::read(reader, part.data(), part.size());
        text.append(part.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
        return text.find('\n') != std::string::npos;
    }));
    EXPECT_TRUE(text.starts_with("{")) << text;
    EXPECT_NE(text.find("parley_broker_log"), std::string::npos) << text;
    EXPECT_EQ(broker.end(SIGTERM).status, 0);
    close(reader);
}

// A reader that goes ends the log, not the broker.
TEST_F(BrokerFiles, LogIntoAPipeWhoseReaderGoesEnds) {
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    running_broker broker({"--log", pipe, "--sample", "2", "--quantum", "5"});
    close(reader);
    running_command program({"broker", "run", "--socket", broker.socket(), "--", "sleep", "0.2"});
    EXPECT_EQ(program.finish().status, 0);
    EXPECT_TRUE(broker.answers());
    const said answer = broker.end(SIGTERM);
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.err.find("the log ends there"), std::string::npos) << answer.err;
}

// So does one that is there and does not read.
TEST_F(BrokerFiles, LogIntoAPipeWhoseReaderSleepsEnds) {
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    ASSERT_GE(fcntl(reader, F_SETPIPE_SZ, 4096), 0);
    running_broker broker({"--log", pipe, "--sample", "2", "--quantum", "5"});
    running_command program({"broker", "run", "--socket", broker.socket(), "--", "sleep", "0.5"});
    EXPECT_EQ(program.finish().status, 0);
    const said answer = broker.end(SIGTERM);
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.err.find("the log ends there"), std::string::npos) << answer.err;
    close(reader);
}

// Somebody listens, and accepts nobody.
TEST(Top, DoesNotWaitForEverToBeLetIn) {
    const scratch_folder folder;
    const std::string path = folder.file("s");
    const auto new_socket = [] { return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); };
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::strncpy(where.sun_path, path.c_str(), sizeof where.sun_path - 1);
    const int listening = new_socket();
    ASSERT_EQ(bind(listening, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
    ASSERT_EQ(listen(listening, 0), 0);
    std::vector<int> others;
    do {
        others.push_back(new_socket());
    } while (others.size() < 100 && connect(others.back(), reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0);
    running_command top({"top", "--once", "--socket", path});
    const said answer = ended(top, 20);
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("does not answer"), std::string::npos) << answer.err;
    for (const int other : others) {
        close(other);
    }
    close(listening);
}

}  // namespace
