// parley broker, parley broker replay, parley top: as a shell sees them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <utility>

#include "tests/broker/command/running_broker.hpp"

namespace {

using namespace std::chrono_literals;
using parley_tests::is_one_line;
using parley_tests::read;
using parley_tests::run;
using parley_tests::running_broker;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;

TEST(Broker, SaysWhereItListensAndEndsPolitely) {
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 0}, std::pair{SIGHUP, 0}}) {
        running_broker b;
        const said answer = b.end(signal);
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.out, "parley broker: listens at " + b.socket() + ", shares 8 cores in 2 sections (fair-share)\n");
        EXPECT_EQ(answer.err, "");
        EXPECT_FALSE(std::filesystem::exists(b.socket()));
    }
}

TEST(Broker, SaysOnASignalWhoHasWhat) {
    running_broker b;
    b.signal(SIGUSR2);
    (void)b.still_runs_after(300ms);
    const said answer = b.end(SIGTERM);
    EXPECT_NE(answer.err.find("8 cores, 2 sections, 0 programs"), std::string::npos) << answer.err;
}

TEST(Broker, SecondOneAtASocketIsBadUsage) {
    const running_broker b;
    const said answer = run({"broker", "--socket", b.socket()});
    EXPECT_EQ(answer.status, 2);
    EXPECT_TRUE(is_one_line(answer.err));
    EXPECT_NE(answer.err.find("is in use by a running broker (pid "), std::string::npos);
}

TEST(Broker, SecondOneLeavesTheFirstOnesLogAlone) {
    const scratch_folder folder;
    const std::string log = folder.file("log");
    running_broker b({"--log", log});
    const std::string before = read(log);
    EXPECT_FALSE(before.empty());
    EXPECT_EQ(run({"broker", "--socket", b.socket(), "--log", log}).status, 2);
    EXPECT_TRUE(read(log).starts_with(before));
    EXPECT_EQ(run({"broker", "--socket", b.socket(), "--log", folder.file("other")}).status, 2);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"log"});
    EXPECT_EQ(b.end(SIGTERM).status, 0);
}

TEST(Broker, LogOfAnEarlierOneIsReplaced) {
    const scratch_folder folder;
    const std::string log = folder.file("log");
    std::ofstream(log) << "what was there\n";
    running_broker b({"--log", log});
    EXPECT_EQ(b.end(SIGTERM).status, 0);
    EXPECT_EQ(read(log).find("what was there"), std::string::npos);
    EXPECT_EQ(run({"broker", "replay", log}).status, 0);
}

TEST(Broker, BadUsageIsOneLine) {
    const scratch_folder folder;
    const std::string socket = folder.file("s");
    const std::vector<std::vector<std::string>> wrong = {{"--nonsense"},
                                                         {"--quantum", "0"},
                                                         {"--quantum", "x"},
                                                         {"--sections", "0-999"},
                                                         {"--topology", "/no/such"},
                                                         {"--policy", "best"},
                                                         {"--log", "/no/such/file"},
                                                         {"--socket", folder.file(std::string(200, 'x'))},
                                                         {"--growth", "0.5"},
                                                         {"--programs-per-user", "0"},
                                                         {"replay"},
                                                         {"replay", "/no/such"},
                                                         {"replay", "/dev/null"}};
    for (const auto& words : wrong) {
        std::vector<std::string> all{"broker"};
        if (words[0] == "replay") {
            all.insert(all.end(), words.begin(), words.end());
        } else {
            all.insert(all.end(), {"--socket", socket});
            all.insert(all.end(), words.begin(), words.end());
        }
        const said answer = run(all);
        EXPECT_EQ(answer.status, 2) << words[0];
        EXPECT_TRUE(is_one_line(answer.err)) << words[0] << ": " << answer.err;
        EXPECT_EQ(answer.out, "") << words[0];
    }
}

