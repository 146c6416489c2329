// parley sim: what it prints is a function of its arguments; bad ones are refused in one line; it can be interrupted.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "command/usage.hpp"
#include "lab/command/sim/cost_file.hpp"
#include "lab/command/sim/option_table.hpp"
#include "tests/lab/cli/sim_command.hpp"

namespace {

using namespace parley_tests;
using nlohmann::json;
using sim_command::expect_refused;
using sim_command::words;

words sim(const words& rest) {
    words all{"sim"};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

std::vector<json> lines(const said& answer) {
    EXPECT_EQ(answer.status, 0) << answer.err;
    std::vector<json> all;
    std::istringstream in(answer.out);
    for (std::string line; std::getline(in, line);) {
        all.push_back(json::parse(line));
    }
    return all;
}

TEST(Sim, ShowsARunOf48Workers) {
    const said answer = run(sim({"spc", "--workers", "48", "--steal", "half", "--t", "10us"}));
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("n = 20000, t = 10"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("48 virtual workers on opteron-6172"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("speedup"), std::string::npos);
    EXPECT_EQ(answer.err, "");
}

TEST(Sim, TheSameArgumentsPrintTheSameBytes) {
    const words arguments = sim({"bpc", "--d", "100", "--faults", "all", "--profile", "--seed", "4"});
    const said first = run(arguments);
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.out, run(arguments, {"PARLEY_STEAL=one", "PARLEY_WORKERS=2"}).out)
        << "the environment counts for nothing";
    EXPECT_NE(first.out, run(sim({"bpc", "--d", "100", "--faults", "all", "--profile", "--seed", "5"})).out);
}

TEST(Sim, WritesALineOfJsonForEachValue) {
    const auto found = lines(run(sim({"treerec", "--n", "15", "--sweep", "workers=1..5..2", "--json", "-"})));
    ASSERT_EQ(found.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found[i].at("workers"), 1 + 2 * i);
        EXPECT_EQ(found[i].at("program"), "treerec");
        EXPECT_EQ(found[i].at("result").at("value"), 610);
        EXPECT_EQ(found[i].at("verified"), true);
        EXPECT_EQ(found[i].at("counters").at("tasks"), 986);
    }
    EXPECT_GT(found[2].at("speedup"), found[0].at("speedup"));
}

TEST(Sim, SweepsTimesToo) {
    const auto found = lines(run(sim({"spc", "--n", "100", "--workers=3", "--sweep", "t=500ns,2,1ms", "--json=-"})));
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].at("parameters").at("t"), 0.5);
    EXPECT_EQ(found[1].at("parameters").at("t"), 2);
    EXPECT_EQ(found[2].at("parameters").at("t"), 1000);
}

TEST(Sim, ProfilesAddUpToTheTimeOfEachWorker) {
    const auto found = lines(run(sim({"spc", "--n", "2000", "--workers", "6", "--profile", "--json", "-"})));
    ASSERT_EQ(found.size(), 1U);
    ASSERT_EQ(found[0].at("profile").size(), 6U);
    for (const json& worker : found[0].at("profile")) {
        double sum = 0;
        for (const auto& [what, seconds] : worker.items()) {
            sum += what == "tasks" ? 0.0 : seconds.get<double>();
        }
        EXPECT_NEAR(sum, found[0].at("seconds").get<double>(), 0.05 * found[0].at("seconds").get<double>());
    }
}

TEST(Sim, KnowsThePapersMachines) {
    EXPECT_EQ(parley_cli::known_machines(), (words{"opteron-6172", "xeon-e5-2630", "xeon-phi-5110p"}));
    const std::vector<unsigned> places{48, 24, 240};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto found = lines(run(sim({"spc", "--n", "300", "--costs", parley_cli::known_machines()[i], "--json", "-"})));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].at("workers"), places[i]) << "all of its places";
    }
}

