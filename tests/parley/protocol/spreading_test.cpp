// Work that appears while many requests rest: whom it reaches in which order.
#include "tests/parley/protocol/one_thread_medium.hpp"

#include <parley/detail/protocol/spreading.hpp>
#include <parley/detail/protocol/stealing.hpp>
#include <parley/detail/protocol/victim.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace parley::protocol;
using protocol_tests::house;
using protocol_tests::one_thread_medium;
using protocol_tests::place;

constexpr auto all_run = [](request_id) { return true; };

// The set of the one-thread house, as take_middle() asks for it.
struct set_lobby {
    std::set<request_id>& all;
    std::uint32_t workers;
    const std::set<worker_id>& asleep;
    const std::set<worker_id>& coming;

    std::uint32_t count_coming(request_id first, request_id last) const {
        std::uint32_t sum = 0;
        for (worker_id w = thief_of(first); w < thief_of(last); ++w)
            sum += coming.contains(w) && !all.contains(request_of(w));
        return sum;
    }
    std::uint32_t count_awake(request_id first, request_id last) const {
        std::uint32_t sum = 0;
        for (worker_id w = thief_of(first); w < std::min(thief_of(last), workers); ++w) sum += !asleep.contains(w);
        return sum;
    }
    std::uint32_t count_between(request_id first, request_id last) const {
        return static_cast<std::uint32_t>(std::distance(all.lower_bound(first), all.lower_bound(std::max(first, last))));
    }
    std::optional<request_id> find_between(request_id first, request_id, std::uint32_t before) const {
        return *std::next(all.lower_bound(first), before);
    }
    bool take_out(request_id r) const { return all.erase(r) > 0; }
    template <class Runs>
    std::optional<request_id> take(request_id, const Runs& runs) const {
        for (const request_id r : all)
            if (runs(r)) return all.erase(r), r;
        return std::nullopt;
    }
};

// What came with the answers, by the thief's number.
struct spread_house : house {
    using house::house;
    std::vector<std::uint32_t> ranges = std::vector<std::uint32_t>(at.size());
    std::vector<division> divisions = std::vector<division>(at.size());
    std::set<worker_id> lost_their_core, asleep, coming, out_of_loops;
    bool many_rest = false;

    void all_rest_but(worker_id w) {
        for (worker_id i = 0; i < at.size(); ++i) {
            if (i == w) continue;
            at[i].request = request_state::resting;
            lobby.insert(request_of(i));
        }
    }
};

class spreading_medium : public one_thread_medium {
public:
    spreading_medium(spread_house& h, worker_id self) : one_thread_medium(h, self), h_(h), self_(self) {}

    std::optional<asker> take_asker(std::uint32_t range) {
        set_lobby lobby{h_.lobby, static_cast<std::uint32_t>(h_.at.size()), h_.asleep, h_.coming};
        const auto may_take = [this](request_id r) {
            return state(r) != request_state::resting || !h_.lost_their_core.contains(thief_of(r));
        };
        return take_middle(self_, range, static_cast<std::uint32_t>(h_.at.size()), lobby, may_take);
    }
    void divides(request_id r, const division& d) {
        h_.ranges[thief_of(r)] = d.of_thief;
        h_.divisions[thief_of(r)] = d;
        order.push_back(thief_of(r));
    }
    std::uint32_t range_of(request_id r) const { return h_.ranges[thief_of(r)]; }
    bool many_rest() const { return h_.many_rest; }
    bool comes_from_loop() const { return h_.out_of_loops.contains(self_); }

    std::vector<worker_id> order;  // of answers

private:
    spread_house& h_;
    worker_id self_;
};
static_assert(medium<spreading_medium>);

using machine = worker<random_victims, steal_one>;

machine machine_of(worker_id w, const house& h) { return {w, static_cast<std::uint32_t>(h.at.size()), 7, {}}; }

struct spreading : testing::Test {
    spread_house h{8};
    machine first = machine_of(0, h);
    spreading_medium m{h, 0};

    void look(std::size_t tasks) {
        h.at[0].spare = tasks;
        h.at[0].attention |= bits::lobby;
        first.serve(m);
    }
};
using Spreading = spreading;

TEST_F(Spreading, TheMiddleOneIsAnsweredAndServesThoseBehindIt) {
    h.all_rest_but(0);
    look(3);
    EXPECT_EQ(m.order, (std::vector<worker_id>{4, 2, 1}));
    EXPECT_EQ(h.ranges[4], 3U);
    EXPECT_EQ(h.ranges[2], 1U);
    EXPECT_EQ(h.ranges[1], range::nobody);
    EXPECT_EQ(h.divisions[4].all, 7U);
    EXPECT_FALSE(h.divisions[2].is_used_up);
    EXPECT_TRUE(h.divisions[1].is_used_up);
}

