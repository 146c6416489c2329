// Programs that may use some cores only: they get those, others make room, and that comes to an end.
#include "tests/broker/policies/given.hpp"
#include "tests/seeds.hpp"

#include <broker/policy/bias_policy.hpp>
#include <broker/policy/make_room.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace broker_tests;

using cores = std::set<core_id>;
const fair_share rules;

bool happened(const world& w, deed what, program_id p, reason why) {
    return std::any_of(w.decisions.begin(), w.decisions.end(),
                       [&](const decision& d) { return d.what == what && d.program == p && d.why == why; });
}

TEST(UsableCores, AreAllUnlessSomeAreNamed) {
    const usable_cores all, some(70, [](core_id c) { return c == 3 || c == 69; });
    EXPECT_TRUE(all.has(0) && all.has(1000));
    EXPECT_EQ(all.count(70), 70u);
    EXPECT_TRUE(some.has(3) && some.has(69));
    EXPECT_FALSE(some.has(4) || some.has(68) || some.has(70) || some.has(1000));
    EXPECT_EQ(some.count(70), 2u);
    EXPECT_TRUE(usable_cores(70, [](core_id) { return true; }).are_all());
    EXPECT_TRUE(usable_cores(70, [](core_id) { return false; }).are_all()) << "it has to run somewhere";
}

TEST(Restricted, WhatAProgramMayUseIsCutToTheMachine) {
    section s(0, std::make_shared<const ownership>(equal_sections(4, 2)), from_one());
    s.on(joining{.program = 1, .most = 9, .usable = only({1, 3, 700})});
    EXPECT_EQ(s.known().rows.find(1)->usable, only({1, 3}));
    EXPECT_EQ(s.known().rows.find(1)->most, 2u);
    s.on(joining{.program = 2, .usable = only({700})});
    EXPECT_TRUE(s.known().rows.find(2)->usable.are_all());
    EXPECT_EQ(s.known().rows.find(2)->most, unlimited);
}

TEST(Restricted, AProgramGetsOnlyCoresThatItMayUse) {
    world w(equal_sections(8, 2), std::make_shared<fair_share>());
    w.join_on(0, 1, {1, 2, 6});
    EXPECT_EQ(w.cores(1), (cores{1, 2, 6}));
    w.join(1, 2);
    EXPECT_EQ(w.cores(2), (cores{0, 3, 4, 5, 7}));
    EXPECT_EQ(w.shared(), 0u);
    w.expect_settled();
}

TEST(Restricted, WhoHoldsTooManyGivesTheRightOnes) {
    world w(equal_sections(8, 2), std::make_shared<fair_share>());
    w.join(0, 1);
    ASSERT_EQ(w.cores(1).size(), 8u);
    w.join_on(1, 2, {1, 6});
    EXPECT_EQ(w.cores(2), (cores{1, 6}));
    EXPECT_EQ(w.cores(1), (cores{0, 2, 3, 4, 5, 7}));
    w.quantum();  // half of them are elsewhere now: another section leads
    w.expect_settled();
}

// B has the one core that A can use, and there is an idle one.
TEST(Restricted, TheyChangePlaces) {
    for (const std::uint32_t cores_of_machine : {2u, 4u}) {
        world w(equal_sections(cores_of_machine, cores_of_machine / 2), from_one());
        w.join(0, 1);
        ASSERT_EQ(w.cores(1), (cores{0}));
        w.join_on(0, 2, {0});
        EXPECT_EQ(w.cores(2), (cores{0}));
        EXPECT_EQ(w.cores(1), (cores{1}));
        EXPECT_TRUE(happened(w, deed::loses, 1, reason::makes_room));
        EXPECT_TRUE(happened(w, deed::gets, 1, reason::idle_core));
        w.expect_settled();
    }
}

TEST(Restricted, WhoMovesMayGoToAnotherSection) {
    world w(equal_sections(4, 2), from_one());
    w.join(0, 1);
    w.join_on(0, 2, {1});
    w.join_on(1, 3, {0});
    EXPECT_EQ(w.cores(3), (cores{0}));
    EXPECT_EQ(w.cores(2), (cores{1}));
    EXPECT_EQ(w.cores(1).size(), 1u);
    EXPECT_GE(*w.cores(1).begin(), 2u);
    EXPECT_EQ(w.shared(), 0u);
    w.expect_settled();
}

// No core is idle, but 1 has two where its share is one: 2 leaves core 0 to 3 and takes one of those.
TEST(Restricted, WhoMovesMayTakeFromWhoHasTooMany) {
    world w(equal_sections(3, 1), std::make_shared<fair_share>());
    w.join_on(0, 1, {1, 2});
    w.join(0, 2);
    ASSERT_EQ(w.cores(1), (cores{1, 2}));
    ASSERT_EQ(w.cores(2), (cores{0}));
    w.join_on(0, 3, {0});
    EXPECT_EQ(w.cores(3), (cores{0}));
    EXPECT_EQ(w.cores(1).size(), 1u);
    EXPECT_EQ(w.cores(2).size(), 1u);
    EXPECT_EQ(w.shared(), 0u);
    w.expect_settled();
}

