// `parley run`: what it prints and what it writes when all goes well.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "lab/programs/program.hpp"
#include "tests/running_command.hpp"

namespace {

using nlohmann::json;
using parley_tests::read;
using parley_tests::run;
using parley_tests::said;

std::set<std::string> keys_of(const json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items()) {
        keys.insert(key);
    }
    return keys;
}

const std::set<std::string> contract{"program",     "parameters", "tuning",         "scheduler", "workers",
                                     "repetitions", "seconds",    "serial_seconds", "speedup",   "result",
                                     "verified",    "counters",   "machine",        "compiler",  "commit"};

json line_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const said answer = run(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out.find('\n'), answer.out.size() - 1) << "one line and nothing else";
    return json::parse(answer.out);
}

TEST(Run, FrontDoorSaysWhatItFound) {
    const said answer = run({"run", "uts", "--tree", "T1", "--repeat", "1", "--workers", "2"});
    EXPECT_EQ(answer.status, 0);
    EXPECT_EQ(answer.err, "") << "progress is for terminals";
    for (const char* part : {"nodes     4130071", "depth     10", "leaves    3305118", "verified  yes", "seconds", "serial",
                             "speedup", "steals", "worker   0", "worker   1", "How to go on", "parley run"}) {
        EXPECT_NE(answer.out.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(answer.out.find('\033'), std::string::npos) << "colour is for terminals";
}

TEST(Run, BarsAreAsciiOutsideUtf8) {
    const auto with_locale = [](const char* locale) {
        return run({"run", "uts", "--tree", "T3", "--repeat", "1"}, {std::string("LC_ALL=") + locale}).out;
    };
    EXPECT_EQ(with_locale("C").find("█"), std::string::npos);
    EXPECT_NE(with_locale("C").find("###"), std::string::npos);
    EXPECT_NE(with_locale("C.UTF-8").find("█"), std::string::npos);
}

TEST(Run, JsonHasTheContractsKeys) {
    const json line = line_of({"run", "uts", "--tree", "T3", "--repeat", "3", "--workers", "2"});
    EXPECT_EQ(keys_of(line), contract);
    EXPECT_EQ(line["program"], "uts");
    EXPECT_EQ(line["parameters"], (json{{"tree", "T3"}, {"seed", 42}}));
    EXPECT_EQ(line["tuning"], json::object());
    EXPECT_EQ(line["scheduler"], "parley");
    EXPECT_EQ(line["workers"], 2);
    EXPECT_EQ(line["repetitions"], 3);
    EXPECT_EQ(line["result"], (json{{"nodes", 4112897}, {"depth", 1572}, {"leaves", 3599034}}));
    EXPECT_EQ(line["verified"], true);
    EXPECT_EQ(keys_of(line["counters"]),
              (std::set<std::string>{"tasks", "steals", "failed", "messages", "splits", "sleeps", "wakes", "interrupts"}));
    EXPECT_GE(line["counters"]["tasks"], 4112897 - 1) << "each node but the root is a task";
    for (const char* text : {"machine", "compiler", "commit"}) {
        EXPECT_TRUE(line[text].is_string() && !line[text].get<std::string>().empty()) << text;
    }
}

TEST(Run, SecondsAreInOrderAndTheSpeedupIsTheirs) {
    const json line = line_of({"run", "nqueens", "--n", "9", "--repeat", "7"});
    const json& s = line["seconds"];
    EXPECT_EQ(keys_of(s), (std::set<std::string>{"min", "p10", "median", "p90", "max", "mean", "sem"}));
    EXPECT_GT(s["min"], 0);
    EXPECT_LE(s["min"], s["p10"]);
    EXPECT_LE(s["p10"], s["median"]);
    EXPECT_LE(s["median"], s["p90"]);
    EXPECT_LE(s["p90"], s["max"]);
    EXPECT_LE(s["mean"], s["max"]);
    EXPECT_GE(s["mean"], s["min"]);
    EXPECT_GE(s["sem"], 0);
    EXPECT_DOUBLE_EQ(line["speedup"], line["serial_seconds"].get<double>() / s["median"].get<double>());
}

TEST(Run, FibHasItsInlinedTimeBesideTheSerialOne) {
    const json line = line_of({"run", "fib", "--n", "25", "--repeat", "3"});
    std::set<std::string> keys = contract;
    keys.insert("serial_inlined_seconds");
    EXPECT_EQ(keys_of(line), keys);
    EXPECT_EQ(line["result"], (json{{"value", 75025}}));
    EXPECT_GT(line["serial_inlined_seconds"], 0);
    const std::string out = run({"run", "fib", "--n", "25", "--workers", "1"}).out;
    EXPECT_NE(out.find("T1/forks"), std::string::npos);
    EXPECT_NE(out.find("(T1 - TS)/forks"), std::string::npos);
}

std::vector<std::string> names_of_all_programs() {
    std::vector<std::string> names;
    for (const parley_programs::program& p : parley_programs::all_programs()) {
        names.emplace_back(p.name);
    }
    return names;
}
std::string as_test_name(const testing::TestParamInfo<std::string>& program) {
    std::string name = program.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class EachProgram : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Programs, EachProgram, testing::ValuesIn(names_of_all_programs()), as_test_name);

TEST_P(EachProgram, RunsOnEveryScheduler) {
    for (const std::string& scheduler : parley_programs::schedulers_of(*parley_programs::find_program(GetParam()))) {
        // Without trying OpenMP's schedules out: that is tested with one program, and takes long.
        const std::vector<std::string> arguments{"run",      GetParam(), "--scheduler", scheduler,
                                                 "--repeat", "1",        "--json",      "-"};
        const json line = json::parse(run(arguments, {"OMP_SCHEDULE=static"}).out);
        EXPECT_EQ(line["verified"], true) << line;
        EXPECT_EQ(line["scheduler"], scheduler);
    }
}

TEST(Run, SerialHasOneWorkerAndNoCounters) {
    const json line = line_of({"run", "fib", "--n", "20", "--scheduler", "serial"});
    EXPECT_EQ(line["workers"], 1);
    EXPECT_TRUE(line["counters"].is_null());
    EXPECT_GT(line["serial_seconds"], 0);
}

TEST(Run, SeedMakesAnotherTreeVerifiedBySerial) {
    const json line = line_of({"run", "uts", "--tree", "T5", "--seed", "35", "--repeat", "1"});
    EXPECT_EQ(line["parameters"]["seed"], 35);
    EXPECT_NE(line["result"]["nodes"], 4147582);
    EXPECT_EQ(line["verified"], true);
}

TEST(Run, WorkersComeFromOptionThenEnvironment) {
    const std::vector<std::string> fib{"run", "fib", "--n", "20", "--json", "-"};
    const auto workers = [&](const std::vector<std::string>& more, const std::vector<std::string>& environment) {
        std::vector<std::string> arguments = fib;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return json::parse(run(arguments, environment).out).at("workers").get<int>();
    };
    EXPECT_EQ(workers({}, {"PARLEY_WORKERS=3"}), 3);
    EXPECT_EQ(workers({"--workers", "2"}, {"PARLEY_WORKERS=3"}), 2);
    EXPECT_EQ(workers({"--workers=5"}, {}), 5);
    EXPECT_EQ(workers({"--workers", "2", "--workers", "4"}, {}), 4) << "the last one counts";
}

TEST(Run, ManyMoreWorkersThanCoresWork) {
    const json line = line_of({"run", "fib", "--n", "22", "--workers", "64", "--repeat", "2"});
    EXPECT_EQ(line["workers"], 64);
    EXPECT_EQ(line["verified"], true);
}

TEST(Run, JsonFileAppearsWhole) {
    const parley_tests::scratch_folder folder;
    const std::string file = folder.file("result.json");
    std::ofstream(file) << "what was there before\n";
    std::ofstream(file + ".partial") << "left by an interrupted run\n";
    const said answer = run({"run", "fib", "--n", "20", "--json", file});
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.out.find("6765"), std::string::npos) << "people read on";
    EXPECT_EQ(folder.names(), std::vector<std::string>{"result.json"});
    const std::string text = read(file);
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    EXPECT_EQ(keys_of(json::parse(text)).count("program"), 1U);
}

TEST(Run, JsonMayGoIntoAPipe) {
    const parley_tests::scratch_folder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    parley_tests::running_command command({"run", "fib", "--n", "20", "--json", pipe});
    EXPECT_EQ(json::parse(read(pipe)).at("program"), "fib");
    EXPECT_EQ(command.finish().status, 0);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"pipe"});
}

