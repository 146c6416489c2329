// The two tables of the paper: who owns a core, who holds it, and who leads a program then.
#include <broker/policy/claims.hpp>
#include <broker/policy/participation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <vector>

namespace {

using namespace parley::broker;

TEST(Ownership, SectionsHaveTwoCoresAtLeast) {
    EXPECT_EQ(ownership::fault(std::vector<section_id>{0, 0, 1, 1, 1}), std::nullopt) << "not of equal size";
    EXPECT_EQ(ownership::fault(std::vector<section_id>{0}), std::nullopt) << "but on a machine with one";
    EXPECT_EQ(ownership::fault(std::vector<section_id>{0, 0, 1}), "section 1 has one core only");
    EXPECT_EQ(ownership::fault(std::vector<section_id>{0, 0, 2, 2}), "section 1 has no core");
    EXPECT_EQ(ownership::fault(std::vector<section_id>{0, 0, 9}), "there are more sections than cores: 9");
    EXPECT_EQ(ownership::fault({}), "there is no core");
}

TEST(Ownership, PartsAreAsEqualAsCanBe) {
    const ownership t = equal_sections(10, 4);
    EXPECT_EQ(t.sections(), 4u);
    for (section_id s = 0; s < 4; ++s) {
        EXPECT_GE(t.cores_of(s).size(), 2u);
        EXPECT_LE(t.cores_of(s).size(), 3u);
        for (const core_id c : t.cores_of(s)) EXPECT_EQ(t.owner(c), s);
    }
}

// As a damaged log may ask.
TEST(Ownership, WhatIsNotThereThrows) {
    const ownership t = equal_sections(4, 2);
    EXPECT_THROW((void)t.owner(4), std::out_of_range);
    EXPECT_THROW((void)t.cores_of(2), std::out_of_range);
    EXPECT_THROW((void)t.others(2), std::out_of_range);
}

TEST(Ownership, OthersComeByDistance) {
    const ownership by_number = equal_sections(8, 4);
    EXPECT_TRUE(std::ranges::equal(by_number.others(1), std::vector<section_id>{0, 2, 3}));
    const ownership given({0, 0, 1, 1, 2, 2}, {0, 9, 1, 9, 0, 1, 1, 1, 0});
    EXPECT_TRUE(std::ranges::equal(given.others(0), std::vector<section_id>{2, 1}));
    EXPECT_TRUE(std::ranges::equal(given.others(1), std::vector<section_id>{2, 0}));
}

class Leader : public testing::Test {
protected:
    ownership table = equal_sections(12, 3);
    participation who{table};
    void holds(std::initializer_list<core_id> cores) {
        for (const core_id c : cores) who.add(c, {7, 1});
    }
};

TEST_F(Leader, IsNobodyWithoutCores) { EXPECT_EQ(who.leader(7), std::nullopt); }
TEST_F(Leader, OwnsTheStrictMajority) {
    holds({0, 1, 2, 4, 8});
    EXPECT_EQ(who.leader(7), 0u);
}
TEST_F(Leader, ElseIsTheHighestThatTakesPart) {
    holds({0, 1, 4, 5});
    EXPECT_EQ(who.leader(7), 1u) << "half is no majority, and section 2 has none of its cores";
}
TEST_F(Leader, ElseIsTheHighestEvenWithFewest) {
    holds({0, 1, 4, 5, 8});
    EXPECT_EQ(who.leader(7), 2u);
}
TEST_F(Leader, FollowsWhatIsTakenAway) {
    holds({0, 1, 4, 5, 8});
    who.remove(8, {7, 1});
    who.remove(5, {7, 1});
    EXPECT_EQ(who.leader(7), 0u);
}

TEST(Participation, CoresThatAreNotThereThrow) {
    const ownership t = equal_sections(4, 2);
    participation who(t);
    EXPECT_THROW((void)who.holders(4), std::out_of_range);
    EXPECT_THROW((void)who.is_idle(4), std::out_of_range);
    EXPECT_THROW((void)who.is_guest(4, 1), std::out_of_range);
    EXPECT_THROW((void)who.stamp(4, 1), std::out_of_range);
    EXPECT_THROW((void)who.turn(4, 1), std::out_of_range);
    EXPECT_THROW(who.add(4, {1, 1}), std::out_of_range);
    EXPECT_THROW(who.remove(4, {1, 1}), std::out_of_range);
    EXPECT_EQ(who.count(1), 0u) << "nothing is half done";
}
// No owner says so, but a damaged log may.
TEST(Participation, ProgramThatCameTwiceToACoreCanLeaveItTwice) {
    const ownership t = equal_sections(4, 2);
    participation who(t);
    who.add(2, {1, 1});
    who.add(2, {1, 2});
    who.remove(2, {1, 1});
    who.remove(2, {1, 2});
    EXPECT_TRUE(who.is_idle(2));
    EXPECT_EQ(who.count(1), 0u);
}

TEST(Participation, AnEarlierStayIsNotTheSame) {
    const ownership table = equal_sections(2, 1);
    participation who(table);
    who.add(0, {7, 1});
    who.remove(0, {7, 1});
    who.add(0, {7, 2});
    who.remove(0, {7, 1});
    EXPECT_EQ(who.stamp(0, 7), 2u);
    EXPECT_EQ(who.count(7), 1u);
}

TEST(Participation, CoresSharedByTheSameHaveTheSameTurns) {
    const ownership table = equal_sections(4, 2);
    participation who(table);
    for (const program_id p : {7u, 3u, 5u}) who.add(0, {p, 1});
    for (const program_id p : {5u, 7u, 3u}) who.add(3, {p, 1});
    for (const core_id c : {0u, 3u}) {
        EXPECT_EQ(who.turn(c, 3), (shared_turn{0, 3}));
        EXPECT_EQ(who.turn(c, 5), (shared_turn{1, 3}));
        EXPECT_EQ(who.turn(c, 7), (shared_turn{2, 3}));
    }
}

TEST(Claims, TheHigherVersionCounts) {
    claims rows(2);
    EXPECT_TRUE(rows.apply({.program = 7, .desire = 5, .version = 3}));
    EXPECT_FALSE(rows.apply({.program = 7, .desire = 9, .version = 2}));
    EXPECT_EQ(rows.find(7)->desire, 5u);
}

TEST(Claims, WhatHasEndedDoesNotComeBack) {
    claims rows(3);
    rows.apply({.program = 7, .version = 1});
    EXPECT_TRUE(rows.end(7, 0));
    EXPECT_FALSE(rows.end(7, 1));
    EXPECT_FALSE(rows.apply({.program = 7, .version = 9})) << "section 2 may still have said so";
    EXPECT_EQ(rows.count(), 0u);
    rows.end(7, 2);
    EXPECT_EQ(rows.ending(), 0u) << "all have said so: forgotten";
}

}  // namespace
