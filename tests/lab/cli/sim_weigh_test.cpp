// parley sim --weigh: virtual workers weigh what they give, as threads do.
#include "tests/lab/cli/sim_command.hpp"

#include <string>
#include <vector>

namespace parley_tests::sim_command {
namespace {

TEST(SimWeigh, WorkThatDoesNotPayIsNotGiven) {
    const auto of = [](const char* weigh) {
        return lines_of({"loop", "--kind", "FG", "--n", "3", "--t", "1us", "--workers", "16", "--weigh", weigh});
    };
    const std::vector<json> with = of("on"), without = of("off");
    ASSERT_TRUE(with.size() == 1 && without.size() == 1);
    EXPECT_EQ(with[0].at("tuning").at("weigh"), "on");
    EXPECT_FALSE(without[0].at("tuning").contains("weigh"));
    EXPECT_EQ(with[0].at("counters").at("steals"), 0) << "3 us are not worth giving";
    EXPECT_GT(without[0].at("counters").at("steals"), 0);
}

TEST(SimWeigh, IsTheDefaultButInThePapersWay) {
    const auto tuning_of = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"loop", "--kind", "FG", "--n", "3", "--t", "1us", "--workers", "4"});
        const std::vector<json> lines = lines_of(more);
        return lines.empty() ? json() : lines[0].at("tuning");
    };
    EXPECT_EQ(tuning_of({}).at("weigh"), "on");
    EXPECT_FALSE(tuning_of({"--termination", "manager"}).contains("weigh"));
}

}  // namespace
}  // namespace parley_tests::sim_command
