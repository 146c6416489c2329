// parley sim farm-... --trace: what emitter, lanes and collector did, as the report counts it.
#include <csignal>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "tests/lab/cli/sim_command.hpp"

namespace parley_tests::sim_command {
namespace {

const words shared_core{"farm-uniform", "--n", "60",     "--speeds", "1x2,5",    "--cores", "1",
                        "--slice",      "1ms", "--item", "3ms",      "--spread", "10"};
const words adaptive{"farm-fast", "--n", "400", "--lanes", "4", "--schedule", "adaptive", "--seed", "3"};

json farm_timeline_of(words arguments) {
    const scratch_folder here;
    arguments.insert(arguments.end(), {"--trace", here.file("t.json")});
    const said answer = simulate(arguments);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return json::parse(read(here.file("t.json")));
}

// By the name of the part and that of the slice.
using slices = std::map<std::pair<std::string, std::string>, std::vector<json>>;

slices slices_in(const json& events) {
    std::map<int, std::string> parts;
    slices all;
    for (const json& e : events) {
        if (e.value("name", "") == "thread_name") parts[e.at("tid")] = e.at("args").at("name");
        if (e.at("ph") == "X") all[{parts.at(e.at("tid")), e.at("name")}].push_back(e);
    }
    return all;
}

std::string lane_name(std::size_t i) { return "lane " + std::to_string(i); }

TEST(SimFarmTrace, ShowsWhatTheReportCounts) {
    const json line = lines_of(adaptive).at(0);
    const slices all = slices_in(farm_timeline_of(adaptive));
    EXPECT_EQ(all.at({"emitter", "gives"}).size(), 400U);
    EXPECT_GE(all.at({"emitter", "chooses"}).size(), 400U);
    EXPECT_EQ(all.at({"collector", "collects"}).size(), 400U);
    EXPECT_GT(line.at("counters").at("fakes"), 0);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(all.at({lane_name(i), "item"}).size(), line.at("lanes").at(i).at("items"));
        EXPECT_EQ(all.at({lane_name(i), "fake task"}).size(), line.at("lanes").at(i).at("fakes"));
    }
}

TEST(SimFarmTrace, LanesThatShareACoreAreNotSeenAtTheSameTimeAndAsLongAsTheyAreBusy) {
    const json line = lines_of(shared_core).at(0);
    const slices all = slices_in(farm_timeline_of(shared_core));
    std::map<double, double> core;
    std::size_t items = 0, turns = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        std::set<int> different;
        double busy = 0;
        for (const json& e : all.at({lane_name(i), "item"})) {
            different.insert(e.at("args").at("item").get<int>());
            busy += e.at("dur").get<double>();
            EXPECT_TRUE(core.emplace(e.at("ts").get<double>(), e.at("dur").get<double>()).second);
            ++turns;
        }
        EXPECT_EQ(different.size(), line.at("lanes").at(i).at("items"));
        EXPECT_NEAR(busy, line.at("lanes").at(i).at("busy").get<double>() * 1e6, 0.001 * static_cast<double>(turns));
        items += different.size();
    }
    EXPECT_EQ(items, 60U);
    EXPECT_GT(turns, 60U);  // items of 3 ms, turns of 1 ms
    double end = 0;
    for (const auto& [from, lasts] : core) {
        EXPECT_GE(from, end - 0.0005);
        end = from + lasts;
    }
}

TEST(SimFarmTrace, AnItemIsGivenBeforeALaneWorksOnItAndCollectedAfterwards) {
    std::map<int, std::vector<std::pair<double, std::string>>> of_item;
    for (const auto& [where, events] : slices_in(farm_timeline_of(adaptive)))
        if (where.second == "gives" || where.second == "item" || where.second == "collects")
            for (const json& e : events) of_item[e.at("args").at("item")].emplace_back(e.at("ts"), where.second);
    ASSERT_EQ(of_item.size(), 400U);
    for (auto& [item, steps] : of_item) {
        std::sort(steps.begin(), steps.end());
        ASSERT_EQ(steps.size(), 3U) << item;
        EXPECT_EQ(steps[0].second, "gives");
        EXPECT_EQ(steps[1].second, "item");
        EXPECT_EQ(steps[2].second, "collects");
    }
}

