// parley sim --weigh: virtual workers weigh what they give, as threads do.
#include "tests/lab/cli/sim_command.hpp"

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

}  // namespace
}  // namespace parley_tests::sim_command
