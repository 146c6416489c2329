// Single messages to one rank: whom it gives tasks and when, and whom it asks.
#include "tests/cluster/one_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using namespace cluster_tests;
using enum message_kind;
using places = std::vector<position>;

// --- as a victim ---------------------------------------------------------------------------------

TEST(Victim, GivesAsManyTasksAsItIsAskedFor) {
    one_node n(1, 5);
    n.holds.tasks = {1, 2, 3, 4, 5};
    const auto sent = n.is_asked(3, 2);
    ASSERT_EQ(receivers(tasks, sent), places{3});
    EXPECT_EQ(of_kind(tasks, sent)[0].head.count, 2u);
    EXPECT_EQ(of_kind(tasks, sent)[0].payload.size(), 2 * sizeof(int));
    EXPECT_EQ(n.holds.tasks.size(), 3u);
    EXPECT_TRUE(of_kind(nothing, sent).empty());
}

TEST(Victim, GivesTheLargerHalf) {
    one_node n(1, 5);
    n.holds.tasks = {1, 2, 3, 4, 5};
    const auto sent = n.receive({.from = 3, .kind = request, .half = true, .count = 1, .room = 1000});
    ASSERT_EQ(receivers(tasks, sent), places{3});
    EXPECT_EQ(of_kind(tasks, sent)[0].head.count, 3u);
}

TEST(Victim, GivesNoMoreThanItHas) {
    one_node n(1, 5);
    n.holds.tasks = {1, 2};
    EXPECT_EQ(of_kind(tasks, n.is_asked(3, 10)).at(0).head.count, 2u);
}

TEST(Victim, GivesNoMoreBytesThanOneMessageAndTheThiefTake) {
    options how;
    how.steal_bytes = 500;
    one_node n(1, 5, how);
    n.holds.tasks = {1, 2, 3};
    (void)n.receive({.from = 3, .kind = request, .count = 1, .room = 100});
    EXPECT_EQ(n.holds.most_given, 100u);
    (void)n.receive({.from = 3, .kind = request, .count = 1, .room = 1000});
    EXPECT_EQ(n.holds.most_given, 500u);
}

TEST(Victim, KeepsWhatItsOwnWorkersBeginNow) {
    one_node n(1, 5);
    n.holds.tasks = {1, 2};
    n.holds.free = 2;
    EXPECT_EQ(receivers(nothing, n.is_asked(3)), places{3});
    n.holds.tasks = {1, 2, 3};
    EXPECT_EQ(of_kind(tasks, n.is_asked(4, 3)).at(0).head.count, 1u);
}

TEST(Victim, NeverGivesItsLastTaskToWhoStillHasOne) {
    one_node n(1, 5);
    n.holds.tasks = {1};
    EXPECT_EQ(receivers(nothing, n.is_asked(3, 1, true)), places{3});
    EXPECT_EQ(n.holds.tasks.size(), 1u);
    n.holds.tasks = {1, 2, 3};
    EXPECT_EQ(of_kind(tasks, n.is_asked(3, 9, true)).at(0).head.count, 2u);
    n.holds.tasks = {1};
    EXPECT_EQ(receivers(tasks, n.is_asked(4)), places{4});
}

TEST(Victim, SaysNothingAndOffersWhatComesLater) {
    one_node n(1, 5);
    EXPECT_EQ(receivers(nothing, n.is_asked(3)), places{3});
    EXPECT_TRUE(of_kind(offer, n.advance()).empty());
    n.holds.tasks = {1, 2, 3};
    EXPECT_EQ(receivers(offer, n.advance()), places{3});
    EXPECT_TRUE(of_kind(offer, n.advance()).empty());  // once
    EXPECT_EQ(receivers(tasks, n.is_asked(3)), places{3});
}

TEST(Victim, OffersNoMoreThanItHas) {
    one_node n(0, 6);
    for (position p = 1; p <= 4; ++p) (void)n.is_asked(p);
    n.holds.tasks = {1, 2};
    EXPECT_EQ(receivers(offer, n.advance()), (places{1, 2}));
    // An offer that is declined is free for the next.
    EXPECT_EQ(receivers(offer, n.receive({.from = 1, .kind = decline})), places{3});
    EXPECT_EQ(n.rank.count().declined, 1u);
}

TEST(Victim, OffersToTheIdleFirst) {
    one_node n(0, 6);
    (void)n.is_asked(1, 1, true);
    (void)n.is_asked(2);
    n.holds.tasks = {1};
    EXPECT_EQ(receivers(offer, n.advance()), places{2});
    n.holds.tasks = {1, 2, 3};
    EXPECT_EQ(receivers(offer, n.advance()), places{1});
}

TEST(Victim, OffersNobodyItsLastTaskWhoStillHasOne) {
    one_node n(0, 6);
    (void)n.is_asked(1, 1, true);
    n.holds.tasks = {1};
    EXPECT_TRUE(of_kind(offer, n.advance()).empty());
    n.holds.tasks = {1, 2};
    EXPECT_EQ(receivers(offer, n.advance()), places{1});
}

TEST(Victim, ARankRestsHereOnce) {
    one_node n(0, 6);
    (void)n.is_asked(1);
    (void)n.is_asked(1);
    (void)n.is_asked(1, 1, true);
    n.holds.tasks = {1, 2, 3, 4};
    EXPECT_EQ(receivers(offer, n.advance()), places{1});
}

// --- as a thief ----------------------------------------------------------------------------------

TEST(Thief, ABusyRankAsksNobody) {
    one_node n(1, 5);
    EXPECT_TRUE(of_kind(request, n.advance()).empty());
}

