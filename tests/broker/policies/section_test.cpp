// One section, message by message.
#include "tests/broker/policies/given.hpp"

#include <broker/policy/bias_policy.hpp>
#include <broker/policy/log.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace {

using namespace broker_tests;

// Sections 0 and 1 of two cores each; this one is 0, the test is 1.
class Section : public testing::Test {
protected:
    std::shared_ptr<const ownership> table = std::make_shared<const ownership>(equal_sections(4, 2));
    section s{0, table, from_one()};

    outcome hears(const payload& what) { return s.on(message{1, 0, what}); }
    template <typename What>
    static std::vector<What> of(const outcome& out) {
        std::vector<What> all;
        for (const message& m : out.messages)
            if (const What* w = std::get_if<What>(&m.what)) all.push_back(*w);
        return all;
    }
    // Program 1 here with both cores and a desire for four; all of it said to the other one.
    void two_cores_and_a_request() {
        s.on(joining{.program = 1});
        s.on(parley::broker::quantum{100, {{1, use_of({{0, 100}})}}});
        const outcome out = s.on(parley::broker::quantum{100, {{1, use_of({{0, 100}, {1, 100}})}}});
        ASSERT_EQ(of<request>(out), (std::vector<request>{{1, terms::alone}}));
    }
};

TEST_F(Section, TellsTheOthersBeforeItGrants) {
    const outcome out = hears(request{7, terms::alone});
    ASSERT_EQ(out.messages.size(), 2u);
    EXPECT_EQ(out.messages[0].what, payload(core_delta{0, {7, 1}, true}));
    EXPECT_EQ(out.messages[1].what, payload(grant{7, 0, 1}));
}

TEST_F(Section, DeniesWhatItDoesNotHave) {
    hears(request{7, terms::alone});
    hears(request{7, terms::alone});
    EXPECT_EQ(of<deny>(hears(request{7, terms::alone})).size(), 1u);
}

TEST_F(Section, HasOneRequestOutPerProgram) {
    two_cores_and_a_request();
    EXPECT_TRUE(of<request>(s.on(parley::broker::quantum{})).empty());
    EXPECT_EQ(of<request>(hears(grant{1, 2, 1})).size(), 1u) << "the next one follows the answer";
}

TEST_F(Section, StaysLeaderUntilItsRequestIsAnswered) {
    two_cores_and_a_request();
    hears(core_delta{2, {1, 1}, true});
    EXPECT_TRUE(of<handover>(hears(core_delta{3, {1, 2}, true})).empty());
    EXPECT_TRUE(s.leads(1)) << "though half of its cores are there, and section 1 is the higher one";
    EXPECT_EQ(of<handover>(hears(deny{1})).size(), 1u);
    EXPECT_FALSE(s.leads(1));
}

TEST_F(Section, GivesBackWhatCameTooLate) {
    two_cores_and_a_request();
    s.on(leaving{1});
    const outcome out = hears(grant{1, 2, 5});
    ASSERT_EQ(of<return_core>(out).size(), 1u);
    EXPECT_EQ(of<return_core>(out)[0].holder, (holding{1, 5}));
    EXPECT_EQ(of<return_core>(out)[0].why, reason::surplus);
}

TEST_F(Section, GivesBackWhatItNoLongerDesires) {
    hears(claim_delta{{.program = 9, .desire = 1, .version = 1}});  // alone it would keep it
    two_cores_and_a_request();
    s.on(parley::broker::quantum{100, {{1, use_of({{0, 100}, {1, 0}})}}});
    s.on(parley::broker::quantum{100, {{1, use_of({{0, 10}, {1, 0}})}}});
    ASSERT_EQ(s.known().led.at(1).row.desire, 1u);
    hears(core_delta{2, {1, 5}, true});
    const outcome out = hears(grant{1, 2, 5});
    // It keeps the new core, which it has not wasted yet, and is led where that is.
    EXPECT_TRUE(s.known().who.is_idle(0));
    ASSERT_EQ(of<handover>(out).size(), 1u);
    EXPECT_EQ(of<handover>(out)[0].state.cores, (std::map<core_id, std::uint64_t>{{2, 5}}));
}

TEST_F(Section, AnEarlierStayCannotBeReturned) {
    hears(request{7, terms::alone});
    hears(return_core{.core = 0, .holder = {7, 1}});
    hears(request{7, terms::alone});
    ASSERT_EQ(s.known().who.stamp(0, 7), 2u);
    hears(return_core{.core = 0, .holder = {7, 1}});
    EXPECT_EQ(s.known().who.stamp(0, 7), 2u);
}

TEST_F(Section, ReturnForTheNextIsAnsweredByTheOwner) {
    hears(request{7, terms::alone});
    const outcome out = hears(return_core{.core = 0, .holder = {7, 1}, .next = 8, .next_leader = 1});
    EXPECT_EQ(of<grant>(out), (std::vector<grant>{{8, 0, 2}}));
    EXPECT_EQ(of<deny>(hears(return_core{.core = 0, .holder = {7, 1}, .next = 8, .next_leader = 1})).size(), 1u)
        << "7 is not there any more";
}

