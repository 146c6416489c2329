// parley broker's options: what each takes, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/command.hpp"

namespace {

using parley_tests::run;
using parley_tests::said;
using parley_tests::scratch_folder;

// Bad usage, in one line that has these words; nothing is written.
void expect_broker_refuses(const std::vector<std::string>& words, const std::vector<std::string>& in_message) {
    const scratch_folder folder;
    std::vector<std::string> all{"broker", "--socket", folder.file("s")};
    all.insert(all.end(), words.begin(), words.end());
    const said answer = run(all);
    SCOPED_TRACE(testing::PrintToString(words) + " said: " + answer.err);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    for (const std::string& part : in_message) {
        EXPECT_NE(answer.err.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(BrokerOptions, WhatIsNoFiniteNumberIsRefused) {
    for (const char* option : {"--quantum", "--sample", "--slot", "--growth", "--headroom", "--least-efficiency", "--share-below"}) {
        for (const char* bad : {"nan", "-nan", "inf", "-inf", "1e999", "", "x"}) {
            expect_broker_refuses({option, bad}, {option, std::string("'") + bad + "'", "allowed: a number from "});
        }
    }
}

TEST(NumbersOfOtherVerbs, WhatIsNoFiniteNumberIsRefused) {
    const std::vector<std::vector<std::string>> all{
        {"run", "loop", "--t"},         {"bench", "fib", "--repeat"},       {"sim", "loop", "--t"},
        {"sim", "cluster", "--latency"}, {"sim", "farm-uniform", "--speeds"}, {"sim", "broker", "--loss"}};
    for (std::vector<std::string> words : all) {
        const std::string option = words.back();
        words.emplace_back();
        for (const char* bad : {"nan", "inf"}) {
            words.back() = bad;
            const said answer = run(words);
            EXPECT_EQ(answer.status, 2) << option;
            EXPECT_EQ(answer.out, "");
            EXPECT_NE(answer.err.find(option + ": '" + bad + "' is not allowed"), std::string::npos) << answer.err;
            EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        }
    }
}

}  // namespace
