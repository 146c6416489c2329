// What `parley broker` takes and refuses, and the socket that it may be given.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include "tests/broker/command/running_broker.hpp"

namespace {

using namespace std::chrono_literals;
using parley_tests::is_one_line;
using parley_tests::run;
using parley_tests::running_broker;
using parley_tests::said;
using parley_tests::scratch_folder;
using words = std::vector<std::string>;

void expect_broker_refused(const words& options, const std::string& because) {
    const scratch_folder folder;
    words all{"broker", "--socket", folder.file("s")};
    all.insert(all.end(), options.begin(), options.end());
    const said answer = run(all);
    EXPECT_EQ(answer.status, 2) << options.front();
    EXPECT_TRUE(is_one_line(answer.err)) << answer.err;
    EXPECT_NE(answer.err.find(because), std::string::npos) << answer.err;
    EXPECT_TRUE(folder.names().empty());
}

TEST(BrokerOptions, AllOfThemAreTaken) {
    running_broker fair({"--quantum",
                         "40",
                         "--sample",
                         "10",
                         "--least-efficiency",
                         "0.7",
                         "--growth",
                         "1.5",
                         "--headroom",
                         "0.9",
                         "--hold-off",
                         "3",
                         "--cores-per-user",
                         "6",
                         "--gang",
                         "--slot",
                         "5",
                         "--programs-per-user",
                         "9",
                         "--leave-threads"});
    EXPECT_EQ(fair.end(SIGTERM).status, 0);
    running_broker paper({"--policy", "paper", "--quantum", "3000", "--share-below", "0.5", "--serve-deprived",
                          "--start-small", "--least-efficiency", "0.9"});
    const said answer = paper.end(SIGTERM);
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.out.find("(paper)"), std::string::npos) << answer.out;
}

TEST(BrokerOptions, NumbersBeyondTheirRangeAreRefused) {
    for (const auto& [option, values] : std::vector<std::pair<std::string, words>>{{"--sample", {"0", "3600001", "-1"}},
                                                                                   {"--quantum", {"0.5", "3600001"}},
                                                                                   {"--slot", {"0", "3600001"}},
                                                                                   {"--least-efficiency", {"0", "1.1"}},
                                                                                   {"--growth", {"1", "17"}},
                                                                                   {"--headroom", {"0", "2"}},
                                                                                   {"--hold-off", {"-1", "1001", "x"}},
                                                                                   {"--cores-per-user", {"0", "1025"}},
                                                                                   {"--share-below", {"-0.1", "1.5"}},
                                                                                   {"--programs-per-user", {"0", "1025"}}}) {
        for (const std::string& value : values) expect_broker_refused({option, value}, option);
    }
}

// As of a script whose variable is not set.
TEST(BrokerOptions, WhatIsEmptyIsRefused) {
    for (const char* option : {"--topology", "--sections"}) {
        expect_broker_refused({option, ""}, std::string(option) + ": \"\" is not allowed");
    }
}

TEST(BrokerOptions, SamplesAreNotLongerThanQuanta) {
    expect_broker_refused({"--sample", "60"}, "--sample 60 is longer than --quantum 50");
    expect_broker_refused({"--sample", "20", "--quantum", "10"}, "--sample 20 is longer than --quantum 10");
    EXPECT_EQ(running_broker({"--quantum", "10"}).end(SIGTERM).status, 0);
}

TEST(BrokerOptions, WithoutEffectTheyAreRefused) {
    expect_broker_refused({"--slot", "5"}, "--slot has a meaning with --gang only");
    for (const words& option :
         {words{"--growth", "3"}, {"--headroom", "0.9"}, {"--hold-off", "2"}, {"--cores-per-user", "2"}}) {
        words with = option;
        with.insert(with.end(), {"--policy", "paper"});
        expect_broker_refused(with, option.front() + " has a meaning with --policy fair-share only");
    }
    for (const words& option : {words{"--share-below", "0.5"}, {"--serve-deprived"}, {"--start-small"}}) {
        expect_broker_refused(option, option.front() + " has a meaning with --policy paper only");
    }
}

// A command as systemd starts it: descriptor 3 is `given`, and the environment says so, to that process or to another.
// Returns its pid; what it says is in `file`.
pid_t started_with(int given, bool to_another, const std::string& socket, const std::string& file) {
    const pid_t child = fork();
    if (child != 0) return child;
    setenv("LISTEN_PID", std::to_string(to_another ? getppid() : getpid()).c_str(), 1);
    setenv("LISTEN_FDS", "1", 1);
    setenv("PARLEY_BROKER", "off", 1);  // says nothing to one that has a socket
    if (std::freopen(file.c_str(), "w", stderr) == nullptr || dup2(fileno(stderr), 1) < 0 || dup2(given, 3) < 0) _exit(99);
    fcntl(3, F_SETFD, 0);  // dup2() leaves it closed on exec where it was 3 already
    const char* const machine = "--topology=synthetic:core:4 pu:1";
    if (socket.empty()) execl(PARLEY_COMMAND, PARLEY_COMMAND, "broker", machine, nullptr);
    else execl(PARLEY_COMMAND, PARLEY_COMMAND, "broker", machine, "--socket", socket.c_str(), nullptr);
    _exit(99);
}

int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(BrokerGivenASocket, ServesThere) {
    const scratch_folder folder;
    const std::string path = folder.file("given");
    const int listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::strncpy(where.sun_path, path.c_str(), sizeof where.sun_path - 1);
    ASSERT_EQ(bind(listening, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
    ASSERT_EQ(listen(listening, 8), 0);
    const pid_t broker = started_with(listening, false, "", folder.file("said"));
    const said picture = run({"top", "--once", "--socket", path});  // waits in the socket's queue until the broker is there
    EXPECT_EQ(picture.status, 0) << picture.err;
    kill(broker, SIGTERM);
    EXPECT_EQ(status_of(broker), 0);
    const std::string text = parley_tests::read(folder.file("said"));
    EXPECT_NE(text.find("listens at the socket it was given, shares 4 cores"), std::string::npos) << text;
    EXPECT_EQ(folder.names(), (words{"given", "said"})) << "it makes none of its own, and leaves what is not its";
    close(listening);
}

TEST(BrokerGivenASocket, RefusesWhatIsNone) {
    const scratch_folder folder;
    std::ofstream(folder.file("text")) << "no socket\n";
    std::FILE* const text = std::fopen(folder.file("text").c_str(), "r");
    ASSERT_NE(text, nullptr);
    const int unbound = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    for (const int wrong : {fileno(text), unbound}) {
        EXPECT_EQ(status_of(started_with(wrong, false, folder.file("own"), folder.file("said"))), 2);
        const std::string answer = parley_tests::read(folder.file("said"));
        EXPECT_TRUE(is_one_line(answer)) << answer;
        EXPECT_NE(answer.find("descriptor 3"), std::string::npos) << answer;
    }
    std::fclose(text);
    close(unbound);
}

TEST(BrokerGivenASocket, TakesNoneThatWasGivenToAnother) {
    const scratch_folder folder;
    const int unbound = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const pid_t broker = started_with(unbound, true, folder.file("own"), folder.file("said"));
    said picture;
    for (int i = 0; i < 40'000 && (picture = run({"top", "--once", "--socket", folder.file("own")})).status != 0; ++i)
        usleep(1000);
    EXPECT_EQ(picture.status, 0) << picture.err;
    kill(broker, SIGTERM);
    EXPECT_EQ(status_of(broker), 0);
    close(unbound);
}

}  // namespace