TEST(Broker, LogReplaysTheSameAndNoticesAChange) {
    scratch_folder folder;
    const std::string log = folder.file("log");
    running_broker b({"--log", log, "--sample", "2", "--quantum", "5"});
    (void)b.still_runs_after(100ms);
    EXPECT_EQ(b.end(SIGTERM).status, 0);
    const said same = run({"broker", "replay", log});
    EXPECT_EQ(same.status, 0) << same.err;
    EXPECT_NE(same.out.find(" records, the same\n"), std::string::npos);
    std::ofstream(log, std::ios::app) << R"({"section":0,"in":["joining",{"program":1,"user":0,"weight":1,"most":8}],)"
                                      << R"("out":{"messages":[],"decisions":[],"changed":[]}})" << "\n";
    const said other = run({"broker", "replay", log});
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.out.find("comes out otherwise"), std::string::npos);
}

TEST(Broker, GoesOnWhenTheDiskIsFull) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    // The first line is refused before anything has begun.
    const scratch_folder folder;
    const said answer = run({"broker", "--socket", folder.file("s"), "--log", "/dev/full"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_TRUE(is_one_line(answer.err));
}

TEST(Top, WithoutABrokerIsBadUsage) {
    const scratch_folder folder;
    for (const auto& environment : {std::vector<std::string>{}, {"PARLEY_BROKER=off"}}) {
        std::vector<std::string> words{"top", "--once"};
        if (environment.empty()) words.insert(words.end(), {"--socket", folder.file("s")});
        const said answer = run(words, environment);
        EXPECT_EQ(answer.status, 2);
        EXPECT_TRUE(is_one_line(answer.err)) << answer.err;
        EXPECT_TRUE(answer.err.starts_with("parley top: ")) << answer.err;
    }
}

TEST(Top, ShowsOnePictureWithoutEscapes) {
    const running_broker b;
    const said answer = run({"top", "--once"}, {"PARLEY_BROKER=" + b.socket()});
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.out.find("section 0    ....\nsection 1    ....\n"), std::string::npos) << answer.out;
    EXPECT_EQ(answer.out.find('\033'), std::string::npos);
}

TEST(Top, WritesJson) {
    const running_broker b;
    const said answer = run({"top", "--once", "--socket", b.socket(), "--json"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    const auto picture = nlohmann::json::parse(answer.out);
    EXPECT_EQ(picture.at("cores").size(), 8u);
    EXPECT_EQ(picture.at("programs").size(), 0u);
}

TEST(Top, PaperLetsNobodySleep) {
    const running_broker b({"--policy", "paper", "--quantum", "20"});
    const running_command waits({"broker", "run", "--socket", b.socket(), "--name", "waits", "--", "sleep", "1000"});
    while (b.row("waits").is_null()) ASSERT_TRUE(waits.still_runs_after(20ms));
    ASSERT_TRUE(waits.still_runs_after(1500ms));
    EXPECT_EQ(b.row("waits").at("asleep"), false);
}

TEST(Top, ShowsWhoIsAsleep) {
    const running_broker b({"--asleep-after", "100"});
    const running_command waits({"broker", "run", "--socket", b.socket(), "--name", "waits", "--", "sleep", "1000"});
    const auto is_asleep = [&] {
        const nlohmann::json row = b.row("waits");
        return !row.is_null() && row.at("asleep").get<bool>() && row.at("allotment") == 0;
    };
    while (!is_asleep()) ASSERT_TRUE(waits.still_runs_after(20ms));
    const said shown = run({"top", "--once", "--socket", b.socket()});
    EXPECT_NE(shown.out.find(" asleep "), std::string::npos) << shown.out;
}

TEST(Top, EndsOnASignal) {
    const running_broker b;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        running_command top({"top", "--socket", b.socket()});
        EXPECT_TRUE(top.still_runs_after(300ms));
        top.signal(signal);
        EXPECT_EQ(top.finish().status, 130);
    }
}

}  // namespace
