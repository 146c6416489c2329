// parley sim --trace, --profile-svg, --plot, and sweeps of several things at once: what they write is a function of the
// arguments, and what cannot be written is refused before anything runs.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sys/stat.h>
#include <utility>

#include "tests/lab/cli/sim_command.hpp"

namespace parley_tests::sim_command {
namespace {

const words some_run{"spc", "--n", "400", "--workers", "6", "--t", "20us", "--faults", "all"};

words with(words arguments, const words& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::size_t times(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
    return n;
}

std::size_t named(const json& events, const char* phase, const std::string& name) {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const json& e) {
        return e.value("ph", "") == phase && e.value("name", "") == name;
    }));
}

json timeline_of(const words& arguments) {
    const scratch_folder here;
    const said answer = simulate(with(arguments, {"--trace", here.file("t.json")}));
    EXPECT_EQ(answer.status, 0) << answer.err;
    return json::parse(read(here.file("t.json")));
}

TEST(SimTrace, ShowsWhatTheReportCounts) {
    const words arguments = with(some_run, {"--workers", "4"});
    const json counted = lines_of(arguments).at(0).at("counters");
    const json events = timeline_of(arguments);
    EXPECT_EQ(named(events, "B", "run"), 1U);
    EXPECT_EQ(named(events, "B", "task"), counted.at("tasks"));
    EXPECT_EQ(named(events, "B", "gets tasks"), counted.at("steals"));
    EXPECT_EQ(named(events, "B", "gives tasks"), counted.at("steals"));
    EXPECT_EQ(named(events, "s", "steal"), counted.at("steals"));
    EXPECT_EQ(named(events, "f", "steal"), counted.at("steals"));
    EXPECT_GT(named(events, "B", "looks for tasks"), 0U);
    std::set<std::string> workers;  // some of their stacks have a line, too: "worker 0, stack 1"
    for (const json& e : events) {
        if (e.value("name", "") != "thread_name") continue;
        const std::string name = e.at("args").at("name");
        workers.insert(name.substr(0, name.find(", stack ")));
    }
    EXPECT_EQ(workers, (std::set<std::string>{"worker 0", "worker 1", "worker 2", "worker 3"}));
}

TEST(SimTrace, HasVirtualTime) {
    const json line = lines_of(some_run).at(0);
    double last = 0;
    for (const json& e : timeline_of(some_run)) last = std::max(last, e.value("ts", 0.0));
    EXPECT_GE(last, line.at("seconds").get<double>() * 1e6 - 0.001);
    EXPECT_LE(last, line.at("seconds").get<double>() * 1e6 * 1.2);
}

TEST(SimTrace, ShowsSplitsAndSleeps) {
    const words arguments{"loop", "--workers", "8"};
    const json counted = lines_of(arguments).at(0).at("counters");
    EXPECT_EQ(named(timeline_of(arguments), "i", "split"), counted.at("splits"));
    EXPECT_GT(named(timeline_of({"spc", "--n", "10", "--t", "1ms", "--workers", "24"}), "B", "asleep"), 0U);
}

// Each end has its beginning, and nothing is open at the end.
TEST(SimTrace, SlicesAreNested) {
    for (const words& arguments : {some_run, words{"treerec", "--n", "18", "--workers", "16"},
                                   words{"spc", "--n", "300", "--workers", "6", "--termination", "dedicated"}}) {
        std::map<std::uint64_t, std::pair<int, double>> lines;
        for (const json& e : timeline_of(arguments)) {
            const std::string phase = e.value("ph", "");
            if (phase != "B" && phase != "E") continue;
            auto& [open, last] = lines[e.at("tid").get<std::uint64_t>()];
            EXPECT_GE(e.at("ts").get<double>(), last);
            last = e.at("ts").get<double>();
            open += phase == "B" ? 1 : -1;
            ASSERT_GE(open, 0);
        }
        for (const auto& [line, state] : lines) EXPECT_EQ(state.first, 0) << line;
    }
}

// What is open when the run ends is ended then: a search or a sleep on each line, and the run. More was never ended.
TEST(SimTrace, NoTaskIsOpenAtTheEnd) {
    for (const char* faults : {"none", "resizes", "all"}) {
        std::map<std::uint64_t, words> open;
        std::map<std::uint64_t, std::vector<std::pair<std::string, double>>> ended;
        double last = 0;
        for (const json& e : timeline_of({"spc", "--n", "400", "--workers", "4", "--t", "20us", "--faults", faults})) {
            const std::string phase = e.value("ph", "");
            if (phase != "B" && phase != "E") continue;
            const auto line = e.at("tid").get<std::uint64_t>();
            last = std::max(last, e.at("ts").get<double>());
            if (phase == "B") {
                open[line].push_back(e.at("name"));
                continue;
            }
            ended[line].emplace_back(open[line].back(), e.at("ts").get<double>());
            open[line].pop_back();
        }
        for (const auto& [line, all] : ended) {
            const auto at_last = std::count_if(all.begin(), all.end(),
                                               [&](const auto& one) { return one.second >= last && one.first != "run"; });
            EXPECT_LE(at_last, 1) << faults << ", line " << line;
        }
    }
}