// molecular dynamics: a farm for each step
TEST(SimFarmTrace, ShowsStreamsOneAfterTheOther) {
    const words md{"farm-md", "--side", "3", "--steps", "3"};
    const json line = lines_of(md).at(0);
    const slices all = slices_in(farm_timeline_of(md));
    double end = 0;
    for (const json& e : all.at({"collector", "collects"})) {
        EXPECT_GE(e.at("ts").get<double>(), end - 0.0005);
        end = e.at("ts").get<double>() + e.at("dur").get<double>();
    }
    EXPECT_NEAR(end, line.at("seconds").get<double>() * 1e6, 0.002);
}

TEST(SimFarmTrace, IsTheSameEachTimeAndChangesNothing) {
    const scratch_folder here;
    words plain = adaptive;
    plain.insert(plain.end(), {"--faults", "all", "--json", "-"});
    const said unseen = simulate(plain);
    for (const char* name : {"a", "b"}) {
        words seen = plain;
        seen.insert(seen.end(), {"--trace", here.file(name)});
        EXPECT_EQ(simulate(seen).out, unseen.out);
    }
    EXPECT_EQ(read(here.file("a")), read(here.file("b")));
}

TEST(SimFarmTrace, KeepsTheLatestOfEachPart) {
    words few = adaptive;
    few.insert(few.end(), {"--trace-events", "10"});
    const json events = farm_timeline_of(few);
    std::size_t told = 0;
    for (const json& e : events) told += e.value("name", "").ends_with(" events are not kept") ? 1U : 0U;
    EXPECT_EQ(told, 6U);  // emitter, collector, 4 lanes
    const slices all = slices_in(events);
    const auto& collected = all.at({"collector", "collects"});
    ASSERT_EQ(collected.size(), 10U);
    for (std::size_t i = 1; i < 10; ++i) EXPECT_GT(collected[i].at("ts"), collected[i - 1].at("ts"));
    EXPECT_NEAR(collected.back().at("ts").get<double>() + collected.back().at("dur").get<double>(),
                lines_of(adaptive).at(0).at("seconds").get<double>() * 1e6, 0.002);
}

std::string timeline_of_interrupted(const std::string& events_of_each) {
    const scratch_folder here;
    running_command command({"sim", "farm-uniform", "--n", "50000000", "--lanes", "8", "--trace-events", events_of_each,
                             "--trace", here.file("t")});
    EXPECT_TRUE(command.still_runs_after(std::chrono::milliseconds(1500)));
    command.signal(SIGINT);
    EXPECT_EQ(command.finish().status, 130);
    return read(here.file("t"));
}

TEST(SimFarmTrace, OfARunThatIsInterruptedIsWritten) {
    const json events = json::parse(timeline_of_interrupted("3000"), nullptr, false);
    ASSERT_FALSE(events.is_discarded());
    EXPECT_GT(events.size(), 1000U);
}

// A hundred megabytes, which take longer than a run that does not end is given.
TEST(SimFarmTrace, OfARunThatIsInterruptedIsWrittenToItsEndHoweverLongItIs) {
    const std::string text = timeline_of_interrupted("100000");
    EXPECT_GT(text.size(), 1'000'000U);
    EXPECT_TRUE(text.ends_with("}}\n]\n"));
}

TEST(SimFarmTrace, IsRefusedWhereItCannotBe) {
    const scratch_folder here;
    for (const std::string& file : {here.file("no/t.json"), std::string("/dev/full")})
        expect_refused({"farm-uniform", "--n", "100000000", "--trace", file},
                       {"parley sim: --trace " + file + ": cannot write"});
    expect_refused({"farm-uniform", "--trace", here.file("t"), "--json", here.file("t")}, {"--json's, too"});
    expect_refused({"farm-uniform", "--trace", here.file("t"), "--sweep", "lanes=2..4"}, {"not allowed with --sweep"});
    expect_refused({"farm-uniform", "--trace-events", "5"}, {"wants --trace"});
}

}  // namespace
}  // namespace parley_tests::sim_command
