// The parts of the command that need no process of their own.
#include <gtest/gtest.h>

#include <cmath>

#include "broker/command/log_json.hpp"
#include "lab/command/result_check.hpp"
#include "command/statistics.hpp"
#include "command/terminal.hpp"

namespace {

using namespace parley_cli;

TEST(Statistics, OfOneSample) {
    const summary s = summarise({2.0});
    for (const double value : {s.min, s.p10, s.median, s.p90, s.max, s.mean}) {
        EXPECT_EQ(value, 2.0);
    }
    EXPECT_EQ(s.sem, 0.0);
}

TEST(Statistics, OfSamplesInAnyOrder) {
    const summary s = summarise({5, 1, 4, 2, 3, 11, 7, 10, 8, 6, 9});
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.p10, 2);
    EXPECT_EQ(s.median, 6);
    EXPECT_EQ(s.p90, 10);
    EXPECT_EQ(s.max, 11);
    EXPECT_EQ(s.mean, 6);
    EXPECT_DOUBLE_EQ(s.sem, 1.0);  // variance 110 / 10 = 11, over 11 samples
}

TEST(Statistics, MedianOfAnEvenNumberIsBetween) {
    EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(index_of_median({4, 1, 3, 2}), 3U);
    EXPECT_EQ(index_of_median({4, 1, 3}), 2U);
}

using parley_programs::json;

TEST(ResultCheck, KnownValuesMustBeFound) {
    result_check check(json{{"value", 3}});
    EXPECT_EQ(check.complaint("deque", {{"value", 4}}), "deque found value = 4, but it is 3");
    EXPECT_EQ(check.complaint("deque", {{"value", 3}}), "");
}

TEST(ResultCheck, WithinABoundAllMustFindTheSame) {
    result_check check(json{{"error", {{"at_most", 0.25}}}});
    EXPECT_EQ(check.complaint("deque", {{"error", 0.5}}), "deque found error = 0.5, but it is at most 0.25");
    EXPECT_EQ(check.complaint("deque", {{"error", std::nan("")}}), "deque found error = null, but it is at most 0.25");
    EXPECT_EQ(check.complaint("deque", {{"error", 0.125}}), "");
    EXPECT_EQ(check.complaint("serial", {{"error", 0.125}}), "");
    EXPECT_EQ(check.complaint("parley", {{"error", 0.0}}), "parley found error = 0.0, but it is 0.125");
}

// More cores than one word of the set has room for, and a program that may use all.
TEST(BrokerLog, KeepsWhichCoresProgramsMayUse) {
    using namespace parley::broker;
    const usable_cores some(70, [](core_id c) { return c == 3 || c == 63 || c == 69; });
    ASSERT_EQ(some.words().size(), 2U);
    for (const usable_cores& usable : {some, usable_cores{}}) {
        led_program p{.row = {.program = 7, .most = 3, .version = 2, .usable = usable}, .wish = {}};
        p.cores[69] = 5;
        p.asked_how = terms::first;
        const std::vector<input> inputs{joining{.program = 7, .usable = usable},
                                        message{1, 0, claim_delta{p.row}}, message{1, 0, handover{p}}};
        for (const input& in : inputs) {
            record r{.in = in, .out = {}};
            r.out.messages = {{0, 1, claim_delta{p.row}}, {0, 1, handover{p}}};
            r.out.decisions = {{deed::loses, reason::makes_room, 7, 3}};
            const auto [section, again] = parley_cli::read_record(json::parse(parley_cli::json_of(1, r).dump()));
            EXPECT_EQ(section, 1U);
            EXPECT_EQ(again, r);
        }
    }
    const json all = parley_cli::json_of(0, {.in = joining{.program = 7}, .out = {}});
    EXPECT_EQ(all.dump().find("usable"), std::string::npos);
}

TEST(Terminal, BarsAreAsLongAsTheirPart) {
    const terminal plain{};
    EXPECT_EQ(plain.bar(0, 10), "");
    EXPECT_EQ(plain.bar(0.5, 10), "#####");
    EXPECT_EQ(plain.bar(1, 10), "##########");
    EXPECT_EQ(plain.bar(7, 10), "##########");
    const terminal utf8{false, false, true};
    EXPECT_EQ(utf8.bar(1, 3), "███");
    EXPECT_EQ(utf8.bar(0.5, 3), "█▌");
}

TEST(Terminal, ColoursOnlyWhereWanted) {
    EXPECT_EQ(terminal{}.bold("x"), "x");
    EXPECT_EQ((terminal{true, true, false}.bold("x")), "\033[1mx\033[0m");
}

}  // namespace
