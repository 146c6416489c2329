// The lobby: a set of request numbers.
#include <parley/detail/sync/lobby.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {

using parley::sync::lobby;

TEST(Lobby, IsEmptyAtFirst) {
    lobby l(5);
    EXPECT_TRUE(l.empty());
    EXPECT_FALSE(l.take(0));
    EXPECT_FALSE(l.holds(3));
}

TEST(Lobby, GivesBackWhatWasDeposited) {
    lobby l(5);
    l.deposit(3);
    EXPECT_FALSE(l.empty());
    EXPECT_TRUE(l.holds(3));
    EXPECT_FALSE(l.holds(2));
    EXPECT_EQ(l.take(0), 3u);
    EXPECT_TRUE(l.empty());
    EXPECT_FALSE(l.holds(3));
    EXPECT_FALSE(l.take(0));
}

TEST(Lobby, DepositingTwiceIsDepositingOnce) {
    lobby l(5);
    EXPECT_TRUE(l.deposit(2));
    EXPECT_FALSE(l.deposit(2));
    EXPECT_EQ(l.take(0), 2u);
    EXPECT_FALSE(l.take(0));
}

TEST(Lobby, DepositTellsWhetherItsWordWasEmpty) {
    lobby l(130);
    EXPECT_TRUE(l.deposit(1));
    EXPECT_FALSE(l.deposit(63));
    EXPECT_TRUE(l.deposit(64)) << "another word: its depositor rings, which is once too often at most";
    EXPECT_FALSE(l.deposit(127));
    EXPECT_TRUE(l.deposit(128));
    ASSERT_EQ(l.take(1), 1u);
    EXPECT_FALSE(l.deposit(1)) << "63 is still there";
    ASSERT_EQ(l.take(1), 1u);
    ASSERT_EQ(l.take(1), 63u);
    EXPECT_TRUE(l.deposit(1));
}

TEST(Lobby, GivesOnlyWhatIsWanted) {
    lobby l(130);
    for (const std::uint32_t r : {1U, 5U, 70U, 129U}) l.deposit(r);
    const auto large = [](std::uint32_t r) { return r > 60; };
    EXPECT_TRUE(l.any(large));
    EXPECT_EQ(l.take(0, large), 70U);
    EXPECT_EQ(l.take(0, large), 129U);
    EXPECT_FALSE(l.any(large));
    EXPECT_FALSE(l.take(0, large));
    EXPECT_TRUE(l.holds(1));
    EXPECT_TRUE(l.holds(5));
    EXPECT_EQ(l.take(2, [](std::uint32_t r) { return r != 5; }), 1U) << "from there on, and then from the bottom";
}

// At every size around a word's, each number has its place, from wherever the search begins.
TEST(Lobby, CountsThoseThatAreWanted) {
    lobby l(200);
    EXPECT_EQ(l.count_if([](std::uint32_t) { return true; }), 0U);
    for (const std::uint32_t r : {3U, 64U, 130U, 199U}) l.deposit(r);
    EXPECT_EQ(l.count_if([](std::uint32_t) { return true; }), 4U);
    EXPECT_EQ(l.count_if([](std::uint32_t r) { return r != 64 && r != 199 && r != 7; }), 2U);
    EXPECT_TRUE(l.holds(130)) << "they stay in it";
}

TEST(Lobby, CountsAndFindsThoseBetweenTwoNumbers) {
    const std::vector<std::uint32_t> deposited{0, 3, 63, 64, 65, 127, 128, 199};
    lobby l(200);
    for (const std::uint32_t r : deposited) l.deposit(r);
    for (const std::uint32_t first : {0U, 1U, 3U, 4U, 63U, 64U, 66U, 128U, 200U})
        for (const std::uint32_t last : {0U, 1U, 4U, 64U, 65U, 128U, 129U, 199U, 200U}) {
            std::vector<std::uint32_t> found;
            for (std::uint32_t before = 0; const auto r = l.find_between(first, last, before); ++before) found.push_back(*r);
            std::vector<std::uint32_t> expected;
            for (const std::uint32_t r : deposited)
                if (first <= r && r < last) expected.push_back(r);
            ASSERT_EQ(found, expected) << first << ".." << last;
            ASSERT_EQ(l.count_between(first, last), expected.size()) << first << ".." << last;
        }
}

TEST(Lobby, DoesNotCountThoseThatAreInAnotherOne) {
    lobby l(200), except(200);
    for (const std::uint32_t r : {3U, 64U, 130U, 199U}) l.deposit(r);
    for (const std::uint32_t r : {4U, 64U, 199U}) except.deposit(r);
    EXPECT_EQ(l.count_between(0, 200, &except), 2U);
    EXPECT_EQ(l.find_between(0, 200, 0, &except), 3U);
    EXPECT_EQ(l.find_between(0, 200, 1, &except), 130U);
    EXPECT_EQ(l.find_between(0, 200, 2, &except), std::nullopt);
}

TEST(Lobby, ANumberIsTakenOutOnce) {
    lobby l(200);
    l.deposit(70);
    l.deposit(71);
    EXPECT_TRUE(l.take_out(70));
    EXPECT_FALSE(l.take_out(70));
    EXPECT_FALSE(l.holds(70));
    EXPECT_TRUE(l.holds(71));
}

TEST(Lobby, HasRoomForEveryRequest) {
    for (const std::uint32_t requests : {1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 300u}) {
        lobby l(requests);
        for (std::uint32_t start = 0; start <= requests; ++start) {
            for (std::uint32_t r = 0; r < requests; ++r) l.deposit(r);
            std::set<std::uint32_t> taken;
            while (const auto r = l.take(start)) ASSERT_TRUE(taken.insert(*r).second);
            ASSERT_EQ(taken.size(), requests);
            ASSERT_LT(*taken.rbegin(), requests);
            ASSERT_TRUE(l.empty());
        }
    }
}

TEST(Lobby, FindsASingleRequestFromEveryStart) {
    constexpr std::uint32_t requests = 200;
    lobby l(requests);
    for (std::uint32_t r = 0; r < requests; ++r)
        for (std::uint32_t start = 0; start <= requests; ++start) {
            l.deposit(r);
            ASSERT_FALSE(l.empty());
            ASSERT_EQ(l.take(start), r);
        }
}

// Who goes on where it stopped serves every number once in each round, though they come back at once.
TEST(Lobby, ServesEachNumberOncePerRound) {
    for (const std::uint32_t requests : {7u, 64u, 130u}) {
        lobby l(requests);
        for (std::uint32_t r = 0; r < requests; ++r) l.deposit(r);
        std::uint32_t start = 5 % requests;
        for (std::uint32_t i = 0; i < 3 * requests; ++i) {
            ASSERT_EQ(l.take(start), (5 + i) % requests);
            l.deposit((5 + i) % requests);
            start = (5 + i) % requests + 1;
        }
    }
}

}  // namespace
