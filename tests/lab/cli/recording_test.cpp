// --profile, --profile-svg and --trace.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sys/stat.h>
#include <utility>

#include "lab/command/profile.hpp"
#include "tests/running_command.hpp"

namespace {

using namespace parley_tests;
using namespace std::chrono_literals;
using nlohmann::json;
using parley_cli::profile_chart;
using parley_cli::profile_picture;
using parley_cli::terminal;
using parley_peers::worker_times;

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) {
        ++n;
    }
    return n;
}

const std::vector<worker_times> two_workers{{8, 1, 0.5, 0.25, 0.25}, {2, 0, 0, 0, 2}};

TEST(Profile, DrawsEachPartOfEachWorker) {
    EXPECT_EQ(profile_chart(two_workers, terminal{}),
              "  time of each worker, in percent: # running tasks, + enqueueing, dequeueing, o moving tasks, . moving "
              "requests,   idle\n"
              "  worker   0  ################################++++oo.    80.0  10.0   5.0   2.5   2.5\n"
              "  worker   1  ####################                       50.0   0.0   0.0   0.0  50.0\n");
    EXPECT_EQ(profile_chart({}, terminal{}), "");
}

TEST(Profile, OfAWorkerWithoutTimeIsEmpty) {
    EXPECT_NE(profile_chart({{}}, terminal{}).find("  0.0   0.0   0.0   0.0   0.0\n"), std::string::npos);
}

TEST(Profile, PictureHasOneBarAPart) {
    const std::string svg = profile_picture(two_workers, "a < b & c");
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(count(svg, "<title>worker 0: "), 5U);
    EXPECT_EQ(count(svg, "<title>worker 1: "), 5U);
    EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
    EXPECT_NE(svg.find("running tasks 80.00 %, 8 s"), std::string::npos);
}