TEST(Run, FullDiskIsAFailure) {
    const said answer = run({"run", "fib", "--n", "20", "--json", "/dev/full"});
    EXPECT_EQ(answer.status, 1);
    EXPECT_NE(answer.err.find("/dev/full"), std::string::npos);
}

TEST(Run, WhatCannotBeSaidIsAFailure) {
    for (const char* command : {"info", "--help", "run fib --n 20 --repeat 1"}) {
        const parley_tests::scratch_folder folder;
        const std::string line = std::string(PARLEY_COMMAND) + " " + command + " >/dev/full 2>" + folder.file("said");
        EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1) << command;
        EXPECT_NE(read(folder.file("said")).find("cannot write standard output: No space left"), std::string::npos)
            << command;
        const std::string closed = std::string(PARLEY_COMMAND) + " " + command + " >&- 2>" + folder.file("said");
        EXPECT_EQ(WEXITSTATUS(std::system(closed.c_str())), 0) << command;
    }
}

TEST(Info, SaysWhatThereIs) {
    const said answer = run({"info"}, {"PARLEY_WORKERS=3", "PARLEY_BIND=none"});
    EXPECT_EQ(answer.status, 0);
    EXPECT_EQ(answer.err, "");
    for (const char* part : {"commit", "compiler", "machine", "numa", "affinity", "cgroup", "parley, deque", "workers   3",
                             "from PARLEY_WORKERS", "PARLEY_WORKERS=3", "PARLEY_BIND=none"}) {
        EXPECT_NE(answer.out.find(part), std::string::npos) << part;
    }
}

}  // namespace
