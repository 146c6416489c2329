// Where parley broker, parley broker run and parley top take the broker to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/broker/command/running_broker.hpp"

namespace {

using parley_tests::run;
using parley_tests::running_broker;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;

using word_list = std::vector<std::string>;

// A verb with its --socket, if there is one, and what else it needs to do its work.
word_list with_socket(const word_list& verb, const word_list& socket) {
    word_list all = verb;
    all.insert(all.end(), socket.begin(), socket.end());
    if (verb.back() == "run") {
        all.insert(all.end(), {"--", "true"});
    }
    return all;
}

const std::vector<word_list> verbs{{"broker"}, {"broker", "run"}, {"top", "--once"}};

void expect_socket_refused(const word_list& arguments, const word_list& environment, const word_list& in_message) {
    const said answer = run(arguments, environment);
    SCOPED_TRACE(testing::PrintToString(arguments) + " said: " + answer.err);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    for (const std::string& part : in_message) {
        EXPECT_NE(answer.err.find(part), std::string::npos) << part;
    }
}

TEST(BrokerSocket, WhatIsNoPathOfASocketIsRefusedByAllVerbs) {
    for (const word_list& verb : verbs) {
        for (const char* bad : {"", "s", "off", "/tmp/"}) {
            expect_socket_refused(with_socket(verb, {"--socket", bad}), {},
                                  {"--socket", std::string("'") + bad + "'", "with a /"});
        }
        expect_socket_refused(with_socket(verb, {"--socket", "/" + std::string(108, 'x')}), {}, {"--socket", "107"});
    }
}

TEST(BrokerSocket, BadVariableIsRefusedWhetherOrNotTheOptionWins) {
    const scratch_folder folder;
    for (const word_list& verb : verbs) {
        for (const word_list& socket : {word_list{}, {"--socket", folder.file("s")}}) {
            expect_socket_refused(with_socket(verb, socket), {"PARLEY_BROKER=on"}, {"PARLEY_BROKER=on", "off, or a path"});
            expect_socket_refused(with_socket(verb, socket), {"PARLEY_BROKER="}, {"PARLEY_BROKER", "off, or a path"});
        }
    }
    EXPECT_EQ(folder.names(), word_list{});
}

TEST(BrokerSocket, OffIsNoPlaceForABrokerNorToLookAt) {
    for (const std::string verb : {"broker", "top"}) {
        expect_socket_refused({verb}, {"PARLEY_BROKER=off"}, {"parley " + verb + ": PARLEY_BROKER is off", "--socket PATH"});
    }
    EXPECT_EQ(run({"broker", "run", "--", "sh", "-c", "exit 3"}, {"PARLEY_BROKER=off"}).status, 3);
}

TEST(BrokerSocket, VariableSaysWhereTheBrokerListens) {
    const scratch_folder folder;
    const std::string socket = folder.file("s");
    running_broker broker({}, {"PARLEY_BROKER=" + socket}, socket);
    EXPECT_EQ(run({"top", "--once"}, {"PARLEY_BROKER=" + socket}).status, 0);
    EXPECT_EQ(run({"top", "--once", "--socket", socket}, {"PARLEY_BROKER=off"}).status, 0);
    EXPECT_NE(broker.end(SIGTERM).out.find("listens at " + socket), std::string::npos);
}

TEST(BrokerSocket, OptionWinsOverTheVariableAndTheLastOneCounts) {
    const scratch_folder folder;
    const std::string socket = folder.file("s");
    running_broker broker({"--socket", folder.file("first"), "--socket", socket}, {"PARLEY_BROKER=" + folder.file("other")},
                          socket);
    EXPECT_EQ(folder.names(), word_list{"s"});
    EXPECT_NE(broker.end(SIGTERM).out.find("listens at " + socket), std::string::npos);
}

}  // namespace
