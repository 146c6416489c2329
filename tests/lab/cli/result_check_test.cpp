// What makes a result wrong.
#include "lab/command/result_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace parley_cli;
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

}  // namespace