TEST(Sim, TheThesisChannelsAndTasksCostMore) {
    const words arguments = sim(
        {"spc", "--n", "2000", "--t", "10us", "--steal", "half", "--termination", "manager", "--profile", "--json", "-"});
    const auto with = [&](const words& more) {
        words all = arguments;
        all.insert(all.end(), more.begin(), more.end());
        return lines(run(all)).at(0);
    };
    const json plain = with({});
    const json locked = with({"--channels", "locked"});
    const json large = with({"--task-lines", "3"});
    EXPECT_EQ(plain.at("tuning").at("channels"), "lock-free");
    EXPECT_EQ(locked.at("tuning").at("channels"), "locked");
    EXPECT_NE(locked.at("seconds"), plain.at("seconds"));
    EXPECT_EQ(large.at("tuning").at("task_lines"), 3);
    const auto queueing = [](const json& line) {
        double all = 0;
        for (const json& worker : line.at("profile")) all += worker.at("enqueue and dequeue").get<double>();
        return all;
    };
    EXPECT_GT(queueing(large), queueing(plain)) << "whoever runs a task fetches it from whoever made it";
    EXPECT_EQ(plain.at("counters").at("for_half"), plain.at("counters").at("requests")) << "all ask for half";
    EXPECT_EQ(with({"--steal", "one"}).at("counters").at("for_half"), 0);
}

TEST(Sim, IterationsFetchTheirLinesFromTheWorkerThatRanThemLast) {
    const auto with = [&](const words& more) {
        words all = sim({"loop", "--kind", "IG", "--n", "500", "--t", "4us", "--passes", "20", "--json", "-"});
        all.insert(all.end(), more.begin(), more.end());
        return lines(run(all)).at(0);
    };
    const json plain = with({"--workers", "4"});
    EXPECT_FALSE(plain.at("counters").contains("moved"));
    const json moving = with({"--workers", "4", "--iteration-lines", "100"});
    EXPECT_GT(moving.at("counters").at("moved"), 0);
    EXPECT_GT(moving.at("seconds"), plain.at("seconds"));
    EXPECT_EQ(moving.at("result"), plain.at("result"));
    const json alone = with({"--workers", "1", "--iteration-lines", "100"});
    EXPECT_EQ(alone.at("counters").at("moved"), 0);
    EXPECT_EQ(alone.at("seconds"), with({"--workers", "1"}).at("seconds"));
}

TEST(Sim, SaysWhatIsAsInTheThesis) {
    const said answer =
        run(sim({"spc", "--n", "100", "--termination", "manager", "--channels", "locked", "--task-lines", "3"}));
    EXPECT_NE(answer.out.find("termination manager, locked channels, tasks of 3 lines; seed 1"), std::string::npos)
        << answer.out;
    EXPECT_EQ(run(sim({"spc", "--n", "100"})).out.find("lines"), std::string::npos);
}

TEST(Sim, RefusesWhatIsNoSimulation) {
    expect_refused({}, {"which program", "spc, bpc"});
    expect_refused({"nosuch"}, {"'nosuch'", "spc, bpc"});
    expect_refused({"tereerec"}, {"did you mean 'treerec'?"});
    expect_refused({"heat"}, {"no simulation of 'heat'", "spc, bpc"});
    expect_refused({"--workers", "2"}, {"'--workers'", "spc"});
}

