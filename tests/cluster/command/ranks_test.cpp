// `parley cluster`, on ranks that are threads: what mpirun adds is tested in tests/cluster/mpi.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/running_command.hpp"

namespace {

using nlohmann::json;
using parley_tests::said;
using parley_tests::scratch_folder;

said cluster(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "cluster");
    return parley_tests::running_command(arguments).finish();
}

class Cluster : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(std::filesystem::path(PARLEY_COMMAND).parent_path() / "parley-cluster")) {
            GTEST_SKIP() << "this build has no MPI";
        }
    }
};

TEST_F(Cluster, RunsEachProgramAndChecksIt) {
    for (const std::vector<std::string>& program :
         std::vector<std::vector<std::string>>{{"uts", "--tree", "T1"},
                                               {"nqueens", "--n", "9"},
                                               {"chemistry", "--cells", "20"},
                                               {"dlb", "--work", "20ms", "--tasks", "40", "--bytes", "1k"}}) {
        std::vector<std::string> words = program;
        words.insert(words.end(), {"--local", "3", "--repeat", "1"});
        const said s = cluster(words);
        EXPECT_EQ(s.status, 0) << s.err;
        EXPECT_NE(s.out.find(program[0] + " on 3 ranks"), std::string::npos) << s.out;
        EXPECT_NE(s.out.find(", right"), std::string::npos) << s.out;
    }
}

TEST_F(Cluster, WritesOneLineOfJson) {
    const scratch_folder folder;
    const std::string file = folder.file("line.json");
    const said s = cluster({"dlb", "--local", "2", "--work", "10ms", "--tasks", "20", "--repeat", "2", "--json", file});
    ASSERT_EQ(s.status, 0) << s.err;
    std::ifstream in(file);
    std::string text;
    ASSERT_TRUE(std::getline(in, text));
    const json line = json::parse(text);
    EXPECT_EQ(line.at("program"), "dlb");
    EXPECT_EQ(line.at("scheduler"), "parley");
    EXPECT_EQ(line.at("workers"), 2);
    EXPECT_EQ(line.at("repetitions"), 2);
    EXPECT_EQ(line.at("parameters").at("ranks"), 2);
    EXPECT_EQ(line.at("result"), json({{"results", 40}}));
    EXPECT_EQ(line.at("verified"), true);
    EXPECT_EQ(line.at("counters").at("tasks"), 40);
    EXPECT_GT(line.at("efficiency").get<double>(), 0.0);
    for (const char* key : {"min", "p10", "median", "p90", "max", "mean", "sem"}) {
        EXPECT_TRUE(line.at("seconds").contains(key)) << key;
    }
    for (const char* key : {"tuning", "serial_seconds", "speedup", "machine", "compiler", "commit"}) {
        EXPECT_TRUE(line.contains(key)) << key;
    }
    EXPECT_FALSE(std::getline(in, text)) << "one line";
}

TEST_F(Cluster, DrawsATimelineOfAllRanks) {
    const scratch_folder folder;
    const std::string file = folder.file("trace.json");
    ASSERT_EQ(cluster({"dlb", "--local", "2", "--work", "5ms", "--tasks", "10", "--repeat", "1", "--trace", file}).status,
              0);
    const json trace = json::parse(std::ifstream(file));
    std::size_t tasks = 0;
    for (const json& event : trace.at("traceEvents")) {
        tasks += event.at("ph") == "X" ? 1U : 0U;
    }
    EXPECT_EQ(tasks, 20U);
}

TEST_F(Cluster, GoesOnWithoutLostRanks) {
    const said s = cluster({"dlb", "--local", "5", "--work", "100ms", "--tasks", "50", "--repeat", "1", "--redo-lost",
                            "--lose", "2@30ms", "--lose", "4@50ms"});
    EXPECT_EQ(s.status, 0) << s.err;
    EXPECT_NE(s.out.find(", right"), std::string::npos) << s.out;
}