TEST_F(Spreading, TheThiefServesItsRange) {
    h.all_rest_but(0);
    look(1);
    ASSERT_EQ(m.order, (std::vector<worker_id>{4}));
    machine thief = machine_of(4, h);
    spreading_medium n(h, 4);
    ASSERT_TRUE(thief.receive(n));
    EXPECT_FALSE(thief.serves().is_everybody());
    h.at[4].spare = 2;
    h.at[4].attention |= bits::lobby;
    thief.serve(n);
    EXPECT_EQ(n.order, (std::vector<worker_id>{6, 5}));
    EXPECT_TRUE(thief.serves().is_everybody());
    EXPECT_EQ(h.ranges[6], 1U);
}

// So the next loop is divided in the same places, whoever comes late.
TEST_F(Spreading, WhereNearlyAllRestThereIsAPartForThoseThatComeSoon) {
    h.all_rest_but(0);
    h.lobby.erase(request_of(3));
    h.coming = {3};
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{5}));
    EXPECT_EQ(h.divisions[5].all, 7U);
    EXPECT_EQ(h.divisions[5].served, 3U);
    EXPECT_EQ(h.ranges[5], 2U);
    look(3);
    EXPECT_EQ(h.divisions[2].all, 4U) << "3 is in the range that is left, and comes later";
    EXPECT_EQ(h.divisions[2].served, 3U);
    EXPECT_EQ(h.divisions[2].of_thief, 2U);
}

TEST_F(Spreading, ThereIsNoPartForAWorkerInALongTask) {
    h.all_rest_but(0);
    h.lobby.erase(request_of(3));
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{5}));
    EXPECT_EQ(h.divisions[5].all, 6U);
    EXPECT_EQ(h.divisions[5].served, 3U);
}

TEST_F(Spreading, ThereIsNoPartForSleepers) {
    h.all_rest_but(0);
    h.asleep = {5, 6, 7};
    for (const worker_id w : h.asleep) h.lobby.erase(request_of(w));
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{3}));
    EXPECT_EQ(h.divisions[3].all, 4U);
    EXPECT_EQ(h.divisions[3].served, 2U);
}

TEST_F(Spreading, WhereFewRestThereArePartsForThose) {
    h.all_rest_but(0);
    h.coming = {1, 4, 7};
    for (const worker_id w : h.coming) h.lobby.erase(request_of(w));
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{5}));
    EXPECT_EQ(h.divisions[5].all, 4U);
    EXPECT_EQ(h.divisions[5].served, 2U);
}

// I9.
TEST_F(Spreading, WhoFindsNobodyInItsRangeServesEverybody) {
    h.all_rest_but(0);
    look(1);  // 1 to 3 are left to it
    for (const worker_id w : {1U, 2U, 3U}) h.lobby.erase(request_of(w));
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{4, 6}));
    EXPECT_EQ(h.ranges[6], 1U);
}

TEST_F(Spreading, WhoHasServedItsRangeServesEverybody) {
    h.all_rest_but(0);
    look(7);
    EXPECT_EQ(std::set<worker_id>(m.order.begin(), m.order.end()).size(), 7U);
    EXPECT_TRUE(h.lobby.empty());
}

TEST_F(Spreading, OnlyThoseThatRunAreAnswered) {
    h.all_rest_but(0);
    h.lost_their_core = {4, 1, 2, 3, 5, 7};
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{6}));
}

TEST_F(Spreading, WhoDoesNotRunIsAnsweredByNoRange) {
    h.all_rest_but(0);
    h.lost_their_core = {4};
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{1}));
    EXPECT_EQ(h.divisions[1].all, 0U);
    EXPECT_FALSE(h.divisions[1].is_used_up);
}

TEST_F(Spreading, ARequestThatWasWithdrawnIsTakenOutOfTheWay) {
    h.all_rest_but(0);
    h.at[4].request = request_state::home;
    look(1);
    EXPECT_EQ(m.order, (std::vector<worker_id>{5})) << "the middle one of six";
    EXPECT_FALSE(h.lobby.contains(request_of(4)));
}

TEST_F(Spreading, ARangeEndsWithTheWorkThatItCameWith) {
    for (int how = 0; how < 3; ++how) {
        spread_house other(8);
        other.all_rest_but(4);
        other.ranges[4] = 3;
        other.at[4].request = request_state::taken;
        other.at[4].arrived = 1;
        machine thief = machine_of(4, other);
        spreading_medium n(other, 4);
        ASSERT_TRUE(thief.receive(n));
        ASSERT_FALSE(thief.serves().is_everybody());
        other.at[4].spare = 0;
        if (how == 0) (void)thief.seek(n, standing::in_task);
        if (how == 1) thief.serves_everybody();
        if (how == 2) {
            other.jobs = 1;
            (void)thief.seek(n, standing::in_task);
            EXPECT_EQ(other.at[4].spare, 1U);
        }
        EXPECT_TRUE(thief.serves().is_everybody()) << how;
    }
}