TEST_F(Section, RequestsForTheDeadAreDenied) {
    hears(end_delta{7});
    EXPECT_EQ(s.known().rows.ending(), 0u) << "both have said so";
    section third{0, std::make_shared<const ownership>(equal_sections(6, 3)), from_one()};
    third.on(message{1, 0, end_delta{7}});
    EXPECT_EQ(of<deny>(third.on(message{2, 0, request{7, terms::alone}})).size(), 1u);
    EXPECT_FALSE(third.leads(7));
    third.on(message{2, 0, handover{led_program{.row = {.program = 7, .version = 4}, .wish = {}}}});
    EXPECT_FALSE(third.leads(7)) << "a state that was under way when it died";
    third.on(message{1, 0, request{8, terms::alone}});
    const outcome out = third.on(message{1, 0, return_core{.core = 0, .holder = {8, 1}, .next = 7, .next_leader = 2}});
    EXPECT_EQ(of<deny>(out).size(), 1u) << "a core that was meant for it";
    EXPECT_TRUE(third.known().who.is_idle(0));
}

TEST_F(Section, WhatProgramsSayOfThemselvesIsClamped) {
    s.on(joining{.program = 1, .weight = 0, .most = 0});
    EXPECT_EQ(s.known().rows.find(1)->weight, 1u);
    EXPECT_EQ(s.known().rows.find(1)->most, 1u);
    s.on(joining{.program = 2, .weight = unlimited});
    EXPECT_EQ(s.known().rows.find(2)->weight, most_weight);
    EXPECT_EQ(s.on(joining{.program = 2, .weight = 5}), outcome{}) << "nobody joins twice";
    EXPECT_EQ(s.on(joining{.program = 0}), outcome{});
}

TEST_F(Section, ForeignSamplesAreIgnored) {
    const outcome out = s.on(parley::broker::quantum{100, {{99, use_of({{0, 100}, {77, 3}})}}});
    EXPECT_EQ(out, outcome{});
}

TEST_F(Section, SaysWhoseAllotmentHasChanged) {
    EXPECT_EQ(s.on(joining{.program = 1}).changed, (std::vector<program_id>{1}));
    EXPECT_TRUE(s.on(parley::broker::quantum{}).changed.empty());
    EXPECT_EQ(s.on(parley::broker::quantum{100, {{1, use_of({{0, 100}})}}}).changed, (std::vector<program_id>{1}));
}

TEST(Log, ReplayEquals) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        parley::base::rng random(seed);
        const auto table = std::make_shared<const ownership>(equal_sections(8, 1));
        const auto how = from_one();
        recorded_section played(0, table, how);
        for (program_id p = 1; p <= 60; ++p) {
            if (random.below(3) == 0) played.on(joining{.program = p, .weight = 1 + random.below(3)});
            if (random.below(6) == 0) played.on(leaving{1 + random.below(static_cast<std::uint32_t>(p))});
            parley::broker::quantum q{100, {}};
            for (const auto& [id, l] : played.inner().known().led) {
                q.samples.push_back({id, {}});
                for (const auto& [c, stamp] : l.cores) q.samples.back().use.cores.push_back({c, 100, random.below(101)});
            }
            played.on(q);
        }
        section again(0, table, how);
        ASSERT_EQ(replay(again, played.log()), std::nullopt) << seed;
        section other(0, table, std::make_shared<bias_policy>());
        ASSERT_NE(replay(other, played.log()), std::nullopt) << "another policy decides otherwise";
    }
}

TEST(Log, ReplayFindsWhatWasChanged) {
    const auto table = std::make_shared<const ownership>(equal_sections(4, 1));
    const auto how = from_one();
    recorded_section played(0, table, how);
    played.on(joining{.program = 1});
    played.on(parley::broker::quantum{100, {{1, use_of({{0, 100}})}}});
    std::vector<record> log(played.log().begin(), played.log().end());
    std::get<parley::broker::quantum>(log[1].in).samples[0].use.cores[0].useful = 10;
    section again(0, table, how);
    EXPECT_EQ(replay(again, log), 1u);
}

// Replay tells of a damaged log then.
TEST_F(Section, CoresThatAreNotThereThrow) {
    EXPECT_THROW(hears(core_delta{99, {1, 1}, true}), std::out_of_range);
    EXPECT_THROW(hears(core_delta{99, {1, 1}, false}), std::out_of_range);
    EXPECT_THROW(hears(return_core{.core = 99, .holder = {1, 1}}), std::out_of_range);
    led_program damaged{.row = {.program = 1, .version = 1}, .wish = {}, .cores = {{99, 1}}};
    EXPECT_THROW(
        {
            hears(handover{damaged});
            s.on(quantum{});
        },
        std::out_of_range);
}

}  // namespace