TEST(Sim, RefusesBadValues) {
    for (const char* bad : {"0", "-1", "20001", "x", "", "1.5"}) {
        expect_refused({"spc", "--workers", bad}, {"--workers", std::string("'") + bad + "'", "1 to 20000"});
    }
    for (const char* bad : {"-1", "10 us", "us", "", "1e3", "2s", "3m"}) {
        expect_refused({"spc", "--t", bad}, {"--t", std::string("'") + bad + "'", "10us"});
    }
    expect_refused({"loop", "--kind", "FG", "--n", "100000000", "--t", "1000000", "--workers", "48"},
                   {"30 days", "fewer or shorter"});
    expect_refused({"spc", "--steal", "two"}, {"--steal", "'two'", "adaptive, one, half"});
    expect_refused({"spc", "--nosuch", "1"}, {"'--nosuch'", "--workers"});
    expect_refused({"spc", "--worker", "1"}, {"did you mean '--workers'?"});
    expect_refused({"spc", "--workers"}, {"--workers", "wants a value"});
    expect_refused({"spc", "extra"}, {"'extra'"});
    expect_refused({"matmul", "--block", "33"}, {"--block", "'33'", "divisor"});
    for (const char* bad : {"workers", "workers=", "=1..2", "steal=1..2", "workers=4..2", "workers=1,,2", "workers=0..2"}) {
        expect_refused({"spc", "--sweep", bad}, {"parley sim spc: --"});
    }
    expect_refused({"spc", "--sweep", "foo=1"}, {"'foo' is no option with numbers or words"});
    expect_refused({"spc", "--sweep", "json=a"}, {"'json' is no option with numbers or words"});
    expect_refused({"spc", "--sweep", "workers=1,2", "--workers", "3"}, {"--workers is given, too"});
    expect_refused({"spc", "--workers", "2", "--termination", "dedicated"}, {"dedicated", "3 workers"});
    expect_refused({"spc", "--refuse", "acknowledge"}, {"termination"});
    for (const auto& [option, value] : {std::pair{"--watchdog", "on"}, std::pair{"--failed", "rest"},
                                        std::pair{"--answers", "paced"}, std::pair{"--patience", "10"}}) {
        expect_refused({"spc", "--termination", "manager", option, value},
                       {option, "no meaning with --termination manager"});
    }
    expect_refused({"spc", "--workers", "5000", "--victim", "nearest"}, {"nearest", "4096"});
    expect_refused({"spc", "--json", "/nosuch/x"}, {"/nosuch/x"});
    expect_refused({"--calibrate", "/nosuch/x"}, {"/nosuch/x"});
    expect_refused({"--calibrate", "a", "b"}, {"'b'"});
    expect_refused({"--calibrate", "--help"}, {"'--help'"});
}

// A cost file with one thing changed.
json some_costs() { return json::parse(parley_cli::text_of(parley_cli::costs_of("opteron-6172"), "a test's")); }

void expect_refused_file(const json& costs, const words& parts) {
    try {
        (void)parley_cli::costs_from(costs.dump(), "file");
        ADD_FAILURE() << "not refused: " << parley_cli::join(parts);
    } catch (const parley_cli::usage_error& e) {
        const std::string message = e.what();
        EXPECT_EQ(message.find('\n'), std::string::npos);
        for (const std::string& part : parts) {
            EXPECT_NE(message.find(part), std::string::npos) << message;
        }
    }
}

TEST(Sim, CostFilesAreStrict) {
    json good = some_costs();
    EXPECT_EQ(parley_cli::costs_from(good.dump(), "file").send_tasks, parley_cli::costs_of("opteron-6172").send_tasks);
    for (const char* part : {"topology", "line_ns", "operation_ns", "work_ns"}) {
        for (const auto& [key, value] : good.at(part).items()) {
            const std::string path = std::string(part) + "." + key;
            json bad = good;
            bad.at(part).erase(key);
            expect_refused_file(bad, {path + " is missing"});
            for (const json& wrong : {json(-1), json("1"), json(nullptr), json::array()}) {
                bad.at(part)[key] = wrong;
                expect_refused_file(bad, {path, wrong.dump(), "not allowed"});
            }
        }
        json bad = good;
        bad.at(part)["nosuch"] = 1;
        expect_refused_file(bad, {"nosuch"});
        bad.erase(part);
        expect_refused_file(bad, {std::string(part) + " is missing"});
    }
    json bad = good;
    bad["extra"] = 1;
    expect_refused_file(bad, {"'extra'", "operation_ns"});
    bad = good;
    bad["thread_percent"] = {100, 50};
    expect_refused_file(bad, {"thread_percent", "1 numbers"});
    bad["thread_percent"] = {0};
    expect_refused_file(bad, {"thread_percent", "1 to 100"});
    bad = good;
    bad["work_percent"] = {100, 50};
    expect_refused_file(bad, {"work_percent", "1 numbers"});
    bad["work_percent"] = {101};
    expect_refused_file(bad, {"work_percent", "1 to 100"});
    bad = good;
    bad.at("topology")["sockets"] = 0;
    expect_refused_file(bad, {"topology.sockets", "1 to 1024"});
    bad = good;
    bad.erase("name");
    expect_refused_file(bad, {"name"});
    expect_refused_file(json("text"), {"no JSON object"});
}

