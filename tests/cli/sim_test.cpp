// parley sim: what it prints is a function of its arguments; bad ones are refused in one line; it can be interrupted.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/sim/cost_file.hpp"
#include "cli/sim/option_table.hpp"
#include "cli/usage.hpp"
#include "tests/cli/command.hpp"

namespace {

using namespace parley_tests;
using nlohmann::json;

using words = std::vector<std::string>;

words sim(const words& rest) {
    words all{"sim"};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

void expect_refused(const words& arguments, const words& parts) {
    const said answer = run(sim(arguments));
    SCOPED_TRACE(parley_cli::join(arguments) + " said: " + answer.err);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    for (const std::string& part : parts) {
        EXPECT_NE(answer.err.find(part), std::string::npos) << part;
    }
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
    EXPECT_EQ(first.out, run(arguments, {"PARLEY_STEAL=one", "PARLEY_WORKERS=2"}).out) << "the environment counts for nothing";
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
    expect_refused({"spc", "--steal", "two"}, {"--steal", "'two'", "adaptive, one, half"});
    expect_refused({"spc", "--nosuch", "1"}, {"'--nosuch'", "--workers"});
    expect_refused({"spc", "--worker", "1"}, {"did you mean '--workers'?"});
    expect_refused({"spc", "--workers"}, {"--workers", "wants a value"});
    expect_refused({"spc", "extra"}, {"'extra'"});
    expect_refused({"matmul", "--block", "33"}, {"--block", "'33'", "divisor"});
    for (const char* bad : {"workers", "workers=", "=1..2", "steal=1..2", "workers=4..2", "workers=1,,2", "workers=0..2"}) {
        expect_refused({"spc", "--sweep", bad}, {"parley sim spc: --"});
    }
    expect_refused({"spc", "--workers", "2", "--termination", "dedicated"}, {"dedicated", "3 workers"});
    expect_refused({"spc", "--refuse", "acknowledge"}, {"termination"});
    expect_refused({"spc", "--workers", "5000", "--victim", "nearest"}, {"nearest", "4096"});
    expect_refused({"spc", "--json", "/nosuch/x"}, {"/nosuch/x"});
    expect_refused({"--calibrate", "/nosuch/x"}, {"/nosuch/x"});
    expect_refused({"--calibrate", "a", "b"}, {"'b'"});
}

// A cost file with one thing changed.
json some_costs() {
    return json::parse(parley_cli::text_of(parley_cli::costs_of("opteron-6172"), "a test's"));
}

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

TEST(Sim, CanBeInterrupted) {
    running_command command(sim({"spc", "--n", "100000000"}));
    EXPECT_TRUE(command.still_runs_after(std::chrono::milliseconds(300)));
    command.signal(SIGINT);
    EXPECT_EQ(command.finish().status, 130);
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