TEST_F(Spreading, ALetterBringsNoRange) {
    h.ranges[3] = 5;  // of an earlier answer
    h.at[3].request = request_state::circulating;
    h.at[3].letter_here = false;
    letter t;
    t.request = request_of(3);
    h.at[0].mailbox.push_back(t);
    h.at[0].attention |= bits::mail;
    h.at[0].spare = 1;
    first.serve(m);
    ASSERT_EQ(m.order, (std::vector<worker_id>{3}));
    EXPECT_EQ(h.ranges[3], 0U);
    EXPECT_EQ(h.divisions[3].all, 0U);
}

TEST_F(Spreading, WhereManyRestARequestRestsAtOnce) {
    for (const bool many : {false, true}) {
        spread_house other(8);
        other.many_rest = many;
        machine self = machine_of(1, other);
        spreading_medium n(other, 1);
        (void)self.seek(n, standing::in_task);
        EXPECT_EQ(other.at[1].request, many ? request_state::resting : request_state::circulating);
        EXPECT_EQ(other.lobby.contains(request_of(1)), many);
        EXPECT_EQ((other.at[0].attention & bits::lobby) != 0, many) << "whoever has work hears of it";
    }
}

TEST_F(Spreading, WhoComesFromALoopRestsAtOnce) {
    spread_house other(8);
    other.out_of_loops = {1};
    machine from_loop = machine_of(1, other), from_task = machine_of(2, other);
    spreading_medium one(other, 1), two(other, 2);
    (void)from_task.seek(two, standing::in_task);
    EXPECT_EQ(other.at[2].request, request_state::circulating);
    (void)from_loop.seek(one, standing::in_task);
    EXPECT_EQ(other.at[1].request, request_state::resting);
    EXPECT_EQ(other.lobby, (std::set<request_id>{request_of(1)})) << "and does not put others' letters to rest";
}

TEST_F(Spreading, WhereFailedRequestsComeHomeNoneRestsAtOnce) {
    h.many_rest = true;
    h.out_of_loops = {1};
    worker<random_victims, steal_one, requesting<1, after_failure::comes_home>> self{1, 8, 7, {}};
    spreading_medium n(h, 1);
    (void)self.seek(n, standing::in_task);
    EXPECT_EQ(h.at[1].request, request_state::circulating);
}

// In each round all who have work answer one. Each of n - 1 thieves is answered once, after log2(n) rounds.
TEST(SpreadingTree, ReachesAllInAsManyRoundsAsATreeHasLevels) {
    for (std::uint32_t n = 2; n <= 300; ++n)
        for (const worker_id root : {worker_id{0}, n / 2, n - 1}) {
            std::set<request_id> resting;
            const std::set<worker_id> nobody;
            const set_lobby lobby{resting, n, nobody, nobody};
            for (worker_id w = 0; w < n; ++w)
                if (w != root) resting.insert(request_of(w));
            std::vector<std::pair<worker_id, std::uint32_t>> busy{{root, n - 1}};  // with its range
            int rounds = 0;
            while (busy.size() < n) {
                ++rounds;
                ASSERT_LE(rounds, std::bit_width(n - 1)) << n << " workers, from " << root;
                for (std::size_t i = 0, before = busy.size(); i < before; ++i) {
                    auto& [id, range] = busy[i];
                    if (range == 0) continue;
                    const auto a = take_middle(id, range, n, lobby, all_run);
                    ASSERT_TRUE(a);
                    const std::uint32_t behind = range - a->behind;
                    range = a->behind - 1;
                    busy.emplace_back(thief_of(a->request), behind);
                }
            }
            ASSERT_TRUE(resting.empty());
        }
}

TEST(Range, IsDividedAtTheThief) {
    range r;
    EXPECT_TRUE(r.is_everybody());
    const division d = r.divided({.request = request_of(5), .behind = 5, .all = 3, .served = 2}, 10);
    EXPECT_EQ(d.of_thief, 4U);
    EXPECT_EQ(d.all, 3U);
    EXPECT_FALSE(d.is_used_up);
    EXPECT_FALSE(r.is_everybody());
    const division next = r.divided({.request = request_of(1), .behind = 1, .all = 1, .served = 1}, 10);
    EXPECT_EQ(next.of_thief, range::nobody);
    EXPECT_TRUE(next.is_used_up);
    EXPECT_TRUE(r.is_everybody());
}

TEST(Range, IsNotChangedByWhoLiesOutsideOfIt) {
    range r, before;
    (void)r.divided({.request = request_of(3), .behind = 3, .all = 5, .served = 3}, 10);
    before = r;
    EXPECT_EQ(r.divided({.request = request_of(7), .behind = 7, .all = 5, .served = 3}, 10).of_thief, 0U);
    EXPECT_EQ(r.divided({.request = request_of(7)}, 10).of_thief, 0U) << "a letter";
    EXPECT_EQ(r, before);
}

TEST(ManyRest, AreMoreThanAnEighth) {
    EXPECT_FALSE(are_many(0, 2));
    EXPECT_TRUE(are_many(1, 2)) << "the only other one";
    EXPECT_TRUE(are_many(1, 7));
    EXPECT_FALSE(are_many(1, 8));
    EXPECT_TRUE(are_many(2, 8));
}

}  // namespace
