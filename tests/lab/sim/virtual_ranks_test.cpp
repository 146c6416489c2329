// The cluster's protocol in virtual time: every result comes home once, whatever is late, slow or lost, and the end is
// found when it is there.
#include "tests/lab/sim/virtual_work.hpp"
#include "tests/seeds.hpp"

#include <lab/sim/timed/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace cluster_tests;

void expect_all_home(const virtual_report& r) {
    EXPECT_TRUE(r.ended);
    EXPECT_EQ(r.results_missing, 0u);
    EXPECT_EQ(r.results_doubled, 0u);
}

// Nobody was lost.
void expect_all_once(const virtual_report& r, const virtual_work& w) {
    expect_all_home(r);
    EXPECT_FALSE(r.left_behind);
    EXPECT_EQ(r.tasks_run, brought(w));
    EXPECT_EQ(r.total.tasks, brought(w));
    EXPECT_EQ(r.total.results_home, r.total.foreign);
    EXPECT_EQ(r.total.requests, r.total.refused + r.total.steals);
    EXPECT_EQ(r.total.duplicates, 0u);
    EXPECT_FALSE(r.early);
    EXPECT_GE(r.announced, r.last_task);
    EXPECT_GE(r.detected, r.announced);
}

// Small enough for several hops even among 64.
options with(stealing steal, routing results, termination ends, bool relays) {
    return {.overlay = {.degree = 6}, .steal = steal, .results = results, .ends = ends, .relays = relays};
}

using way = std::tuple<position, stealing, routing, termination, bool>;

class EachWay : public testing::TestWithParam<way> {
protected:
    [[nodiscard]] options how() const {
        const auto [ranks, steal, results, ends, relays] = GetParam();
        return with(steal, results, ends, relays);
    }
    [[nodiscard]] position ranks() const { return std::get<0>(GetParam()); }
    void expect_well(const virtual_report& r, const virtual_work& w) const {
        expect_all_once(r, w);
        if (how().results == routing::overlay) {
            EXPECT_EQ(r.beyond_overlay, 0u);
        }
    }
};

std::string name_of(const testing::TestParamInfo<way>& p) {
    static constexpr const char* steals[] = {"one", "half", "adaptive"};
    const auto [ranks, steal, results, ends, relays] = p.param;
    return std::to_string(ranks) + "_" + steals[static_cast<int>(steal)] +
           (results == routing::overlay ? "_overlay" : "_direct") + (ends == termination::waves ? "_waves" : "_barrier") +
           (relays ? "_relays" : "");
}
INSTANTIATE_TEST_SUITE_P(Ways, EachWay,
                         testing::Combine(testing::Values(1, 2, 3, 8, 64),
                                          testing::Values(stealing::one, stealing::half, stealing::adaptive),
                                          testing::Values(routing::overlay, routing::direct),
                                          testing::Values(termination::waves, termination::barrier), testing::Bool()),
                         name_of);

TEST_P(EachWay, EveryResultComesHomeOnce) {
    for (const std::uint64_t seed : parley_tests::seeds(3)) {
        SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
        const virtual_work w = uneven(ranks(), seed);
        expect_well(run_virtual(w, how()), w);
    }
}

TEST_P(EachWay, LateMessagesChangeNothing) {
    for (const std::uint64_t seed : parley_tests::seeds(3))
        for (const double delay : {20e-6, 1e-3}) {
            SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
            const virtual_work w = uneven(ranks(), seed);
            expect_well(run_virtual(w, how(), {.most_delay = delay}), w);
        }
}

TEST_P(EachWay, RanksThatPauseChangeNothing) {
    for (const std::uint64_t seed : parley_tests::seeds(3)) {
        SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
        virtual_work w = uneven(ranks(), seed);
        w.stall_chance = 0.2;
        w.stall_seconds = 5e-3;
        expect_well(run_virtual(w, how(), {.most_delay = 100e-6}), w);
    }
}

TEST_P(EachWay, NothingToDoEnds) {
    virtual_work w;
    w.ranks = ranks();
    w.tasks = [](position) { return std::vector<virtual_task>(); };
    expect_well(run_virtual(w, how()), w);
}