TEST(Restricted, OneCoreEachComesBeforeShares) {
    world w(equal_sections(4, 1), std::make_shared<fair_share>());
    w.join_on(0, 1, {0, 1});
    ASSERT_EQ(w.cores(1).size(), 2u);
    w.join_on(0, 2, {0, 1});
    EXPECT_EQ(w.cores(1).size(), 1u) << "its share is two";
    EXPECT_EQ(w.cores(2).size(), 1u);
    EXPECT_EQ(w.shared(), 0u);
}

TEST(Restricted, ItSharesWhereNobodyCanMakeRoom) {
    world w(equal_sections(4, 2), std::make_shared<fair_share>());
    w.join_on(0, 1, {2});
    w.join_on(1, 2, {2});
    EXPECT_EQ(w.cores(1), (cores{2}));
    EXPECT_EQ(w.cores(2), (cores{2})) << "though there are idle cores";
    w.expect_settled();
    w.leave(0, 1);
    w.quantum();
    EXPECT_EQ(w.cores(2), (cores{2}));
    EXPECT_EQ(w.shared(), 0u);
}

// However many share that one core: it is one.
TEST(Restricted, WhoSharesOneCoreLeavesTheOthersToWhoMayUseThem) {
    constexpr std::uint32_t all = 12;
    for (const bool comes_last : {false, true}) {
        world w(equal_sections(all, 3), std::make_shared<fair_share>());
        if (!comes_last) w.join(1, 100);
        for (program_id p = 1; p < all; ++p) w.join_on(static_cast<section_id>(p % 3), p, {0});
        if (comes_last) w.join(1, 100);
        EXPECT_EQ(w.cores(100).size(), all - 1);
        EXPECT_FALSE(w.cores(100).contains(0));
        for (program_id p = all; p < 2 * all; ++p) w.join_on(0, p, {0});
        for (int q = 0; q < 3; ++q) w.quantum();
        EXPECT_EQ(w.cores(100).size(), all - 1) << "though there are more programs than cores";
        for (program_id p = 1; p < 2 * all; ++p) EXPECT_EQ(w.cores(p), (cores{0}));
        w.join(2, 101);
        EXPECT_EQ(w.cores(101).size(), all / 2 - 1);
        EXPECT_EQ(w.cores(100).size(), all / 2);
        EXPECT_EQ(w.shared(), 1u);
        w.expect_settled();
    }
}

TEST(Restricted, RoomIsMadeForMoreThanTheFirstCore) {
    world w(equal_sections(8, 2), from_one());
    w.join(0, 1);
    for (int q = 0; q < 2; ++q) w.quantum({{1, 100}});
    w.join_on(1, 9, {7});  // nobody is alone, and has all for that
    ASSERT_EQ(w.cores(1), (cores{0, 1, 2, 3}));
    w.join_on(0, 2, {0, 1, 2});
    for (int q = 0; q < 4; ++q) w.quantum_of_width({{1, 4}, {2, 8}});
    EXPECT_EQ(w.cores(2), (cores{0, 1, 2})) << "4, 5 and 6 are as good for 1";
    EXPECT_EQ(w.cores(1).size(), 4u);
    EXPECT_EQ(w.shared(), 0u);
    w.expect_settled();
}

TEST(Restricted, WhoWaitsForAnAnswerStaysWhereItIs) {
    given k(equal_sections(4, 2), 0);
    k.leads(1, {0}, program_class::satisfied).exists(2, {}, program_class::satisfied).may_use(2, {0});
    EXPECT_EQ(make_room(2, terms::first, k, rules), (gift{1, 0, false, reason::makes_room}));
    k.led.at(1).asked = 1;
    EXPECT_EQ(make_room(2, terms::first, k, rules), std::nullopt);
}

// Whom it asked for a core for itself, or for room, may still let it share one.
TEST(Restricted, OnlyWhoRefusedToShareIsNotAskedToShareAgain) {
    given k(equal_sections(4, 2), 0);
    k.leads(1, {0}, program_class::satisfied).leads(2, {}, program_class::satisfied).may_use(2, {2});
    k.exists(3, {2}, program_class::satisfied).may_use(3, {2});
    led_program& p = k.led.at(2);
    p.denied = {1};
    for (const terms how : {terms::alone, terms::moved, terms::first}) {
        p.asked_how = how;
        EXPECT_EQ(rules.ask_to_share(p, k), (sharing{1, terms::any}));
    }
    p.asked_how = terms::any;
    EXPECT_EQ(rules.ask_to_share(p, k), std::nullopt);
}

