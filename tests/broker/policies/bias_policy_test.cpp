// The paper's figure 3, line by line, on states made by hand.
#include "tests/broker/policies/given.hpp"

#include <broker/policy/bias_policy.hpp>

#include <gtest/gtest.h>

namespace {

using namespace broker_tests;

// Two sections of four cores: 0 to 3 and 4 to 7. This is section 0.
class Figure3 : public testing::Test {
protected:
    given k{equal_sections(8, 2), 0};
    bias_policy how;
};

TEST_F(Figure3, LineOneTakesFromInefficientProgramsOnly) {
    k.leads(1, {0, 1}, program_class::satisfied).leads(2, {2, 3}, program_class::deprived);
    EXPECT_EQ(how.get_available_core(9, k), std::nullopt);
}

TEST_F(Figure3, LineTwoLeavesTheLastCore) {
    k.leads(1, {0}, program_class::inefficient);
    EXPECT_EQ(how.get_available_core(9, k), std::nullopt);
}

TEST_F(Figure3, LineThreeTakesTheMostInefficientCore) {
    k.leads(1, {0, 1, 2}, program_class::inefficient).uses(1, {{0, 50}, {1, 10}, {2, 90}});
    EXPECT_EQ(how.get_available_core(9, k), (gift{1, 1, false, reason::from_inefficient}));
}

TEST_F(Figure3, ALedProgramsCoreElsewhereIsAvailableToo) {
    k.leads(1, {0, 1, 5}, program_class::inefficient).uses(1, {{0, 50}, {1, 40}, {5, 10}});
    EXPECT_EQ(how.get_available_core(9, k), (gift{1, 5, false, reason::from_inefficient}));
}

TEST_F(Figure3, OthersProgramsAreTheirLeadersMatter) {
    k.exists(1, {4, 5, 6}, program_class::inefficient);
    EXPECT_EQ(how.get_available_core(9, k), std::nullopt);
}

TEST_F(Figure3, BroadcastAsksEachOtherSectionOnce) {
    given four{equal_sections(8, 4), 1};
    four.leads(1, {2}, program_class::satisfied);
    led_program& p = four.led.at(1);
    std::vector<section_id> asked;
    while (const auto s = how.broadcast_for_available_core(p, four)) {
        asked.push_back(*s);
        p.denied.push_back(*s);
    }
    EXPECT_EQ(asked, (std::vector<section_id>{0, 2, 3})) << "never itself";
}

TEST_F(Figure3, TimeSharingIsWithWhoHasMostCoresOutside) {
    k.leads(1, {0, 1, 2, 3}, program_class::satisfied);
    k.exists(2, {4}, program_class::satisfied).exists(3, {5, 6}, program_class::satisfied);
    EXPECT_EQ(how.has_most_cores(9, k), 1u) << "program 1 has more, but is of SI";
    k.exists(4, {7, 4, 5}, program_class::inefficient);
    EXPECT_EQ(how.has_most_cores(9, k), 1u) << "efficient and satisfied ones only";
}

TEST_F(Figure3, InOneSectionTimeSharingIsWithAnotherProgram) {
    given one{equal_sections(4, 1), 0};
    one.leads(1, {0, 1}, program_class::satisfied);
    EXPECT_EQ(how.has_most_cores(1, one), std::nullopt) << "not with itself";
    EXPECT_EQ(how.has_most_cores(9, one), 0u);
}

TEST_F(Figure3, TimeSharingTakesTheWorstCoreOfTheLargest) {
    k.leads(1, {0}, program_class::satisfied).leads(2, {1, 2}, program_class::satisfied);
    k.uses(2, {{1, 95}, {2, 85}});
    EXPECT_EQ(how.get_core_to_timeshare_with(9, k), (gift{2, 2, true, reason::time_shared}));
}

TEST_F(Figure3, TheThresholdForbidsToShareGoodCores) {
    k.leads(2, {1, 2}, program_class::satisfied).uses(2, {{1, 95}, {2, 85}});
    EXPECT_EQ(bias_policy({.most_efficiency_to_share = 0.84}).get_core_to_timeshare_with(9, k), std::nullopt);
    EXPECT_TRUE(bias_policy({.most_efficiency_to_share = 0.85}).get_core_to_timeshare_with(9, k));
}

TEST_F(Figure3, DesireChangesByOneAndOnlyTheSatisfiedAreServed) {
    k.leads(1, {0, 1}, program_class::satisfied);
    led_program& p = k.led.at(1);
    p.wish.cores = 2;
    how.judge(p, use_of({{0, 100}, {1, 90}}), 100, k);
    EXPECT_EQ(p.wish.judged, program_class::satisfied);
    EXPECT_EQ(p.wish.cores, 3u);
    EXPECT_EQ(p.wanted, 1u);
    how.judge(p, use_of({{0, 100}, {1, 90}}), 100, k);
    EXPECT_EQ(p.wish.judged, program_class::deprived) << "it did not get it";
    EXPECT_EQ(p.wish.cores, 3u);
    EXPECT_EQ(p.wanted, 0u) << "the figure serves efficient and satisfied programs";
    how.judge(p, use_of({{0, 100}, {1, 10}}), 100, k);
    EXPECT_EQ(p.wish.judged, program_class::inefficient);
    EXPECT_EQ(p.wish.cores, 2u);
    EXPECT_EQ(p.wanted, 0u);
}

TEST_F(Figure3, TheTextServesTheDeprivedToo) {
    k.leads(1, {0, 1}, program_class::satisfied);
    led_program& p = k.led.at(1);
    p.wish.cores = 3;
    bias_policy({.serves_deprived = true}).judge(p, use_of({{0, 100}, {1, 90}}), 100, k);
    EXPECT_EQ(p.wish.judged, program_class::deprived);
    EXPECT_EQ(p.wanted, 1u);
}

// The same by messages: three sections, the whole of the figure once through.
TEST(Figure3BySections, OwnThenBroadcastThenTimeSharing) {
    world w(equal_sections(6, 3), std::make_shared<bias_policy>(bias_options{.starts_everywhere = false}));
    w.join(0, 1);
    w.join(1, 2);
    w.join(2, 3);
    EXPECT_EQ(w.cores(1), (std::set<core_id>{0}));
    EXPECT_EQ(w.cores(2), (std::set<core_id>{2}));
    EXPECT_EQ(w.cores(3), (std::set<core_id>{4}));
    // All efficient and satisfied: each gets one of the idle cores.
    w.quantum({{1, 100}, {2, 100}, {3, 100}});
    EXPECT_EQ(w.cores(1), (std::set<core_id>{0, 1}));
    EXPECT_EQ(w.cores(2), (std::set<core_id>{2, 3}));
    EXPECT_EQ(w.cores(3), (std::set<core_id>{4, 5}));
    // 3 is inefficient, 1 is not, and asks for its core by broadcast; 2 is deprived of nothing, but idles.
    w.quantum({{1, 100}, {3, 10}, {2, 10}});
    EXPECT_EQ(w.cores(1).size(), 3u);
    EXPECT_EQ(w.cores(2).size() + w.cores(3).size(), 3u) << "one of them gave one";
    // Nothing to be had: 1 shares a core of the largest efficient and satisfied program outside.
    w.quantum({{1, 100}, {2, 100}, {3, 100}});
    EXPECT_GE(w.shared(), 1u);
    w.expect_settled();
}

TEST(Figure3BySections, ProgramsStartOnAllCores) {
    world w(equal_sections(8, 2), std::make_shared<bias_policy>());
    w.join(0, 1);
    w.join(1, 2);
    EXPECT_EQ(w.cores(1).size(), 8u);
    EXPECT_EQ(w.cores(2).size(), 8u);
    EXPECT_EQ(w.shared(), 8u);
    w.expect_settled();
    // One wastes most of it: core by core the other one is alone.
    for (int q = 0; q < 7; ++q) w.quantum({{1, 100}, {2, 10}});
    EXPECT_EQ(w.cores(1).size(), 8u);
    EXPECT_EQ(w.cores(2).size(), 1u);
    EXPECT_EQ(w.shared(), 1u);
    w.expect_settled();
}

}  // namespace