TEST_P(EachWay, OneRankBringsAll) {
    for (const position from : {position{0}, ranks() - 1}) {
        virtual_work w;
        w.ranks = ranks();
        w.tasks = [from](position r) {
            return std::vector<virtual_task>(r == from ? 100 : 0, virtual_task{.owner = r, .seconds = 1e-3});
        };
        const virtual_report r = run_virtual(w, how());
        expect_well(r, w);
        EXPECT_EQ(r.total.foreign == 0, ranks() == 1);
    }
}

// --- ranks that are lost -------------------------------------------------------------------------

void expect_survivors_well(position ranks, const std::vector<lost_rank>& lost) {
    for (const termination ends : {termination::waves, termination::barrier})
        for (const routing results : {routing::overlay, routing::direct})
            for (const std::uint64_t seed : parley_tests::seeds(4)) {
                SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
                virtual_work w = uneven(ranks, seed);
                w.lost = lost;
                const options how = with(stealing::half, results, ends, true);
                expect_all_home(run_virtual(w, how, {.most_delay = 50e-6}));
            }
}

TEST(VirtualRanks, OthersGoOnWhenOneIsLost) {
    for (const position ranks : {2u, 3u, 8u, 64u})
        for (const double at : {0.0, 0.5e-3, 3e-3, 8e-3}) expect_survivors_well(ranks, {{ranks - 1, at}});
}

TEST(VirtualRanks, OthersGoOnWithoutTheRootOfTheTree) {
    for (const position ranks : {2u, 3u, 8u, 64u}) expect_survivors_well(ranks, {{0, 2e-3}});
}

TEST(VirtualRanks, OthersGoOnWhenTwoAreLost) {
    for (const position ranks : {3u, 8u, 64u}) expect_survivors_well(ranks, {{1, 1e-3}, {2, 4e-3}});
}

TEST(VirtualRanks, OthersGoOnWhenTwoAreLostAtNearlyTheSameTime) {
    for (const position ranks : {3u, 8u, 64u}) {
        expect_survivors_well(ranks, {{1, 2e-3}, {2, 2e-3}});
        expect_survivors_well(ranks, {{0, 2e-3}, {1, 2e-3 + 2e-6}});
    }
}

TEST(VirtualRanks, OneGoesOnWhenAllOthersAreLost) {
    for (const position survivor : {0u, 3u, 7u}) {
        std::vector<lost_rank> lost;
        for (position r = 0; r < 8; ++r)
            if (r != survivor) lost.push_back({r, 1e-3 + r * 0.3e-3});
        expect_survivors_well(8, lost);
    }
}

// Its own tasks are done when the others are lost: nothing is left but to end.
TEST(VirtualRanks, WhoIsLeftWithoutTasksEnds) {
    virtual_work w;
    w.ranks = 3;
    w.tasks = [](position r) {
        return std::vector<virtual_task>(r == 1 ? 0 : 4, virtual_task{.owner = r, .seconds = 1e-3});
    };
    w.lost = {{0, 0.5e-3}, {2, 0.7e-3}};
    expect_all_home(run_virtual(w, {}));
}

// --- tasks that spawn ----------------------------------------------------------------------------

void children_of(const virtual_task& t, std::vector<virtual_task>& out) {
    rng random(t.state);
    // By depth, so that all trees end.
    const std::uint32_t n = t.id >= 12 ? 0 : random.below(4);
    for (std::uint32_t i = 0; i < n; ++i)
        out.push_back({.id = t.id + 1, .seconds = 50e-6 * fraction(random), .state = random.next()});
}

std::uint64_t count_serially(std::vector<virtual_task> open) {
    std::uint64_t n = 0;
    while (!open.empty()) {
        const virtual_task t = open.back();
        open.pop_back();
        ++n;
        children_of(t, open);
    }
    return n;
}

