// parley sim cluster and parley sim broker: functions of their arguments, checked by what is known; bad ones are refused
// in one line.
#include "lab/command/sim/cluster_study.hpp"
#include "tests/lab/cli/sim_command.hpp"

namespace parley_tests::sim_command {
namespace {

TEST(SimCluster, TheSameArgumentsPrintTheSameBytes) {
    const words arguments{"cluster", "--ranks", "300", "--faults", "all", "--seed", "4"};
    const said first = simulate(arguments);
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.out, simulate(arguments).out);
    EXPECT_NE(first.out, simulate({"cluster", "--ranks", "300", "--faults", "all", "--seed", "5"}).out);
    EXPECT_NE(first.out.find("300 virtual ranks"), std::string::npos) << first.out;
    EXPECT_NE(first.out.find("promises    kept"), std::string::npos) << first.out;
}

TEST(SimCluster, EachTaskRunsOnceWhateverIsChosen) {
    for (const char* overlay : {"small-world", "random", "complete"})
        for (const char* results : {"overlay", "direct"})
            for (const char* ends : {"barrier", "waves"})
                for (const char* faults : {"none", "all"}) {
                    const auto found =
                        lines_of({"cluster", "--ranks", "60", "--tasks", "5", "--overlay", overlay, "--results", results,
                                  "--ends", ends, "--faults", faults, "--profile", "one"});
                    ASSERT_EQ(found.size(), 1U);
                    EXPECT_EQ(found[0].at("verified"), true);
                    EXPECT_EQ(found[0].at("counters").at("tasks"), 300);
                    EXPECT_GT(found[0].at("counters").at("results_home"), 0);
                    EXPECT_GE(found[0].at("end_announced_after"), 0.0);
                }
}

TEST(SimCluster, FindsTheTreeThatASerialSearchFinds) {
    const auto found =
        lines_of({"cluster", "--shape", "uts", "--tree", "T1", "--depth", "4", "--t", "20us", "--sweep", "ranks=1,2,50"});
    ASSERT_EQ(found.size(), 3U);
    for (const json& line : found) {
        EXPECT_EQ(line.at("verified"), true);
        EXPECT_EQ(line.at("result"), found[0].at("result"));
        EXPECT_EQ(line.at("counters").at("tasks"), line.at("result").at("nodes"));
        EXPECT_EQ(line.at("parameters").at("ends"), "waves");
    }
    EXPECT_GT(found[0].at("result").at("nodes"), 50);
    EXPECT_LT(found[2].at("seconds"), found[0].at("seconds"));
}

TEST(SimCluster, LinksAreTheNeighboursOnAverage) {
    for (const int links : {4, 12}) {
        const auto found = lines_of({"cluster", "--ranks", "2000", "--tasks", "1", "--links", std::to_string(links)});
        ASSERT_EQ(found.size(), 1U);
        EXPECT_NEAR(found[0].at("neighbours").get<double>(), links, 0.1 * links);
    }
}

TEST(SimCluster, ABrokenPromiseIsNamed) {
    const parley_cli::rank_tasks what = parley_cli::dlb_tasks(4, "uniform", 2, 1e-3);
    const parley::sim::virtual_report good = parley::sim::run_virtual(what.work, {});
    EXPECT_EQ(parley_cli::broken_promise(good, what), "");
    const auto with = [&](auto change) {
        parley::sim::virtual_report r = good;
        change(r);
        return parley_cli::broken_promise(r, what);
    };
    EXPECT_NE(with([](auto& r) { r.ended = false; }), "");
    EXPECT_NE(with([](auto& r) { r.early = true; }), "");
    EXPECT_NE(with([](auto& r) { r.announced = r.last_task / 2; }), "");
    EXPECT_NE(with([](auto& r) { --r.tasks_run; }), "");
    EXPECT_NE(with([](auto& r) { r.results_missing = 1; }), "");
    EXPECT_NE(with([](auto& r) { r.results_doubled = 1; }), "");
    EXPECT_NE(with([](auto& r) { r.left_behind = true; }), "");
    EXPECT_NE(with([](auto& r) { ++r.total.results_home; }), "");
}

TEST(SimCluster, RefusesBadValues) {
    for (const char* bad : {"0", "-1", "1000001", "x", "", "1.5"})
        expect_refused({"cluster", "--ranks", bad},
                       {"parley sim cluster", "--ranks", std::string("'") + bad + "'", "1 to 1000000"});
    expect_refused({"cluster", "--latency", "1 us"}, {"--latency", "10us"});
    expect_refused({"cluster", "--look", "0"}, {"--look", "above"});
    expect_refused({"cluster", "--shape", "lu"}, {"--shape", "dlb, uts"});
    expect_refused({"cluster", "--tree", "T1"}, {"--tree", "uts"});
    expect_refused({"cluster", "--shape", "uts", "--tasks", "3"}, {"--tasks", "dlb"});
    expect_refused({"cluster", "--shape", "uts", "--ends", "barrier"}, {"--ends", "waves"});
    expect_refused({"cluster", "--shape", "uts", "--tree", "T3", "--depth", "3"}, {"--depth", "T1, T2, T5"});
    expect_refused({"cluster", "--ranks", "1000000", "--tasks", "1000"}, {"--tasks", "at most 50"});
    expect_refused({"cluster", "--ranks", "5000", "--overlay", "complete"}, {"--overlay", "4096"});
    expect_refused({"cluster", "--nosuch"}, {"'--nosuch'", "--ranks"});
    expect_refused({"cluster", "--rank", "3"}, {"did you mean '--ranks'?"});
    expect_refused({"cluster", "extra"}, {"'extra'"});
    expect_refused({"cluster", "--ranks"}, {"wants a value"});
    expect_refused({"cluster", "--json", "/nosuch/x"}, {"/nosuch/x"});
    for (const char* bad : {"ranks", "ranks=", "shape=1..2", "ranks=4..2", "ranks=0..2", "nosuch=1"})
        expect_refused({"cluster", "--sweep", bad}, {"parley sim cluster: --"});
    expect_refused({"clustr"}, {"did you mean 'cluster'?"});
}

TEST(SimBroker, ComparesEachWayWithTheDefault) {
    const auto found = lines_of({"broker", "--programs", "wide-and-serial", "--policy", "equal", "--seeds", "3"});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].at("policy"), "bound");
    EXPECT_EQ(found[1].at("policy"), "equal");
    EXPECT_EQ(found[1].at("cores"), 48);
    EXPECT_EQ(found[1].at("sections"), 4);
    EXPECT_EQ(found[1].at("seeds"), 3);
    // The serial one leaves 23 cores of its half idle, which the other one could use.
    EXPECT_GT(found[1].at("mean_flow_by_default").at("min"), 1.05);
    EXPECT_LE(found[0].at("makespan_s").at("max"), found[1].at("makespan_s").at("max"));
}