TEST(Profile, OfARunAddsUpToAHundredPercent) {
    const said answer = run({"run", "spc", "--workers", "3", "--repeat", "2", "--profile"}, {"LC_ALL=C"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    const std::regex row("worker +[012]  .{40} +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+)\n");
    int rows = 0;
    for (std::sregex_iterator m(answer.out.begin(), answer.out.end(), row), end; m != end; ++m, ++rows) {
        double sum = 0;
        for (std::size_t i = 1; i <= 5; ++i) {
            sum += std::stod((*m)[i]);
        }
        EXPECT_NEAR(sum, 100, 0.3);  // of five rounded numbers
    }
    EXPECT_EQ(rows, 3) << answer.out;
}

TEST(Profile, GoesIntoAFileToo) {
    const scratch_folder here;
    const said answer =
        run({"run", "fib", "--n", "20", "--workers", "2", "--repeat", "1", "--profile-svg", here.file("p.svg")});
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(count(read(here.file("p.svg")), "<title>worker "), 10U);
    EXPECT_NE(answer.out.find("time of each worker"), std::string::npos);
}

// The library would show it, too.
TEST(Profile, ByTheEnvironmentIsInTheReportAlone) {
    const said answer = run({"run", "fib", "--n", "15", "--workers", "2", "--repeat", "1"}, {"PARLEY_PROFILE=1"});
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(count(answer.out, "time of each worker"), 1U) << answer.out;
    EXPECT_EQ(answer.err, "");
}

TEST(Profile, IsOfParleyOnly) {
    for (const char* option : {"--profile", "--trace=x.json", "--profile-svg=x.svg"}) {
        const said answer = run({"run", "fib", "--scheduler", "deque", option});
        EXPECT_EQ(answer.status, 2);
        EXPECT_NE(answer.err.find("is for --scheduler parley or parley-papers, not deque"), std::string::npos) << answer.err;
        EXPECT_EQ(answer.out, "");
    }
}

TEST(Profile, WhatCannotBeWrittenIsRefusedBeforeAnythingRuns) {
    const scratch_folder here;
    ASSERT_EQ(mkfifo(here.file("pipe").c_str(), 0600), 0);
    for (const char* option : {"--trace", "--profile-svg"}) {
        for (const std::string& file : {std::string("/nowhere/x"), std::string("/"), here.file("pipe")}) {
            const said answer = run({"run", "fib", option, file});
            EXPECT_EQ(answer.status, 2);
            EXPECT_TRUE(answer.err.starts_with(std::string("parley run: ") + option + " " + file + ": cannot write it"))
                << answer.err;
            EXPECT_EQ(count(answer.err, "\n"), 1U);
            EXPECT_EQ(answer.out, "");
        }
    }
}

TEST(Profile, OnAFullDiskTheRunFails) {
    for (const char* option : {"--trace", "--profile-svg"}) {
        const said answer = run({"run", "fib", "--n", "20", "--repeat", "1", option, "/dev/full"});
        EXPECT_EQ(answer.status, 1) << option;
        EXPECT_NE(answer.err.find("No space left on device"), std::string::npos) << answer.err;
        EXPECT_EQ(count(answer.err, "\n"), 1U) << answer.err;
    }
}

TEST(Profile, NothingIsWrittenWhereSomethingElseIsWrong) {
    const scratch_folder here;
    const std::string file = here.file("old.json");
    EXPECT_EQ(run({"run", "matmul", "--n", "64", "--trace", file, "--json", "/no/such/folder/x"}).status, 2);
    EXPECT_EQ(here.names(), std::vector<std::string>{});
    std::ofstream(file) << "old";
    EXPECT_EQ(run({"run", "matmul", "--n", "64", "--trace", file, "--json", "/no/such/folder/x"}).status, 2);
    EXPECT_EQ(read(file), "old");
}

TEST(Profile, TwoFilesMustDiffer) {
    const scratch_folder here;
    const std::string file = here.file("same");
    for (const auto& [one, other] : {std::pair("--json", "--trace"), std::pair("--trace", "--profile-svg")}) {
        const said answer = run({"run", "fib", "--n", "20", one, file, other, file});
        EXPECT_EQ(answer.status, 2) << other;
        EXPECT_NE(answer.err.find(std::string(other) + " " + file + ": is " + one + "'s, too"), std::string::npos)
            << answer.err;
        EXPECT_EQ(here.names(), std::vector<std::string>{});
    }
}

// Whoever asks for it by the environment hears of it, too.
TEST(Trace, OnAFullDiskBenchFailsToo) {
    const said answer = run({"bench", "fib", "--scheduler", "parley", "--workers", "1", "--repeat", "1", "--size", "small"},
                            {"PARLEY_TRACE=/dev/full"});
    EXPECT_EQ(answer.status, 1);
    EXPECT_NE(answer.err.find("No space left on device"), std::string::npos) << answer.err;
}

TEST(Trace, IsJsonWithEachRepetition) {
    const scratch_folder here;
    const said answer = run({"run", "treerec", "--workers", "2", "--repeat", "3", "--trace", here.file("t.json")});
    ASSERT_EQ(answer.status, 0) << answer.err;
    const json events = json::parse(read(here.file("t.json")));
    int runs = 0;
    for (const json& e : events) {
        runs += e.value("ph", "") == "B" && e.value("name", "") == "run" ? 1 : 0;
    }
    EXPECT_GE(runs, 3);
}

TEST(Trace, ByTheEnvironmentToo) {
    const scratch_folder here;
    const said answer = run({"run", "fib", "--n", "15", "--repeat", "1"}, {"PARLEY_TRACE=" + here.file("t.json")});
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_TRUE(json::accept(read(here.file("t.json"))));
    const said refused = run({"run", "fib"}, {"PARLEY_TRACE=/nowhere/x"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("PARLEY_TRACE=/nowhere/x: No such file or directory"), std::string::npos) << refused.err;
}

// However it ends.
TEST(Trace, IsWrittenWhenTheRunIsInterruptedOrKilledByAFault) {
    const scratch_folder here;
    for (const int signal : {SIGINT, SIGSEGV}) {
        const std::string file = here.file(std::to_string(signal));
        running_command command({"run", "uts", "--tree", "T1XL", "--workers", "2", "--trace", file},
                                {"PARLEY_TRACE_EVENTS=2000",
                                 // It is to die of the signal; the sanitizers would end it in their own way.
                                 "ASAN_OPTIONS=handle_segv=0", "TSAN_OPTIONS=handle_segv=0"});
        ASSERT_TRUE(command.still_runs_after(1500ms));
        command.signal(signal);
        EXPECT_EQ(command.finish().status, signal == SIGINT ? 130 : 128 + SIGSEGV);
        const json events = json::parse(read(file), nullptr, false);
        ASSERT_FALSE(events.is_discarded()) << read(file).substr(0, 1000);
        EXPECT_GT(events.size(), 5U);
    }
}

}  // namespace