TEST(VirtualRanks, EveryTaskThatWasSpawnedRunsOnce) {
    for (const position ranks : {1u, 2u, 3u, 8u, 64u})
        for (const stealing steal : {stealing::one, stealing::half, stealing::adaptive})
            for (const std::uint64_t seed : parley_tests::seeds(4)) {
                SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
                virtual_work w;
                w.ranks = ranks;
                w.seed = seed;
                // Numbered from 0 on each rank: that is their depth.
                w.tasks = [seed](position r) {
                    const virtual_task root{.owner = r, .seconds = 1e-5, .state = seed * 100 + r};
                    return std::vector<virtual_task>(r % 8 == 0 ? 1 : 0, root);
                };
                w.spawns = children_of;
                std::uint64_t serial = 0;
                for (position r = 0; r < ranks; ++r) serial += count_serially(w.tasks(r));
                const options how = with(steal, routing::overlay, termination::waves, true);
                const virtual_report r = run_virtual(w, how, {.most_delay = static_cast<double>(seed % 5) * 20e-6});
                EXPECT_TRUE(r.ended);
                EXPECT_FALSE(r.left_behind);
                EXPECT_FALSE(r.early);
                EXPECT_EQ(r.tasks_run, serial) << ranks << " ranks, seed " << seed;
                EXPECT_GE(r.detected, r.last_task);
            }
}

// --- how well ------------------------------------------------------------------------------------

TEST(VirtualRanks, TheSameSeedGivesTheSameRun) {
    const auto once = [](std::uint64_t seed) {
        virtual_work w = uneven(64, 5);
        w.seed = seed;
        w.stall_chance = 0.1;
        w.stall_seconds = 1e-3;
        return run_virtual(w, with(stealing::half, routing::overlay, termination::waves, true), {.most_delay = 1e-4});
    };
    const virtual_report a = once(1);
    const virtual_report b = once(1);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.closed, b.closed);
    EXPECT_EQ(a.busy, b.busy);
    EXPECT_EQ(a.total.messages, b.total.messages);
    EXPECT_EQ(a.total.bytes, b.total.bytes);
    EXPECT_EQ(a.total.result_hops, b.total.result_hops);
    EXPECT_NE(a.seconds, once(2).seconds);
}

TEST(VirtualRanks, AHillOfWorkIsLevelled) {
    const virtual_work w = gaussian(256, 100, 1.0);
    for (const termination ends : {termination::waves, termination::barrier}) {
        options how;
        how.ends = ends;
        how.look_seconds = 200e-6;
        const virtual_report r = run_virtual(w, how);
        expect_all_once(r, w);
        EXPECT_GE(r.efficiency(), 0.94);
    }
}

TEST(VirtualRanks, TheEndIsKnownWithinAMillisecond) {
    for (const termination ends : {termination::waves, termination::barrier}) {
        const virtual_work w = uneven(512, 1);
        options how;
        how.ends = ends;
        const virtual_report r = run_virtual(w, how);
        expect_all_once(r, w);
        EXPECT_LT(r.detected - r.last_task, 1e-3);
    }
}

TEST(VirtualRanks, StopWhenTheyAreTold) {
    virtual_work w = uneven(512, 1);
    w.stops = [] { return true; };
    EXPECT_THROW((void)run_virtual(w, {}), parley::sim::timed::stopped);
}

// One rank has all, and gives one task to each that asks: those that are no neighbours of it get theirs through others.
TEST(VirtualRanks, RelaysReachWhoIsFarAway) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        virtual_work w;
        w.ranks = 32;
        w.tasks = [](position r) {
            return std::vector<virtual_task>(r == 16 ? 50 : 0, virtual_task{.owner = r, .seconds = 50e-3});
        };
        options how;
        how.steal = stealing::one;
        how.overlay.seed = how.seed = seed;
        const virtual_report with = run_virtual(w, how);
        expect_all_once(with, w);
        EXPECT_EQ(std::ranges::count(with.busy, 0.0), 0);
        how.relays = false;
        const virtual_report without = run_virtual(w, how);
        expect_all_once(without, w);
        EXPECT_GT(std::ranges::count(without.busy, 0.0), 0);
    }
}

}  // namespace