TEST(SimTrace, IsTheSameEachTimeAndChangesNothing) {
    const scratch_folder here;
    const said plain = simulate(with(some_run, {"--json", "-"}));
    for (const char* name : {"a", "b"}) {
        const said seen = simulate(with(some_run, {"--json", "-", "--trace", here.file(name)}), {"PARLEY_TRACE_EVENTS=3"});
        EXPECT_EQ(seen.status, 0) << seen.err;
        EXPECT_EQ(seen.err, "");
        EXPECT_EQ(seen.out, plain.out);
    }
    EXPECT_GT(read(here.file("a")).size(), 10'000U);
    EXPECT_EQ(read(here.file("a")), read(here.file("b")));
}

TEST(SimTrace, KeepsTheLatestOfEachWorker) {
    const json all = timeline_of(some_run);
    const json few = timeline_of(with(some_run, {"--trace-events", "20"}));
    EXPECT_LT(few.size(), 6 * (20 + 20 + 20));  // with arrows, and names
    EXPECT_GT(all.size(), 10 * few.size());
    std::size_t told = 0;
    for (const json& e : few) told += e.value("name", "").ends_with(" events are not kept") ? 1U : 0U;
    EXPECT_EQ(told, 6U);
}

TEST(SimTrace, OfAllWorkersTogetherIsBounded) {
    const scratch_folder here;
    const words long_run{"spc", "--n", "300000", "--workers", "100", "--t", "10us", "--trace", here.file("t")};
    const said answer = simulate(long_run);
    ASSERT_EQ(answer.status, 0) << answer.err;
    const std::string text = read(here.file("t"));
    EXPECT_LT(text.size(), 150'000'000U);
    EXPECT_NE(text.find(" events are not kept"), std::string::npos);
}

TEST(SimTrace, OfARunThatIsInterruptedIsWritten) {
    const scratch_folder here;
    running_command command({"sim", "spc", "--n", "100000000", "--workers", "4", "--trace", here.file("t")});
    ASSERT_TRUE(command.still_runs_after(std::chrono::milliseconds(1500)));
    command.signal(SIGINT);
    EXPECT_EQ(command.finish().status, 130);
    const json events = json::parse(read(here.file("t")), nullptr, false);
    ASSERT_FALSE(events.is_discarded());
    EXPECT_GT(events.size(), 5U);
}

TEST(SimTrace, RefusesWhatItCannotWriteBeforeItRuns) {
    const scratch_folder here;
    ASSERT_EQ(mkfifo(here.file("pipe").c_str(), 0600), 0);
    for (const std::string& file :
         {std::string("/nowhere/x"), std::string("/"), here.file("pipe"), std::string("/dev/full")}) {
        expect_refused({"spc", "--n", "100000000", "--trace", file}, {"parley sim: --trace " + file + ": cannot write it"});
    }
    for (const std::string& file : {std::string("/nowhere/x"), std::string("/")}) {
        expect_refused({"spc", "--profile-svg", file}, {"parley sim: --profile-svg " + file + ": cannot write it"});
    }
    expect_refused({"spc", "--trace", ""}, {"--trace", "''", "a file name"});
    expect_refused({"spc", "--trace-events", "5"}, {"--trace-events", "wants --trace"});
    expect_refused({"spc", "--sweep", "trace-events=5,6"}, {"--trace-events", "wants --trace"});
    expect_refused({"spc", "--trace", here.file("t"), "--trace-events", "0"}, {"--trace-events", "'0'", "1 to "});
    for (const char* option : {"--trace", "--profile-svg"}) {
        expect_refused({"spc", option, here.file("t"), "--sweep", "workers=1..2"}, {option, "not allowed with --sweep"});
    }
    EXPECT_EQ(here.names(), words{"pipe"}) << "what is refused writes nothing";
}

TEST(SimTrace, RefusesOneFileForSeveralThings) {
    const scratch_folder here;
    const std::string one = here.file("x");
    const std::string the_same = here.file("./x");
    expect_refused({"spc", "--trace", one, "--profile-svg", one}, {"--trace", "--profile-svg", "another file"});
    expect_refused({"spc", "--trace", one, "--json", the_same}, {"--trace", "--json", "another file"});
    expect_refused({"spc", "--profile-svg", the_same, "--json", one}, {"--profile-svg", "--json", "another file"});
    EXPECT_EQ(here.names(), words{});
    EXPECT_EQ(simulate(with(some_run, {"--profile-svg", "/dev/null", "--json", "/dev/null"})).status, 0);
}

TEST(SimProfile, GoesIntoAFileToo) {
    const scratch_folder here;
    for (const char* name : {"a", "b"}) {
        const said answer = simulate(with(some_run, {"--profile-svg", here.file(name)}));
        EXPECT_EQ(answer.status, 0) << answer.err;
        EXPECT_EQ(answer.out, simulate(with(some_run, {"--profile"})).out);
    }
    const std::string svg = read(here.file("a"));
    EXPECT_EQ(times(svg, "<title>worker "), 30U);
    EXPECT_NE(svg.find("6 virtual workers on opteron-6172"), std::string::npos);
    EXPECT_EQ(svg, read(here.file("b")));
}

TEST(SimProfile, OnAFullDiskTheRunFails) {
    const said answer = simulate(with(some_run, {"--profile-svg", "/dev/full"}));
    EXPECT_EQ(answer.status, 1);
    EXPECT_NE(answer.err.find("No space left on device"), std::string::npos) << answer.err;
    EXPECT_EQ(times(answer.err, "\n"), 1U);
    EXPECT_NE(answer.out.find("speedup"), std::string::npos) << "what was found is not lost";
}

TEST(SimSweep, OfSeveralThingsHasAllCombinations) {
    const auto found = lines_of({"spc", "--n", "50", "--sweep", "workers=1..3..2", "--sweep", "steal=one,half"});
    ASSERT_EQ(found.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(found[i].at("workers"), i % 2 == 0 ? 1 : 3);
        EXPECT_EQ(found[i].at("tuning").at("steal"), i < 2 ? "one" : "half");
    }
    const said table = simulate({"spc", "--n", "50", "--sweep", "workers=1,3", "--sweep", "steal=one,half"});
    EXPECT_NE(table.out.find("workers steal"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("3 half"), std::string::npos) << table.out;
    expect_refused({"spc", "--sweep", "workers=1,2", "--sweep", "workers=3"}, {"--sweep", "workers is swept twice"});
    expect_refused({"spc", "--sweep", "steal=one,two"}, {"--steal", "'two'", "adaptive, one, half"});
    expect_refused({"spc", "--sweep", "workers=1..1000", "--sweep", "n=1..11"}, {"--sweep", "11000 runs", "10000"});
}

TEST(SimPlot, WantsASweepAndAFolder) {
    const scratch_folder here;
    expect_refused({"spc", "--plot", here.file("p")}, {"--plot", "wants --sweep"});
    EXPECT_EQ(here.names(), words{});
    expect_refused({"spc", "--sweep", "workers=1,2", "--plot", "/dev/null/x"}, {"parley sim: --plot", "/dev/null/x"});
}

TEST(SimPlot, RefusesPicturesThatItCannotWriteBeforeItRuns) {
    for (const char* name : {"sweep.jsonl", "sweep.svg", "sweep.png"}) {
        const scratch_folder here;
        ASSERT_EQ(mkdir(here.file(name).c_str(), 0700), 0);
        const words arguments{"spc", "--n", "100000000", "--sweep", "workers=1,2", "--plot", here.file(".")};
        expect_refused(arguments, {"parley sim: --plot", name, "cannot write it"});
        EXPECT_EQ(here.names(), words{name});
    }
}

TEST(SimPlot, DrawsACurveForEachStrategyWhereMatplotlibIs) {
    const scratch_folder here;
    const words arguments{"spc", "--n", "200", "--sweep", "workers=1..4", "--sweep", "steal=one,half"};
    for (const char* name : {"a", "b"}) {
        const said answer = simulate(with(arguments, {"--plot", here.file(name)}));
        if (answer.status == 2) {
            EXPECT_NE(answer.err.find("python3-matplotlib"), std::string::npos);
            GTEST_SKIP() << "no matplotlib here";
        }
        EXPECT_EQ(answer.status, 0) << answer.err;
        EXPECT_EQ(answer.out, simulate(arguments).out);
    }
    for (const char* name : {"/sweep.jsonl", "/sweep.svg", "/sweep.png"}) {
        EXPECT_GT(read(here.file(std::string("a") + name)).size(), 500U) << name;
        EXPECT_EQ(read(here.file(std::string("a") + name)), read(here.file(std::string("b") + name))) << name;
    }
    EXPECT_EQ(times(read(here.file("a/sweep.jsonl")), "\n"), 8U);
}

TEST(SimPlot, DrawsFarmsToo) {
    const scratch_folder here;
    const said answer =
        simulate({"farm-slow", "--sweep", "lanes=2..4", "--sweep", "schedule=on-demand,adaptive", "--plot", here.file("p")});
    if (answer.status == 2) GTEST_SKIP() << answer.err;
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_GT(read(here.file("p/sweep.svg")).size(), 500U);
}

}  // namespace
}  // namespace parley_tests::sim_command
