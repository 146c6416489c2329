// `parley sim` as tests run it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/running_command.hpp"

// A room of its own: other files of this program have helpers of the same names.
namespace parley_tests::sim_command {

using nlohmann::json;
using words = std::vector<std::string>;

inline said simulate(const words& rest, const words& environment = {}) {
    words all{"sim"};
    all.insert(all.end(), rest.begin(), rest.end());
    return run(all, environment);
}

inline std::vector<json> lines_of(words arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const said answer = simulate(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::vector<json> all;
    std::istringstream in(answer.out);
    for (std::string line; std::getline(in, line);) all.push_back(json::parse(line));
    return all;
}

// In one line that has these parts.
inline void expect_refused(const words& arguments, const words& parts) {
    const said answer = simulate(arguments);
    SCOPED_TRACE(answer.err);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    for (const std::string& part : parts) EXPECT_NE(answer.err.find(part), std::string::npos) << part;
}

}  // namespace parley_tests::sim_command