TEST(Restricted, NobodyMovesForWhoMayUseAll) {
    given k(equal_sections(4, 2), 0);
    k.leads(1, {0}, program_class::satisfied).leads(2, {}, program_class::satisfied);
    EXPECT_EQ(ask_for_room(k.led.at(2), k, rules), std::nullopt);
    EXPECT_EQ(make_room(2, terms::first, k, rules), std::nullopt);
    EXPECT_EQ(make_room(9, terms::first, k, rules), std::nullopt) << "or of whom nothing is known yet";
}

// Whoever owned core 0 has not heard yet that the program may not use it.
TEST(Restricted, AWrongCoreIsGivenBack) {
    section fresh(1, std::make_shared<const ownership>(equal_sections(4, 2)), std::make_shared<fair_share>());
    outcome out = fresh.on(joining{.program = 1, .usable = only({1, 2})});
    ASSERT_EQ(fresh.allotment(1).size(), 1u);
    EXPECT_TRUE(std::any_of(out.messages.begin(), out.messages.end(),
                            [](const message& m) { return m.what == payload(request{1, terms::alone}); }));
    fresh.on(message{0, 1, core_delta{0, {1, 5}, true}});
    out = fresh.on(message{0, 1, grant{1, 0, 5}});
    EXPECT_EQ(out.messages.front().what, payload(return_core{.core = 0, .holder = {1, 5}, .why = reason::surplus}));
    EXPECT_EQ(fresh.allotment(1).size(), 1u);
    EXPECT_FALSE(fresh.known().led.at(1).asked);
}

TEST(Restricted, Figure3PassesOverCoresThatItMayNotUse) {
    const bias_policy how;
    given k(equal_sections(8, 2), 0);
    k.leads(1, {0, 1}, program_class::inefficient).leads(2, {2, 3}, program_class::inefficient);
    k.exists(9, {}, program_class::satisfied).may_use(9, {3, 5});
    EXPECT_EQ(how.get_available_core(9, k), (gift{2, 3, false, reason::from_inefficient}));
    k.may_use(9, {5});
    EXPECT_EQ(how.get_available_core(9, k), std::nullopt);
    k.exists(3, {4, 6, 7}, program_class::satisfied);
    EXPECT_EQ(how.has_most_cores(9, k), std::nullopt);
    k.exists(4, {5}, program_class::satisfied);
    EXPECT_EQ(how.has_most_cores(9, k), 1u);
}

TEST(Restricted, Figure3StartsOnAllThatItMayUse) {
    world w(equal_sections(8, 2), std::make_shared<bias_policy>());
    w.join(0, 1);
    w.join_on(0, 2, {3, 4});
    EXPECT_EQ(w.cores(2), (cores{3, 4}));
    w.expect_settled();
}

// Claims stay as they are: quantum after quantum somebody may still move, but not for ever, and in the end everybody
// has a core that it may use, for itself if one is left that nobody else can be without.
TEST(Restricted, ItComesToAnEnd) {
    for (const std::uint64_t seed : parley_tests::seeds(10'000)) {
        SCOPED_TRACE("PARLEY_SIM_SEED=" + std::to_string(seed));
        parley::base::rng random(seed);
        const std::uint32_t sections = 1 + random.below(4);
        const std::uint32_t machine = 2 * sections + random.below(8);
        const bool grows = random.below(2) == 0;
        world w(equal_sections(machine, sections), grows ? from_one() : std::make_shared<fair_share>());
        const std::uint32_t programs = 1 + random.below(machine + 2);
        cores last{0};
        for (program_id p = 1; p <= programs; ++p) {
            cores usable;
            const std::uint32_t one_in = 1 + random.below(6);
            for (core_id c = 0; c < machine; ++c)
                if (random.below(one_in) == 0) usable.insert(c);
            if (usable.empty()) usable.insert(random.below(machine));
            if (random.below(3) == 0) usable = last;  // many may use the same ones
            last = usable;
            w.join_on(random.below(sections), p, usable);
            std::map<program_id, std::uint32_t> width;
            for (program_id q = 1; q <= p; ++q) width[q] = random.below(machine + 1);
            w.quantum_of_width(width);
            if (HasFatalFailure()) return;
            for (program_id q = 1; q <= p; ++q) ASSERT_GE(w.cores(q).size(), 1u) << "program " << q;
        }
        for (int q = 0; q < 6; ++q) w.quantum();
        w.decisions.clear();
        for (int q = 0; q < 3; ++q) w.quantum();
        ASSERT_TRUE(w.decisions.empty()) << "program " << w.decisions.front().program;
        w.expect_settled();
        if (HasFatalFailure()) return;
        // Shared without need it would be if one of two could go to an idle core.
        for (core_id c = 0; c < machine; ++c)
            for (const holding& h : w.holders(c))
                for (core_id idle = 0; idle < machine && w.holders(c).size() > 1; ++idle)
                    ASSERT_FALSE(w.holders(idle).empty() && w.net[0].known().usable(h.program).has(idle))
                        << "program " << h.program << " shares core " << c << ", " << idle << " is idle";
    }
}

}  // namespace