TEST(Thief, ARankWithATaskForEachWorkerAsksNobody) {
    one_node n(1, 5);
    n.holds.free = 1;
    n.holds.tasks = {1};
    EXPECT_TRUE(of_kind(request, n.advance()).empty());
}

TEST(Thief, HasAtMostOneRequestOut) {
    one_node n(1, 5);
    n.becomes_idle();
    EXPECT_EQ(of_kind(request, n.advance()).size(), 1u);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(of_kind(request, n.advance()).empty());
    EXPECT_TRUE(of_kind(request, n.is_asked(2)).empty());
    EXPECT_TRUE(of_kind(request, n.receive({.from = 3, .kind = offer})).empty());
}

TEST(Thief, AsksEachNeighbourOnceAndIsSilentThen) {
    one_node n(1, 7);
    n.becomes_idle();
    std::set<position> asked;
    for (auto out = of_kind(request, n.advance()); !out.empty();
         out = of_kind(request, n.receive({.from = out[0].to, .kind = nothing}))) {
        ASSERT_EQ(out.size(), 1u);
        EXPECT_FALSE(out[0].head.is_early);
        EXPECT_TRUE(asked.insert(out[0].to).second) << out[0].to << " twice";
    }
    EXPECT_EQ(asked, (std::set<position>{0, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(of_kind(request, n.advance()).empty());
    EXPECT_EQ(n.rank.count().refused, 6u);
}

// All neighbours say that they have nothing.
void exhaust(one_node& n, const std::vector<letter>& sent) {
    for (auto out = of_kind(request, sent); !out.empty();)
        out = of_kind(request, n.receive({.from = out[0].to, .kind = nothing}));
}

TEST(Thief, AnIdleRankTakesAnOffer) {
    one_node n(1, 5);
    n.becomes_idle();
    exhaust(n, n.advance());
    const auto sent = n.receive({.from = 4, .kind = offer});
    EXPECT_EQ(receivers(request, sent), places{4});
    EXPECT_TRUE(of_kind(decline, sent).empty());
}

TEST(Thief, ABusyRankDeclinesAnOffer) {
    one_node n(1, 5);
    const auto sent = n.receive({.from = 4, .kind = offer});
    EXPECT_EQ(receivers(decline, sent), places{4});
    EXPECT_TRUE(of_kind(request, sent).empty());
}

TEST(Thief, AnOfferWaitsForTheAnswerToARequest) {
    one_node n(1, 5);
    n.becomes_idle();
    const position asked = of_kind(request, n.advance()).at(0).to;
    const position other = asked == 4 ? 3 : 4;
    EXPECT_TRUE(n.receive({.from = other, .kind = offer}).empty());
    EXPECT_EQ(receivers(decline, n.gets_tasks(asked, {7})), places{other});
    EXPECT_EQ(n.holds.tasks, std::deque<int>{7});
}

TEST(Thief, AsksWhoGaveItTasksFirst) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        options how;
        how.seed = seed;
        one_node n(1, 12, how);
        n.becomes_idle();
        const position asked = of_kind(request, n.advance()).at(0).to;
        (void)n.gets_tasks(asked, {7});
        n.holds.tasks.clear();
        EXPECT_EQ(receivers(request, n.advance()), places{asked});
    }
}

TEST(Thief, AsksForHalfOrForOne) {
    for (const stealing steal : {stealing::one, stealing::half}) {
        options how;
        how.steal = steal;
        one_node n(1, 5, how);
        n.becomes_idle();
        n.holds.bytes_free = 77;
        const header h = of_kind(request, n.advance()).at(0).head;
        EXPECT_EQ(h.half, steal == stealing::half);
        EXPECT_EQ(h.count, 1u);
        EXPECT_EQ(h.room, 77u);
    }
}

// --- for others ----------------------------------------------------------------------------------

TEST(Relay, ABusyRankAsksForWhoRestsHere) {
    one_node n(1, 5);
    const auto sent = n.is_asked(3);
    EXPECT_EQ(receivers(nothing, sent), places{3});
    ASSERT_EQ(of_kind(request, sent).size(), 1u);
    EXPECT_TRUE(of_kind(request, sent)[0].head.is_early);
    EXPECT_EQ(of_kind(request, sent)[0].head.count, 1u);
}

TEST(Relay, AnIdleRankAsksForItselfAndForThem) {
    one_node n(1, 5);
    n.becomes_idle();
    const position asked = of_kind(request, n.advance()).at(0).to;
    for (const position p : {2u, 3u}) (void)n.is_asked(p);
    const header h = of_kind(request, n.receive({.from = asked, .kind = nothing})).at(0).head;
    EXPECT_EQ(h.count, 3u);
    EXPECT_FALSE(h.is_early);
}

TEST(Relay, WhatComesIsOfferedToWhoRestsHere) {
    one_node n(1, 5);
    const position asked = of_kind(request, n.is_asked(3)).at(0).to;
    EXPECT_EQ(receivers(offer, n.gets_tasks(asked, {7})), places{3});
}

TEST(Relay, WhoBecomesIdleAsksEverybodyOnceMore) {
    one_node n(1, 3);
    exhaust(n, n.is_asked(0));
    EXPECT_TRUE(of_kind(request, n.advance()).empty());
    n.becomes_idle();
    EXPECT_EQ(of_kind(request, n.advance()).size(), 1u);
}

TEST(Relay, NobodyAsksForOthersWhereThatIsOff) {
    options how;
    how.relays = false;
    one_node n(1, 5, how);
    EXPECT_TRUE(of_kind(request, n.is_asked(3)).empty());
}

}  // namespace
