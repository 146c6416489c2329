// The schedulers as pure types: levels and events in, lanes out.
#include <parley/errors.hpp>
#include <parley/farm/adaptive_round_robin.hpp>
#include <parley/farm/on_demand.hpp>
#include <parley/farm/round_robin.hpp>
#include <parley/farm/schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace parley;
using levels = std::vector<std::size_t>;

static_assert(lane_schedule<round_robin>);
static_assert(lane_schedule<on_demand>);
static_assert(lane_schedule<work_stealing>);
static_assert(lane_schedule<adaptive_round_robin>);
static_assert(episodic_balancer<adaptive_round_robin::balancer>);
static_assert(!episodic_balancer<round_robin::balancer>);
static_assert(token_hungry<adaptive_round_robin>);
static_assert(!token_hungry<on_demand>);

template <class B>
std::vector<std::size_t> choices(B& b, levels given, int n) {
    std::vector<std::size_t> all;
    for (int i = 0; i < n; ++i) {
        const auto lane = b.choose(lane_levels(given, 1'000));
        if (!lane) break;
        all.push_back(*lane);
        ++given[*lane];
    }
    return all;
}

TEST(RoundRobin, TakesTheLanesInTurnWhateverTheyHave) {
    auto b = round_robin{}.begin(3);
    EXPECT_EQ(choices(b, {9, 0, 4}, 7), (std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 0}));
}

TEST(OnDemand, GivesToTheLaneThatHasLeast) {
    auto b = on_demand{5}.begin(3);
    EXPECT_EQ(choices(b, {3, 1, 2}, 4), (std::vector<std::size_t>{1, 2, 1, 2}));
}

TEST(OnDemand, GivesNothingWhileAllLanesAreFull) {
    auto b = on_demand{1}.begin(2);
    EXPECT_EQ(choices(b, {0, 0}, 9).size(), 4U) << "each lane works on one and has one waiting";
    EXPECT_EQ(b.choose(lane_levels(levels{2, 2})), std::nullopt);
    EXPECT_EQ(b.choose(lane_levels(levels{2, 1})), 1U);
}

TEST(OnDemand, HasNoGreatestDepth) {
    auto b = on_demand{~std::size_t{0}}.begin(2);
    EXPECT_EQ(b.choose(lane_levels(levels{1'000, 999})), 1U);
}

TEST(WorkStealing, GivesItemsToIdleLanesOnly) {
    auto b = work_stealing{}.begin(2);
    EXPECT_EQ(b.choose(lane_levels(levels{1, 0})), 1U);
    EXPECT_EQ(b.choose(lane_levels(levels{1, 1})), std::nullopt);
}

TEST(Arrs, RefusesAChunkThatIsNotLongerThanNearEnd) {
    EXPECT_THROW((void)(adaptive_round_robin{.chunk = 16}.begin(4)), usage_error);
    EXPECT_NO_THROW((void)(adaptive_round_robin{.chunk = 17}.begin(4)));
    EXPECT_THROW((void)(adaptive_round_robin{.chunk = 50}.begin(16)), usage_error);
    try {
        (void)adaptive_round_robin{.chunk = 50}.begin(16);
        FAIL();
    } catch (const usage_error& e) {
        EXPECT_NE(std::string(e.what()).find("NEAR_END = 4 x 16 lanes = 64"), std::string::npos) << e.what();
    }
}

// Gives items until nothing more is given; returns the lanes, and executes the first fake that came.
struct episode {
    std::vector<std::size_t> lanes;
    std::optional<std::uint64_t> fake;
    std::size_t items_before_fake = 0;
};
template <class B>
episode run_episode(B& b, const levels& recorded, std::size_t ready = 100'000) {
    episode e;
    while (const auto lane = b.choose(lane_levels(recorded, ready))) {
        e.lanes.push_back(*lane);
        if (const auto f = b.fake_to_send()) {
            e.fake = f;
            e.items_before_fake = e.lanes.size();
        }
    }
    return e;
}

TEST(Arrs, BlocksGrowFromTheNumberOfLanesToTheChunk) {
    auto b = adaptive_round_robin{.chunk = 50}.begin(4);
    for (const std::size_t length : {4U, 8U, 16U, 32U, 50U, 50U}) {
        const episode e = run_episode(b, {0, 0, 0, 0});
        EXPECT_EQ(e.lanes.size(), length);
        ASSERT_TRUE(e.fake);
        b.fake_executed(0, *e.fake);
    }
}

TEST(Arrs, FollowsTheItemsThatAreReady) {
    auto b = adaptive_round_robin{.chunk = 300}.begin(2);
    for (int i = 0; i < 12; ++i) b.fake_executed(0, *run_episode(b, {0, 0}).fake);
    EXPECT_EQ(run_episode(b, {0, 0}).lanes.size(), 300U);
    b.fake_executed(0, b.episode());
    EXPECT_EQ(run_episode(b, {0, 0}, 40).lanes.size(), 40U);
    b.fake_executed(0, b.episode());
    EXPECT_EQ(run_episode(b, {0, 0}, 1).lanes.size(), 9U) << "never shorter than NEAR_END + 1";
}

TEST(Arrs, SendsItsFakesWhenNearEndItemsAreLeft) {
    auto b = adaptive_round_robin{.chunk = 100}.begin(2);
    for (int i = 0; i < 10; ++i) b.fake_executed(0, *run_episode(b, {0, 0}).fake);
    const episode e = run_episode(b, {0, 0});
    EXPECT_EQ(e.lanes.size(), 100U);
    EXPECT_EQ(e.items_before_fake, 92U);
}

TEST(Arrs, FillsTheLowestFirstAndThenGoesRound) {
    auto b = adaptive_round_robin{.chunk = 100}.begin(3);
    for (int i = 0; i < 10; ++i) b.fake_executed(0, *run_episode(b, {0, 0, 0}).fake);
    const episode e = run_episode(b, {20, 5, 17});
    ASSERT_EQ(e.lanes.size(), 100U);
    EXPECT_EQ(std::count(e.lanes.begin(), e.lanes.begin() + 12, 1U), 12) << "5 is filled up to 17";
    EXPECT_EQ(std::count(e.lanes.begin(), e.lanes.begin() + 18, 0U), 0) << "nothing for the fullest";
    levels given = {20, 5, 17};
    for (const std::size_t lane : e.lanes) ++given[lane];
    const auto [least, most] = std::minmax_element(given.begin(), given.end());
    EXPECT_LE(*most - *least, 1U);
}

TEST(Arrs, WaitsForAFakeOfItsOwnEpisode) {
    auto b = adaptive_round_robin{.chunk = 20}.begin(2);
    const std::uint64_t old = *run_episode(b, {0, 0}).fake;
    b.fake_executed(0, old);
    const std::uint64_t present = *run_episode(b, {0, 0}).fake;
    EXPECT_NE(old, present);
    b.fake_executed(1, old);  // by a slow lane, an episode late
    EXPECT_TRUE(run_episode(b, {0, 0}).lanes.empty());
    b.fake_executed(1, present);
    EXPECT_FALSE(run_episode(b, {0, 0}).lanes.empty());
}

TEST(AnySchedule, HoldsAnyOfThem) {
    const any_schedule s = adaptive_round_robin{.chunk = 30};
    EXPECT_EQ(s.least_tokens(), 60U);
    EXPECT_TRUE(s.is<adaptive_round_robin>());
    EXPECT_FALSE(s.is<round_robin>());
    auto b = s.begin(2);
    EXPECT_EQ(b->choose(lane_levels(levels{0, 0}, 100)), 0U);
    EXPECT_EQ(b->fake_to_send(), 1U);
}

// A user's own: two functions.
struct always_last {
    struct balancer {
        std::optional<std::size_t> choose(const lane_levels& all) { return all.size() - 1; }
    };
    [[nodiscard]] balancer begin(std::size_t) const { return {}; }
};
static_assert(lane_schedule<always_last>);

TEST(AnySchedule, TakesSchedulesOfUsers) {
    EXPECT_EQ(any_schedule(always_last{}).begin(5)->choose(lane_levels(levels(5, 0))), 4U);
}

// Lanes in virtual time: lane i takes time[i] per item, scheduling takes none. Returns when all n items are done.
template <class S>
double simulate(const S& schedule, std::size_t n, const std::vector<double>& time) {
    struct lane {
        std::deque<std::uint64_t> queue;  // 0 is an item, else the fake of that episode
        std::size_t items = 0;
        double free_at = 0;
    };
    std::vector<lane> lanes(time.size());
    auto b = any_schedule(schedule).begin(time.size());
    double now = 0;
    std::size_t left = n;
    const auto dispatch = [&] {
        while (left > 0) {
            levels current;
            for (const lane& l : lanes) current.push_back(l.items);
            const auto chosen = b->choose(lane_levels(current, left));
            if (!chosen) return;
            lane& l = lanes[*chosen];
            if (l.queue.empty()) l.free_at = now + time[*chosen];
            l.queue.push_back(0);
            ++l.items;
            --left;
            if (const auto fake = b->fake_to_send())
                for (lane& each : lanes) {
                    if (each.queue.empty()) each.free_at = now;
                    each.queue.push_back(*fake);
                }
        }
    };
    dispatch();
    for (;;) {
        lane* next = nullptr;
        for (lane& l : lanes)
            if (!l.queue.empty() && (next == nullptr || l.free_at < next->free_at)) next = &l;
        if (next == nullptr) break;
        now = next->free_at;
        const auto index = static_cast<std::size_t>(next - lanes.data());
        const std::uint64_t what = next->queue.front();
        next->queue.pop_front();
        if (what == 0) --next->items;
        else b->fake_executed(index, what);
        if (!next->queue.empty()) next->free_at = now + (next->queue.front() == 0 ? time[index] : 0);
        dispatch();
    }
    EXPECT_EQ(left, 0U);
    return now;
}

// S = sum(s_i) / (p s_1) of the paper, with one lane 5.8 times faster.
struct unequal {
    std::vector<double> time;
    double model;
    explicit unequal(std::size_t lanes)
        : time(lanes, 1.0), model((static_cast<double>(lanes) + 4.8) / static_cast<double>(lanes)) {
        time[0] = 1 / 5.8;
    }
};

TEST(PapersModel, OnDemandReachesItAtAThousandItems) {
    for (const std::size_t p : {2U, 4U, 8U}) {
        const unequal u(p);
        const double s = simulate(round_robin{}, 1'000, u.time) / simulate(on_demand{0}, 1'000, u.time);
        EXPECT_GE(s, 0.95 * u.model) << p;
    }
}

TEST(PapersModel, ArrsReachesItWithManyItems) {
    for (const std::size_t p : {2U, 4U, 8U, 16U}) {
        const unequal u(p);
        const adaptive_round_robin arrs{.chunk = 300};
        const double s = simulate(round_robin{}, 100'000, u.time) / simulate(arrs, 100'000, u.time);
        EXPECT_GE(s, 0.9 * u.model) << p;
    }
}

TEST(PapersModel, UniformLanesLoseNothingByArrs) {
    const std::vector<double> equal(4, 1.0);
    EXPECT_LE(simulate(adaptive_round_robin{}, 10'000, equal), 1.02 * simulate(round_robin{}, 10'000, equal));
}

}  // namespace