TEST(Sim, CostFilesThatAreNotThereAreNamed) {
    const scratch_folder folder;
    expect_refused({"spc", "--costs", folder.file("x")}, {"--costs", folder.file("x"), "opteron-6172"});
    std::ofstream(folder.file("broken")) << "{";
    expect_refused({"spc", "--costs", folder.file("broken")}, {"no JSON object"});
}

TEST(Sim, CalibrationWritesACostFileThatRuns) {
    const scratch_folder folder;
    const said answer = run({"sim", "--calibrate", folder.file("here.json")});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_GT(parley_cli::costs_of(folder.file("here.json")).push, 0);
    EXPECT_EQ(run(sim({"spc", "--n", "100", "--workers", "4", "--costs", folder.file("here.json")})).status, 0);
}

TEST(SimFarms, ShowsLanesBesideThePapersModel) {
    const said answer = run(sim({"farm-uniform", "--speeds", "1x3,5.8", "--schedule", "adaptive", "--order", "unordered"}));
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("4 lanes on 4 cores of opteron-6172"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("sum(s_i) / (p s_1) = 2.20"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("1000, "), std::string::npos);
    EXPECT_EQ(answer.err, "");
}

TEST(SimFarms, EachProgramRunsWithEachSchedule) {
    for (const char* program : {"farm-uniform", "farm-fast", "farm-slow", "farm-sleep", "farm-md", "farm-pool"}) {
        for (const char* schedule : {"stealing", "on-demand", "round-robin", "adaptive"}) {
            words arguments{program, "--schedule", schedule, "--json", "-"};
            if (arguments.front() == "farm-md") {
                arguments.emplace_back("--side");
                arguments.emplace_back("5");
            }
            const auto found = lines(run(sim(arguments)));
            ASSERT_EQ(found.size(), 1U) << program << ' ' << schedule;
            EXPECT_EQ(found[0].at("program"), program);
            EXPECT_EQ(found[0].at("verified"), true) << program << ' ' << schedule;
            std::uint64_t items = 0;
            for (const json& lane : found[0].at("lanes")) {
                items += lane.at("items").get<std::uint64_t>();
            }
            EXPECT_EQ(found[0].at("result").at("items"), items) << program << ' ' << schedule;
            if (std::string(schedule) == "round-robin") {
                EXPECT_EQ(found[0].at("over_round_robin"), 1.0);
            }
        }
    }
}

TEST(SimFarms, TheSameArgumentsPrintTheSameBytes) {
    const words arguments = sim({"farm-fast", "--schedule", "adaptive", "--spread", "20", "--faults", "all", "--seed", "4"});
    const said first = run(arguments);
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.out, run(arguments, {"PARLEY_WORKERS=2"}).out);
    EXPECT_NE(first.out,
              run(sim({"farm-fast", "--schedule", "adaptive", "--spread", "20", "--faults", "all", "--seed", "5"})).out);
}

TEST(SimFarms, SweepsTheNumberOfLanes) {
    const auto found = lines(run(sim({"farm-slow", "--sweep", "lanes=2..16..7", "--schedule", "on-demand", "--json", "-"})));
    ASSERT_EQ(found.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        const double lanes = 2 + 7 * static_cast<double>(i);
        EXPECT_EQ(found[i].at("lanes").size(), 2 + 7 * i);
        EXPECT_NEAR(found[i].at("model").get<double>(), (3 * (lanes - 1) + 1) / lanes, 1e-9)
            << "the last lane is 3 times as slow";
        EXPECT_LE(found[i].at("over_round_robin").get<double>(), 1.01 * found[i].at("model").get<double>());
    }
}