TEST(SimBroker, TheSameArgumentsPrintTheSameBytes) {
    const words arguments{"broker", "--policy", "default", "--seeds", "2", "--sweep", "cores=16,48"};
    const said first = simulate(arguments);
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.out, simulate(arguments).out);
    for (const char* part : {"16 cores, 4 sections", "48 cores, 4 sections", "alternating", "wide and serial", "many",
                             "fixed", "lower bound", "default, 0.05 s"})
        EXPECT_NE(first.out.find(part), std::string::npos) << part;
}

TEST(SimBroker, RefusesBadValues) {
    for (const char* bad : {"3", "1025", "x", ""}) expect_refused({"broker", "--cores", bad}, {"--cores", "4 to 1024"});
    expect_refused({"broker", "--cores", "8", "--sections", "5"}, {"--sections", "at most 4"});
    expect_refused({"broker", "--sections", "4", "--sweep", "cores=48,4"}, {"--sections", "at most 2"});
    expect_refused({"broker", "--policy", "fair"}, {"--policy", "spinning, parking"});
    expect_refused({"broker", "--programs", "few"}, {"--programs", "alternating, wide-and-serial, many, fixed"});
    expect_refused({"broker", "--seeds", "0"}, {"--seeds", "1 to 10000"});
    expect_refused({"broker", "--json", "/nosuch/x"}, {"/nosuch/x"});
}

}  // namespace
}  // namespace parley_tests::sim_command
