// Farms in virtual time: the real schedulers between lanes of any speed.
#include <gtest/gtest.h>
#include <lab/sim/farms/report.hpp>
#include <parley/errors.hpp>
#include <parley/farm/adaptive_round_robin.hpp>
#include <parley/farm/on_demand.hpp>
#include <parley/farm/round_robin.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// Names of its own: the directive would reach other tests that are compiled together with these.
namespace virtual_farm_tests {
namespace {

using namespace parley::sim::farms;
namespace timed = parley::sim::timed;
using timed::microsecond;

// Nothing costs anything but the items.
setup free_farm(std::uint64_t items, std::vector<duration> lanes, const parley::any_schedule& schedule) {
    setup s;
    s.schedule = schedule;
    s.items = items;
    s.cores = static_cast<std::uint32_t>(lanes.size());
    s.lanes = std::move(lanes);
    s.tokens = 10'000;
    return s;
}

setup costly_farm(std::uint64_t items, std::vector<duration> lanes, const parley::any_schedule& schedule) {
    setup s = free_farm(items, std::move(lanes), schedule);
    s.tokens = 600;
    s.ordered = false;
    s.machine.places = {2, 1, 8, 1};
    s.machine.line.node = 60 * timed::nanosecond;
    s.machine.line.socket = s.machine.line.machine = 140 * timed::nanosecond;
    s.machine.turn = 20 * timed::nanosecond;
    s.machine.peek = 95 * timed::nanosecond;
    s.machine.send_tasks = s.machine.receive_tasks = 430 * timed::nanosecond;
    return s;
}

std::vector<parley::any_schedule> all_schedules() {
    return {parley::round_robin{}, parley::adaptive_round_robin{}, parley::on_demand{0}, parley::on_demand{2},
            parley::work_stealing{}};
}

std::uint64_t items_of_all_lanes(const report& r) {
    std::uint64_t sum = 0;
    for (const lane_report& l : r.lanes) sum += l.items;
    return sum;
}

// 3 slower lanes of 280 us, one that is 5.8 times as fast, as in the paper's figure 7.
std::vector<duration> one_fast_lane() { return {280 * microsecond, 280 * microsecond, 280 * microsecond, 48 * microsecond}; }

TEST(VirtualFarm, RoundRobinWaitsForTheSlowestLane) {
    EXPECT_EQ(run(free_farm(8, {10, 10}, parley::round_robin{})).took, 40);
    const report r = run(free_farm(8, {10, 30}, parley::round_robin{}));
    EXPECT_EQ(r.took, 120);
    EXPECT_EQ(r.lanes[0].items, 4U);
    EXPECT_EQ(r.lanes[1].items, 4U);
    EXPECT_EQ(r.lanes[1].busy, 120);
    EXPECT_EQ(r.lanes[1].longest_wait, 90) << "the last one waits for three others";
    EXPECT_EQ(r.lanes[1].waited, 0 + 30 + 60 + 90);
}

TEST(VirtualFarm, OnDemandKeepsAllLanesBusy) {
    const report r = run(free_farm(8, {10, 30}, parley::on_demand{0}));
    EXPECT_EQ(r.took, 60);
    EXPECT_EQ(r.lanes[0].items, 6U);
    EXPECT_EQ(r.lanes[1].items, 2U);
    EXPECT_EQ(r.lanes[0].highest, 1U) << "nobody has an item waiting";
}

TEST(VirtualFarm, AdaptiveComesNearerToTheModelTheMoreItemsThereAre) {
    const auto relative = [](std::uint64_t items) {
        const auto took = [&](const parley::any_schedule& s) {
            return static_cast<double>(run(costly_farm(items, one_fast_lane(), s)).took);
        };
        return took(parley::round_robin{}) / took(parley::adaptive_round_robin{});
    };
    const double model = (3 + 280.0 / 48) / 4;
    EXPECT_GT(relative(1'000), 1.0);
    EXPECT_GT(relative(10'000), relative(1'000));
    EXPECT_GT(relative(50'000), 0.95 * model);
    EXPECT_LT(relative(50'000), 1.01 * model);
}

TEST(VirtualFarm, AdaptiveSendsAFakeToEachLaneInEachEpisode) {
    const report r = run(costly_farm(5'000, one_fast_lane(), parley::adaptive_round_robin{}));
    EXPECT_GT(r.fakes, 0U);
    for (const lane_report& l : r.lanes) EXPECT_EQ(l.fakes, r.fakes / 4);
}

TEST(VirtualFarm, EachItemComesThroughOnceWhateverGoesWrong) {
    for (const parley::any_schedule& schedule : all_schedules())
        for (std::uint64_t seed = 1; seed <= 4; ++seed)
            for (const std::uint32_t cores : {1U, 3U, 4U})
                for (const std::uint64_t pool : {0U, 50U}) {
                    setup s = costly_farm(2'000, one_fast_lane(), schedule);
                    s.cores = cores;
                    s.pool = pool;
                    s.seed = seed;
                    s.spread = 30;
                    s.bound = seed % 2 == 0 ? 5 : 0;
                    s.ordered = seed > 2;
                    s.faults = {.stall_chance = 2'000,
                                .stall = 500 * microsecond,
                                .late_chance = 2'000,
                                .late = 100 * microsecond,
                                .slow_chance = 20'000,
                                .slow_percent = 50};
                    const report r = run(s);
                    EXPECT_EQ(r.items, 2'000U);
                    EXPECT_EQ(items_of_all_lanes(r), 2'000U);
                    EXPECT_TRUE(r.in_order || pool != 0 || !s.ordered);
                    EXPECT_LE(r.under_way, pool != 0 ? pool : s.tokens);
                }
}

TEST(VirtualFarm, IsAFunctionOfItsSetup) {
    setup s = costly_farm(3'000, one_fast_lane(), parley::adaptive_round_robin{});
    s.spread = 20;
    const report first = run(s), again = run(s);
    EXPECT_EQ(first.took, again.took);
    EXPECT_EQ(first.events, again.events);
    s.seed = 2;
    EXPECT_NE(first.took, run(s).took);
}

TEST(VirtualFarm, LanesThatShareACoreShareItsTime) {
    setup s = free_farm(20, {10, 10}, parley::round_robin{});
    s.cores = 1;
    s.slice = 3;
    const report r = run(s);
    EXPECT_EQ(r.took, 200) << "all of the work, on one core";
    EXPECT_EQ(r.lanes[0].busy, 100);
    EXPECT_EQ(r.lanes[1].busy, 100);
}

TEST(VirtualFarm, TokensBoundWhatIsUnderWay) {
    setup s = free_farm(100, {10, 10}, parley::round_robin{});
    s.tokens = 3;
    EXPECT_EQ(run(s).under_way, 3U);
}

TEST(VirtualFarm, AnEmitterWaitsForAFullLane) {
    setup s = free_farm(100, {10, 30}, parley::round_robin{});
    s.bound = 2;
    const report r = run(s);
    EXPECT_EQ(r.lanes[0].highest, 2U);
    EXPECT_EQ(r.lanes[1].highest, 2U);
    EXPECT_EQ(r.took, 1'500);
}

TEST(VirtualFarm, APoolGoesRound) {
    setup s = free_farm(1'000, {10, 30}, parley::on_demand{0});
    s.pool = 1;
    EXPECT_EQ(run(s).under_way, 1U);
    s.pool = 20;
    EXPECT_EQ(run(s).took, 7'500) << "both lanes always busy";
}

struct never_any {
    struct balancer {
        std::optional<std::size_t> choose(const parley::lane_levels&) { return std::nullopt; }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};

struct beyond {
    struct balancer {
        std::optional<std::size_t> choose(const parley::lane_levels& levels) { return levels.size(); }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};

TEST(VirtualFarm, RefusesSchedulesThatCannotWork) {
    EXPECT_THROW((void)run(free_farm(1, {10}, never_any{})), parley::usage_error);
    EXPECT_THROW((void)run(free_farm(1, {10}, beyond{})), parley::usage_error);
    EXPECT_THROW((void)run(free_farm(1, {10, 10}, parley::adaptive_round_robin{.chunk = 8})), parley::usage_error);
    setup s = free_farm(1, {10, 10}, parley::adaptive_round_robin{});
    s.tokens = 599;
    EXPECT_THROW((void)run(s), parley::usage_error);
}

TEST(VirtualFarm, CanBeStopped) {
    setup s = free_farm(100'000, {10, 10}, parley::round_robin{});
    s.stops = [] { return true; };
    EXPECT_THROW((void)run(s), timed::stopped);
}

// Chooses once, and nobody after that.
struct chooses_once {
    struct balancer {
        bool has_chosen = false;
        std::optional<std::size_t> choose(const parley::lane_levels&) {
            if (has_chosen) return std::nullopt;
            has_chosen = true;
            return 0;
        }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};

TEST(VirtualFarm, RefusesOneThatChoosesNobodyWhenAllLanesAreEmpty) {
    EXPECT_THROW((void)run(free_farm(2, {10}, chooses_once{})), parley::usage_error);
}

}  // namespace
}  // namespace virtual_farm_tests