TEST(SimFarms, RefusesBadValues) {
    for (const char* bad : {"", "0", "1,", "1,,2", "x2", "1x0", "1x", "-1", "fast", "1001", "1x1001"}) {
        expect_refused({"farm-uniform", "--speeds", bad}, {"--speeds", std::string("'") + bad + "'", "1x12,0.5x8"});
    }
    expect_refused({"farm-uniform", "--speeds", "1,2", "--lanes", "3"}, {"--speeds", "2 speeds for 3 lanes"});
    expect_refused({"farm-fast", "--speeds", "1"}, {"--speeds", "wants 2"});
    expect_refused({"farm-uniform", "--lanes", "0"}, {"--lanes", "'0'", "1 to 1000"});
    expect_refused({"farm-uniform", "--schedule", "arrs"}, {"--schedule", "'arrs'", "adaptive"});
    expect_refused({"farm-uniform", "--workers", "2"}, {"'--workers'", "--lanes"});
    expect_refused({"farm-uniform", "--lanes", "75", "--schedule", "adaptive"}, {"chunk", "300"});
    expect_refused({"farm-uniform", "--schedule", "adaptive", "--tokens", "599"}, {"--tokens", "599", "600"});
    expect_refused({"farm-uniform", "--item", "0"}, {"--item", "0"});
    expect_refused({"farm-uniform", "--item", "1s", "--n", "1000000000"}, {"days", "30"});
    expect_refused({"farm-sleep", "--cores", "2"}, {"'--cores'"});
    expect_refused({"farm-uniform", "--sweep", "speeds=1,2"}, {"--sweep"});
    expect_refused({"farm-uniform", "--costs", "/nosuch/x"}, {"--costs", "/nosuch/x"});
    expect_refused({"farm-uniform", "--json", "/nosuch/x"}, {"/nosuch/x"});
    expect_refused({"farm-unifrom"}, {"did you mean 'farm-uniform'?"});
}

TEST(Sim, CanBeInterruptedAndLeavesItsLine) {
    for (const words& what : {words{"spc", "--n", "100000000"},
                              {"farm-uniform", "--n", "100000000", "--item", "1us"},
                              {"cluster", "--ranks", "10000", "--tasks", "1000"},
                              {"broker", "--seeds", "10000"}}) {
        const parley_tests::scratch_folder folder;
        words all = sim(what);
        all.insert(all.end(), {"--json", folder.file("result.json")});
        running_command command(all);
        EXPECT_TRUE(command.still_runs_after(std::chrono::milliseconds(300)));
        command.signal(SIGINT);
        const said answer = command.finish();
        EXPECT_EQ(answer.status, 130);
        EXPECT_NE(answer.out.find("interrupted in run 1 of 1\n"), std::string::npos) << answer.out;
        EXPECT_EQ(folder.names(), words{"result.json.partial"});
        const auto line = nlohmann::json::parse(parley_tests::read(folder.file("result.json.partial")));
        EXPECT_EQ(line.at("program"), what.front());
        EXPECT_TRUE(line.at("parameters").is_object());
        EXPECT_EQ(line.at("verified"), false);
        EXPECT_TRUE(line.at("seconds").is_null());
    }
}

// Nobody reads the pipe: what has run cannot be said.
TEST(Sim, CanBeInterruptedWhileItWrites) {
    const parley_tests::scratch_folder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    running_command command(sim({"spc", "--n", "10", "--sweep", "seed=1..1000", "--json", pipe}));
    int written = -1;
    for (int now = 0; now < 4096 || now != written;) {
        written = now;
        ASSERT_TRUE(command.still_runs_after(std::chrono::milliseconds(200)));
        ASSERT_EQ(ioctl(reader, FIONREAD, &now), 0);
    }
    command.signal(SIGINT);
    EXPECT_EQ(command.finish().status, 130);
    close(reader);
}

TEST(SimOptions, SpeedsOfLanes) {
    using parley_cli::speeds_in;
    using speeds = std::vector<std::uint64_t>;
    EXPECT_EQ(speeds_in("1"), (speeds{1000}));
    EXPECT_EQ(speeds_in("1x2,0.5,5.8x1"), (speeds{1000, 1000, 500, 5800}));
    EXPECT_EQ(speeds_in("1x1000").size(), 1000U);
    EXPECT_EQ(speeds_in("1x1000,1"), speeds{});
}

TEST(SimOptions, ValuesOfASweep) {
    using parley_cli::values_in;
    EXPECT_EQ(values_in("1..4"), (words{"1", "2", "3", "4"}));
    EXPECT_EQ(values_in("8..24..8"), (words{"8", "16", "24"}));
    EXPECT_EQ(values_in("5"), (words{"5"}));
    EXPECT_EQ(values_in("1,10us,3"), (words{"1", "10us", "3"}));
    for (const char* bad : {"", "1,", ",", "4..1", "1..x", "1..4..0", "1..1000000"}) {
        EXPECT_EQ(values_in(bad), words{}) << bad;
    }
}

}  // namespace
