// --tuning: which key is whose, and that parley and parley-papers are compared in one process.
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/running_command.hpp"

namespace {

using nlohmann::json;
using parley_tests::run;

void expect_refused(const std::vector<std::string>& arguments, const std::string& why) {
    const auto r = run(arguments);
    EXPECT_EQ(r.status, 2) << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.err, why + "\n");
}

std::vector<json> lines_of(const std::vector<std::string>& arguments) {
    const auto r = run(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    std::vector<json> lines;
    for (std::size_t begin = 0; begin < r.out.size();) {
        const std::size_t end = r.out.find('\n', begin);
        lines.push_back(json::parse(r.out.substr(begin, end - begin)));
        begin = end + 1;
    }
    return lines;
}

TEST(Tuning, BadKeysAndValuesAreRefusedInOneLine) {
    const std::string keys =
        "allowed, as steal=half,early=2: steal, split, victim, early, requests, failed, patience, answers, dry, "
        "watchdog, termination, revoke, refuse, continue, hijack";
    expect_refused({"run", "fib", "--tuning", "stael=half"},
                   "parley run fib: --tuning: 'stael' is not allowed; " + keys + "; did you mean 'steal'?");
    expect_refused({"bench", "fib", "--tuning", "nosuch"}, "parley bench: --tuning: 'nosuch' is not allowed; " + keys);
    expect_refused({"run", "fib", "--tuning", "steal=most"},
                   "parley run fib: --tuning steal: 'most' is not allowed; allowed: one, half, adaptive");
    expect_refused({"run", "fib", "--tuning", "victim=first"},
                   "parley run fib: --tuning victim: 'first' is not allowed; allowed: "
                   "random, last, last-thief, richest, nearest");
    expect_refused({"run", "fib", "--tuning", "early=1001"},
                   "parley run fib: --tuning early: '1001' is not allowed; allowed: a whole number from 0 to 1000");
    expect_refused({"run", "fib", "--tuning", "steal=half,patience"},
                   "parley run fib: --tuning patience: '' is not allowed; allowed: a whole number from 1 to 1000000");
}

TEST(Tuning, EachKeyIsForTheSchedulersThatHaveIt) {
    expect_refused({"run", "fib", "--tuning", "termination=manager"},
                   "parley run fib: --tuning termination is for --scheduler parley-papers, not parley");
    expect_refused({"run", "fib", "--scheduler", "parley-papers", "--tuning", "requests=2"},
                   "parley run fib: --tuning requests is for --scheduler parley, not parley-papers");
    expect_refused({"run", "fib", "--scheduler", "deque", "--tuning", "steal=half"},
                   "parley run fib: --tuning steal is for --scheduler parley and parley-papers, not deque");
    expect_refused({"bench", "fib", "--scheduler", "parley,deque", "--tuning", "revoke=own"},
                   "parley bench: --tuning revoke is for --scheduler parley-papers, not parley, deque");
}

TEST(Tuning, WhatTheProtocolDoesNotHaveIsRefused) {
    const auto refused = [](const std::string& workers, const std::string& tuning) {
        return run({"run", "fib", "--n", "10", "--workers", workers, "--scheduler", "parley-papers", "--tuning", tuning});
    };
    const auto few = refused("2", "termination=dedicated");
    EXPECT_EQ(few.status, 2);
    EXPECT_NE(few.err.find("3 workers at least"), std::string::npos) << few.err;
    const auto own = refused("3", "termination=counter,revoke=own");
    EXPECT_EQ(own.status, 2);
    EXPECT_NE(own.err.find("no request is revoked"), std::string::npos) << own.err;
}

TEST(Tuning, ResultsHaveIt) {
    const auto lines = lines_of({"run", "fib", "--n", "15", "--workers", "2", "--repeat", "1", "--json", "-", "--tuning",
                                 "steal=one,victim=last", "--tuning", "steal=half"});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].at("tuning"), (json{{"steal", "half"}, {"victim", "last"}}));
}

TEST(Tuning, BothProtocolsAreComparedInOneProcess) {
    const auto lines = lines_of({"bench", "fib", "--repeat", "2", "--workers", "3", "--scheduler", "parley,parley-papers",
                                 "--json", "-", "--tuning", "steal=half,termination=counter"});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("scheduler"), "parley");
    EXPECT_EQ(lines[0].at("tuning"), (json{{"steal", "half"}}));
    EXPECT_EQ(lines[1].at("scheduler"), "parley-papers");
    EXPECT_EQ(lines[1].at("tuning"), (json{{"steal", "half"}, {"termination", "counter"}}));
    for (const json& line : lines) EXPECT_EQ(line.at("verified"), true);
}

}  // namespace