TEST_F(Cluster, AnInterruptedRunSaysWhatItWaitedForAndLeavesALine) {
    std::string err;
    // On a busy machine it may not have begun with the tasks after a while, and says so; after a longer one it has.
    for (const int patience : {300, 3000, 20'000}) {
        const scratch_folder folder;
        const std::string file = folder.file("line.json");
        parley_tests::running_command run(
            {"cluster", "dlb", "--local", "2", "--work", "600s", "--tasks", "10000", "--json", file});
        while (!std::filesystem::exists(file + ".partial")) ASSERT_TRUE(run.still_runs_after(std::chrono::milliseconds(10)));
        ASSERT_TRUE(run.still_runs_after(std::chrono::milliseconds(patience)));
        run.signal(SIGINT);
        const said s = run.finish();
        EXPECT_EQ(s.status, 130);
        EXPECT_NE(s.err.find("interrupted in dlb: "), std::string::npos) << s.err;
        EXPECT_FALSE(std::filesystem::exists(file));
        const json line = json::parse(std::ifstream(file + ".partial"));
        EXPECT_EQ(line.at("verified"), false);
        EXPECT_EQ(line.at("repetitions"), 0);
        err = s.err;
        if (err.find("this rank has run") != std::string::npos) break;
    }
    EXPECT_NE(err.find("repetition 1 of 3"), std::string::npos) << err;
    EXPECT_NE(err.find("this rank has run"), std::string::npos) << err;
}

TEST_F(Cluster, SaysHowFarItIs) {
    const said s =
        cluster({"dlb", "--local", "2", "--work", "200ms", "--tasks", "100", "--repeat", "1", "--progress", "20ms"});
    EXPECT_EQ(s.status, 0) << s.err;
    EXPECT_NE(s.err.find("dlb: repetition 1 of 1"), std::string::npos) << s.err;
}

TEST_F(Cluster, WritesWhatEachRankBroughtAndDid) {
    const scratch_folder folder;
    const std::string file = folder.file("shares.csv");
    ASSERT_EQ(cluster({"dlb", "--local", "3", "--work", "5ms", "--tasks", "10", "--profile", "one", "--repeat", "1",
                       "--shares", file})
                  .status,
              0);
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "rank,brought_tasks,brought_work,ran_tasks,busy_seconds");
    std::vector<std::string> ranks;
    while (std::getline(in, line)) ranks.push_back(line);
    ASSERT_EQ(ranks.size(), 3U);
    EXPECT_EQ(ranks[0].rfind("0,30,0.015,", 0), 0U) << ranks[0];
    EXPECT_EQ(ranks[2].rfind("2,0,0,", 0), 0U) << ranks[2];
}

TEST_F(Cluster, RefusesWhatMakesNoSense) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{}, "which program"},
        {{"nosuch"}, "programs: dlb, uts"},
        {{"dbl"}, "did you mean 'dlb'"},
        {{"dlb", "--work", "fast"}, "a time, as 1s"},
        {{"dlb", "--bytes", "-1"}, "--bytes"},
        {{"dlb", "--tasks", "0"}, "at least 1"},
        {{"dlb", "--tasks", "1.5"}, "whole number"},
        {{"dlb", "--steal", "all"}, "one, half, adaptive"},
        {{"dlb", "--workers", "0"}, "--workers"},
        {{"dlb", "--repeat", "0"}, "--repeat"},
        {{"dlb", "--look", "0s"}, "--look"},
        {{"nqueens", "--n", "17"}, "1 to 16"},
        {{"uts", "--tree", "T9"}, "T1"},
        {{"uts", "--nosuch", "1"}, "--nosuch"},
        {{"uts", "--scheduler", "master"}, "only dlb and chemistry"},
        {{"dlb", "--lose", "1@1s"}, "--local"},
        {{"dlb", "--local", "2", "--lose", "1@1s"}, "--redo-lost"},
        {{"dlb", "--local", "2", "--redo-lost", "--lose", "2@1s"}, "not there"},
        {{"dlb", "--local", "2", "--redo-lost", "--lose", "x"}, "RANK@TIME"},
        {{"dlb", "--local", "2", "--connect", "1ms"}, "simulated ranks"},
        {{"dlb", "--local", "2", "--progress", "1us"}, "10ms or more"},
        {{"dlb", "--local", "2", "--shares", "/nosuch/file"}, "/nosuch/file"},
        {{"dlb", "--local", "2", "--json", "/nosuch/file"}, "/nosuch/file"},
        {{"dlb", "--local", "2", "--trace", "/nosuch/file"}, "/nosuch/file"}};
    for (const auto& [arguments, says] : wrong) {
        const said s = cluster(arguments);
        EXPECT_EQ(s.status, 2) << says;
        EXPECT_NE(s.err.find(says), std::string::npos) << s.err;
        EXPECT_EQ(std::count(s.err.begin(), s.err.end(), '\n'), 1) << s.err;
        EXPECT_EQ(s.out, "");
    }
}

TEST_F(Cluster, ListsProgramsAndOptions) {
    const said programs = cluster({"--help"});
    EXPECT_EQ(programs.status, 0);
    for (const char* name : {"dlb", "uts", "nqueens", "chemistry"}) {
        EXPECT_NE(programs.out.find(name), std::string::npos);
    }
    const said options = cluster({"dlb", "--help"});
    EXPECT_EQ(options.status, 0);
    for (const char* name : {"--profile", "--overlay", "--steal", "--look", "--json"}) {
        EXPECT_NE(options.out.find(name), std::string::npos);
    }
}

}  // namespace
