// `parley bench`: what it measures, prints and writes, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "lab/command/suite.hpp"
#include "lab/programs/program.hpp"
#include "tests/running_command.hpp"

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using parley_tests::read;
using parley_tests::run;
using parley_tests::running_command;
using parley_tests::said;
using parley_tests::scratch_folder;

std::vector<json> lines_of(const std::string& text) {
    std::vector<json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(json::parse(line));
    }
    return lines;
}

TEST(Bench, OneLineForEachProgramSchedulerAndNumberOfWorkers) {
    const said answer = run({"bench", "uts", "nqueens", "--scheduler", "parley,deque,serial", "--workers", "1,2", "--repeat",
                             "2", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, int> found;
    for (const json& line : lines_of(answer.out)) {
        ++found[line.at("program").get<std::string>() + " " + line.at("scheduler").get<std::string>() + " " +
                line.at("workers").dump()];
        EXPECT_TRUE(line.at("verified").get<bool>());
        EXPECT_EQ(line.at("repetitions"), 2);
        EXPECT_GT(line.at("serial_seconds").get<double>(), 0.0);
        EXPECT_GT(line.at("speedup").get<double>(), 0.0);
        EXPECT_EQ(line.at("tuning"), json::object());
    }
    const std::map<std::string, int> wanted{{"uts parley 1", 1},     {"uts parley 2", 1},    {"uts deque 1", 1},
                                            {"uts deque 2", 1},      {"uts serial 1", 1},    {"nqueens parley 1", 1},
                                            {"nqueens parley 2", 1}, {"nqueens deque 1", 1}, {"nqueens deque 2", 1},
                                            {"nqueens serial 1", 1}};
    EXPECT_EQ(found, wanted);
}

TEST(Bench, TableComparesWithParley) {
    const said answer = run({"bench", "fib", "--workers", "1", "--scheduler", "deque,parley", "--repeat", "3"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    for (const char* part :
         {"fib", "serial", "inlined by the compiler", "parley", "deque", "3 rounds", "95% interval", "commit"}) {
        EXPECT_NE(answer.out.find(part), std::string::npos) << part;
    }
}

TEST(Bench, AllSchedulersOfThisBuildAgree) {
    const said answer = run({"bench", "nqueens", "--workers", "2", "--repeat", "1", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(lines_of(answer.out).size(), parley_programs::scheduler_names().size());
}

TEST(Bench, DefaultSchedulersAreThoseOfTheProgram) {
    const said answer = run({"bench", "spawns", "nqueens", "--workers", "1", "--repeat", "1", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::string>> found;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        found[line.at("program").get<std::string>()].insert(line.at("scheduler").get<std::string>());
    }
    for (const char* name : {"spawns", "nqueens"}) {
        const auto wanted = parley_programs::schedulers_of(*parley_programs::find_program(name));
        EXPECT_EQ(found[name], std::set<std::string>(wanted.begin(), wanted.end())) << name;
    }
}

// On one worker: OpenMP then has no schedules to try.
TEST(Bench, SuiteOfLoops) {
    const said answer = run({"bench", "--suite", "loops", "--repeat", "1", "--workers", "1", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::string>> found;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        const json& parameters = line.at("parameters");
        const auto program = line.at("program").get<std::string>();
        const auto scheduler = line.at("scheduler").get<std::string>();
        found[program + (parameters.contains("kind") ? parameters.at("kind").get<std::string>() : "")].insert(scheduler);
        const json& tuning = line.at("tuning");
        EXPECT_EQ(tuning.contains("split"), scheduler == "deque") << line;
        EXPECT_EQ(tuning.contains("schedule"), scheduler == "openmp" && program != "bpc-loop") << line;
    }
    const auto all = parley_programs::schedulers_of(*parley_programs::find_program("loop"));
    for (const char* name : {"loopFG", "loopCG", "loopRG", "loopIG", "loopDG", "saxpy", "sum", "dot", "mandelbrot", "nested",
                             "triangular", "bpc-loop", "empty-loop", "phasesmemory", "stencil", "n-body"}) {
        EXPECT_EQ(found[name], std::set<std::string>(all.begin(), all.end())) << name;
    }
    EXPECT_EQ(found.size(), 16U);
}

TEST(Bench, SuiteOfPhases) {
    const said answer = run({"bench", "--suite", "phases", "--repeat", "1", "--workers", "1", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::string>> found;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        found[line.at("program").get<std::string>() + line.at("parameters").dump()].insert(
            line.at("scheduler").get<std::string>());
    }
    EXPECT_EQ(found.size(), 8U);
    std::vector<std::string> all = parley_programs::schedulers_of(*parley_programs::find_program("phases"));
    std::erase(all, "serial");
    for (const auto& [work, schedulers] : found) {
        EXPECT_EQ(schedulers, std::set<std::string>(all.begin(), all.end())) << work;
    }
}

// Each beside those that are good at it: OpenMP would take minutes for the forks of fib.
TEST(Bench, ProgramsOfManyCoresHaveSchedulersOfTheirOwn) {
    const parley_cli::suite s = parley_cli::suite_named("many-cores", "small", 16);
    EXPECT_EQ(s.workers, std::vector<unsigned>{16});
    EXPECT_EQ(s.entries.size(), 11U);
    for (const parley_cli::bench_entry& e : s.entries) {
        EXPECT_FALSE(e.workload.empty());
        EXPECT_TRUE(e.is_for("parley")) << e.workload;
        EXPECT_EQ(e.is_for("openmp"), e.program->has_loops) << e.workload;
    }
}

TEST(Bench, WaitPolicyOfOpenMpIsTold) {
    const auto names = parley_programs::schedulers_of(*parley_programs::find_program("loop"));
    if (std::find(names.begin(), names.end(), "openmp") == names.end()) {
        GTEST_SKIP() << "not in this build";
    }
    const said answer =
        run({"bench", "mandelbrot", "--scheduler", "openmp,parley", "--repeat", "1", "--workers", "2", "--json", "-"},
            {"OMP_WAIT_POLICY=ACTIVE", "OMP_SCHEDULE=static"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        EXPECT_EQ(line.at("tuning"),
                  line.at("scheduler") == "parley" ? json::object() : json({{"schedule", "static"}, {"wait", "active"}}));
    }
}

TEST(Bench, NoNewRoundAfterSomeSeconds) {
    const said answer = run({"bench", "spawns", "--scheduler", "parley", "--workers", "1", "--seconds", "1", "--json", "-",
                             "--repeat", "100000"});
    const std::vector<json> lines = lines_of(answer.out);
    ASSERT_EQ(lines.size(), 1U) << answer.err;
    EXPECT_GE(lines[0].at("repetitions"), 3);
    EXPECT_LT(lines[0].at("repetitions"), 100000);
}

TEST(Bench, TableTellsWhatALoopTakes) {
    const said answer = run({"bench", "empty-loop", "--scheduler", "parley", "--workers", "1", "--repeat", "1"});
    EXPECT_NE(answer.out.find("us a loop"), std::string::npos) << answer.out;
    EXPECT_EQ(run({"bench", "nqueens", "--scheduler", "parley", "--workers", "1", "--repeat", "1"}).out.find("a loop"),
              std::string::npos);
    EXPECT_NE(run({"run", "empty-loop", "--repeat", "1"}).out.find("of 50000; serially"), std::string::npos);
}

TEST(Bench, SuiteOfFarms) {
    const said answer = run({"bench", "--suite", "farms", "--repeat", "1", "--workers", "2", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::string>> found;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        found[line.at("program").get<std::string>()].insert(line.at("scheduler").get<std::string>());
    }
    EXPECT_EQ(found.size(), 6U);
    for (const auto& [program, schedulers] : found) {
        EXPECT_TRUE(schedulers.contains("parley") && schedulers.contains("queue") && schedulers.contains("serial"))
            << program;
    }
}

TEST(Bench, SuiteOfLittleWork) {
    const said answer = run(
        {"bench", "--suite", "small", "--repeat", "2", "--workers", "2", "--apart", "10", "--beside", "1", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::size_t>> found;
    std::map<std::string, std::set<std::string>> programs_of;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        EXPECT_EQ(line.at("repetitions"), 2) << line;
        programs_of[line.at("scheduler")].insert(line.at("program"));
        EXPECT_EQ(line.at("parameters").at("beside"), 1) << line;
        EXPECT_GT(line.at("speedup").get<double>(), 0) << line;
        if (line.at("scheduler") != "parley") continue;
        EXPECT_TRUE(line.at("counters").at("wakes").is_number()) << line;
        found[line.at("program").get<std::string>()].insert(line.at("parameters").at("n").get<std::size_t>());
    }
    EXPECT_EQ(found.size(), 7U);
    for (const auto& [program, sizes] : found) {
        EXPECT_GE(sizes.size(), 5U) << program;
    }
    EXPECT_EQ(programs_of.contains("rayon"), programs_of.contains("chili"));
    if (programs_of.contains("rayon")) {
        EXPECT_EQ(programs_of["rayon"].size(), 6U) << "all but the scan";
        EXPECT_EQ(programs_of["chili"].size(), 3U) << "loop, reduction, forks";
    }
}

TEST(Bench, SuiteOfLittleWorkBriefly) {
    const said answer = run({"bench", "--suite", "small", "--repeat", "1", "--workers", "1", "--brief"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::size_t rows = 0;
    std::istringstream in(answer.out);
    for (std::string line; std::getline(in, line);) {
        rows += line.find("  parley ") != std::string::npos ? 1U : 0U;
    }
    EXPECT_EQ(rows, 43U) << answer.out;
}

TEST(Bench, SuiteStdComparesTheStandardsAlgorithms) {
    const said answer = run({"bench", "--suite", "std", "--algorithm", "sort,find early,nth_element", "--longest", "10000",
                             "--repeat", "2", "--workers", "2", "--json", "-"});
    if (answer.status == 2) GTEST_SKIP() << answer.err;  // another standard library
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::size_t>> found;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        EXPECT_EQ(line.at("repetitions"), 2) << line;
        EXPECT_EQ(line.at("workers"), 2) << line;
        if (line.at("scheduler") == "parley")
            found[line.at("program").get<std::string>()].insert(line.at("parameters").at("n").get<std::size_t>());
    }
    const std::set<std::size_t> both = {1000, 10000};
    const std::map<std::string, std::set<std::size_t>> expected = {
        {"std find early", both}, {"std nth_element", both}, {"std sort", both}};
    EXPECT_EQ(found, expected);
}

TEST(Bench, SuiteComesAfterWhatIsNamedAndOptionsWinOverIt) {
    const said answer = run({"bench", "uts", "saxpy", "--suite", "loops", "--scheduler", "parley", "--repeat", "1",
                             "--workers", "1", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    const std::vector<json> lines = lines_of(answer.out);
    ASSERT_EQ(lines.size(), 17U);
    EXPECT_EQ(lines[0].at("program"), "uts");
    EXPECT_EQ(lines[1].at("program"), "saxpy");
    for (const json& line : lines) {
        EXPECT_EQ(line.at("scheduler"), "parley");
        EXPECT_EQ(line.at("workers"), 1);
    }
}

TEST(Bench, WaysToDivideLoopsAreComparedByName) {
    const said answer = run({"bench", "nested", "--scheduler", "parley,parley-half,deque-eager", "--repeat", "1",
                             "--workers", "2", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, json> tuning;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>());
        tuning[line.at("scheduler").get<std::string>()] = line.at("tuning");
    }
    const std::map<std::string, json> wanted{
        {"parley", json::object()}, {"parley-half", {{"split", "half"}}}, {"deque-eager", {{"split", "eager"}}}};
    EXPECT_EQ(tuning, wanted);
}

TEST(Bench, FuturesAreComparedByName) {
    const said answer = run({"bench", "fib", "treerec", "--scheduler", "parley,parley-channel,parley-free-list", "--repeat",
                             "1", "--workers", "2", "--json", "-"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::map<std::string, std::set<std::string>> found;
    for (const json& line : lines_of(answer.out)) {
        EXPECT_TRUE(line.at("verified").get<bool>()) << line;
        found[line.at("program").get<std::string>()].insert(line.at("scheduler").get<std::string>());
    }
    const std::set<std::string> wanted{"parley", "parley-channel", "parley-free-list"};
    EXPECT_EQ(found["fib"], wanted);
    EXPECT_EQ(found["treerec"], wanted);
}

TEST(Bench, ScheduleOfTheEnvironmentIsTheUsersChoice) {
    const auto names = parley_programs::schedulers_of(*parley_programs::find_program("loop"));
    if (std::find(names.begin(), names.end(), "openmp") == names.end()) {
        GTEST_SKIP() << "not in this build";
    }
    const said answer = run({"bench", "sum", "--scheduler", "openmp", "--repeat", "1", "--workers", "2", "--json", "-"},
                            {"OMP_SCHEDULE=guided,7"});
    const std::vector<json> lines = lines_of(answer.out);
    ASSERT_EQ(lines.size(), 1U) << answer.err;
    EXPECT_EQ(lines[0].at("tuning"), (json{{"schedule", "guided,7"}}));
}

TEST(Bench, FileIsPartialUntilTheEnd) {
    const scratch_folder folder;
    // The serial spawns are plain calls: once they have run, there is a line.
    running_command command({"bench", "spawns", "uts", "--workers", "1", "--scheduler", "parley", "--repeat", "100000",
                             "--json", folder.file("f")});
    ASSERT_TRUE(command.still_runs_after(1500ms));
    command.signal(SIGINT);
    const said answer = command.finish();
    EXPECT_EQ(answer.status, 130);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"f.partial"});
    const std::vector<json> lines = lines_of(read(folder.file("f.partial")));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].at("program"), "spawns");
    EXPECT_FALSE(lines[0].at("verified").get<bool>());
}

struct mistake {
    std::vector<std::string> arguments;
    std::vector<std::string> in_message;
};

void expect_refused(const mistake& m) {
    std::vector<std::string> arguments{"bench"};
    arguments.insert(arguments.end(), m.arguments.begin(), m.arguments.end());
    const said answer = run(arguments);
    SCOPED_TRACE(answer.err);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    for (const std::string& part : m.in_message) {
        EXPECT_NE(answer.err.find(part), std::string::npos) << part;
    }
}

TEST(Bench, MistakesAreNamed) {
    expect_refused({{"nosuch"}, {"'nosuch'", "programs:"}});
    expect_refused({{"fib", "--scheduler", "nosuch"}, {"'nosuch'", "--scheduler", "parley"}});
    expect_refused({{"fib", "--scheduler", "parley,"}, {"--scheduler", "a,b,c"}});
    expect_refused({{"fib", "--workers", "1,x"}, {"--workers", "'x'", "1 to 4096"}});
    expect_refused({{"fib", "--workers", "0"}, {"--workers", "'0'"}});
    expect_refused({{"fib", "--repeat", "0"}, {"--repeat", "'0'", "1 to"}});
    expect_refused({{"fib", "--seconds", "0"}, {"--seconds", "'0'", "1 to"}});
    expect_refused({{"fib", "--size", "huge"}, {"--size", "'huge'", "small"}});
    expect_refused({{"fib", "--suite", "nosuch"}, {"--suite", "'nosuch'", "loops"}});
    expect_refused({{"--suite", ""}, {"--suite", "''", "loops"}});
    expect_refused({{"--suite", "small", "fib"}, {"fib", "--suite small --help"}});
    expect_refused({{"--suite", "small", "--repeat", "0"}, {"--repeat", "1"}});
    expect_refused({{"--suite", "small", "--beside", "x"}, {"--beside", "x"}});
    expect_refused({{"--suite", "small", "--json", "/nosuch/f"}, {"/nosuch/f"}});
    expect_refused({{"--suite", "std", "--algorithm", "bogosort"}, {"--algorithm", "bogosort"}});
    expect_refused({{"--suite", "std", "--shortest", "10000", "--longest", "1000"}, {"--longest", "--shortest"}});
    expect_refused({{"--suite", "std", "--workers", "0"}, {"--workers", "0"}});
    expect_refused({{"fib", "loop", "--scheduler", "deque-half"}, {"'deque-half'", "fib has none"}});
    expect_refused({{"fib", "uts", "--scheduler", "parley-channel"}, {"'parley-channel'", "uts does not"}});
    expect_refused({{"fib", "--nosuch"}, {"--nosuch"}});
    expect_refused({{"fib", "--json", "/nosuch/f"}, {"/nosuch/f"}});
}

TEST(Bench, PlotFolderIsTriedFirst) { expect_refused({{"fib", "--plot", "/dev/null/x"}, {"--plot", "/dev/null/x"}}); }

TEST(Bench, PlotsWhereMatplotlibIsAndSaysSoWhereNot) {
    const scratch_folder folder;
    const said answer = run(
        {"bench", "nqueens", "--workers", "1", "--scheduler", "parley,deque", "--repeat", "1", "--plot", folder.file("p")});
    if (answer.status == 2) {
        EXPECT_NE(answer.err.find("python3-matplotlib"), std::string::npos);
        GTEST_SKIP() << "no matplotlib here";
    }
    EXPECT_EQ(answer.status, 0) << answer.err;
    for (const char* name : {"p/speedup.svg", "p/speedup.png", "p/speedup.jsonl"}) {
        EXPECT_GT(read(folder.file(name)).size(), 500U) << name;
    }
}

}  // namespace
