// parley sim --asleep, --cores, --beside and --slice: workers that sleep at first, and fewer cores than workers.
#include "command/usage.hpp"
#include "lab/command/sim/cost_file.hpp"
#include "tests/lab/cli/sim_command.hpp"

#include <string>
#include <vector>

namespace parley_tests::sim_command {
namespace {

words a_loop_and(const words& more) {
    words all{"loop", "--kind", "FG", "--n", "2000", "--t", "5us", "--workers", "4"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(SimCores, AreSharedByWorkersAndBusyPrograms) {
    const std::vector<json> lines = lines_of(a_loop_and({"--sweep", "cores=1,2,4", "--beside", "1", "--slice", "1ms"}));
    ASSERT_EQ(lines.size(), 3U);
    for (const json& line : lines) {
        EXPECT_EQ(line.at("tuning").at("beside"), 1);
        EXPECT_EQ(line.at("tuning").at("slice"), 0.001);
        EXPECT_GT(line.at("counters").at("core_losses"), 0);
        const double cores = line.at("tuning").at("cores");
        EXPECT_LT(line.at("speedup"), cores) << "a busy program has a part of them";
        EXPECT_GT(line.at("speedup"), cores * 0.4);
    }
    const json alone = lines_of(a_loop_and({})).at(0);
    EXPECT_FALSE(alone.at("tuning").contains("cores"));
    EXPECT_FALSE(alone.at("counters").contains("core_losses"));
}

TEST(SimCores, ThoseBesideShareOneForEachWorker) {
    EXPECT_EQ(lines_of(a_loop_and({"--beside", "2"})).at(0).at("tuning").at("cores"), 4);
}

TEST(SimCores, AReportSaysWhoSharesThem) {
    const said answer = simulate(a_loop_and({"--cores", "2", "--beside", "1", "--asleep"}));
    EXPECT_EQ(answer.status, 0);
    for (const char* part : {"asleep at first", "on 2 cores", "busy programs beside: 1", "slices of 4", "cores       lost"})
        EXPECT_NE(answer.out.find(part), std::string::npos) << part;
}

TEST(SimCores, RefuseWhatHasNoMeaning) {
    expect_refused(a_loop_and({"--slice", "1ms"}), {"--slice", "--cores"});
    expect_refused(a_loop_and({"--cores", "2", "--slice", "0"}), {"--slice", "above 0"});
    expect_refused(a_loop_and({"--cores", "0"}), {"--cores", "from 1"});
    expect_refused(a_loop_and({"--asleep", "--termination", "manager"}), {"--asleep", "--termination manager"});
    expect_refused(a_loop_and({"--asleep", "--failed", "backoff"}), {"--asleep", "--failed backoff"});
}

TEST(SimAsleep, WhatWasBeforeTheRootTaskDoesNotCount) {
    const json asleep = lines_of(a_loop_and({"--asleep"})).at(0), awake = lines_of(a_loop_and({})).at(0);
    EXPECT_EQ(asleep.at("tuning").at("asleep"), true);
    EXPECT_FALSE(awake.at("tuning").contains("asleep"));
    EXPECT_GE(asleep.at("counters").at("wakes"), 3) << "all were woken";
    EXPECT_GT(asleep.at("seconds"), awake.at("seconds"));
    EXPECT_LT(asleep.at("seconds"), 1.1 * awake.at("seconds").get<double>());
}

TEST(SimCores, ACostFileMaySayWhatASwitchCosts) {
    json costs = json::parse(parley_cli::text_of(parley_cli::costs_of("opteron-6172"), "a test's"));
    costs["switch_ns"] = 3000;
    EXPECT_EQ(parley_cli::costs_from(costs.dump(), "file").switch_thread, 3 * parley::sim::timed::microsecond);
    costs["switch_ns"] = -1;
    EXPECT_THROW((void)parley_cli::costs_from(costs.dump(), "file"), parley_cli::usage_error);
    costs.erase("switch_ns");
    EXPECT_EQ(parley_cli::costs_from(costs.dump(), "file").switch_thread, parley::sim::timed::costs().switch_thread);
}

}  // namespace
}  // namespace parley_tests::sim_command
