// How much of a loop thieves get.
#include <parley/detail/protocol/splitting.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace parley::protocol;

template <class Strategy>
class Splitting : public testing::Test {};
using strategies = testing::Types<split_half, split_guided, split_adaptive>;
TYPED_TEST_SUITE(Splitting, strategies);

TYPED_TEST(Splitting, GivesSomethingAndNoMoreThanThereIs) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t left : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1000}, most})
        for (const std::uint32_t askers : {1U, 2U, 7U, 4095U})
            for (const std::uint32_t workers : {2U, 3U, 48U, 4096U}) {
                const cut c = TypeParam{}.of(left, workers, [askers] { return askers; });
                EXPECT_GE(c.share, 1U);
                EXPECT_LE(c.share, left);
                EXPECT_GE(c.chunks, 2U);
            }
}

// What each of `askers` thieves gets one after the other of a whole loop, and at last the victim.
template <class Strategy>
std::vector<std::uint64_t> parts(std::uint64_t left, std::uint32_t askers) {
    std::vector<std::uint64_t> all;
    for (std::uint32_t chunks = 8; askers > 0 && left > 0; --askers, chunks = 2) {
        all.push_back(Strategy{}.of(left, chunks, [askers] { return askers; }).share);
        left -= all.back();
    }
    all.push_back(left);
    return all;
}

TEST(SplitHalf, HalvesWhatIsLeftEachTime) {
    EXPECT_EQ(parts<split_half>(1024, 3), (std::vector<std::uint64_t>{512, 256, 128, 128}));
    EXPECT_EQ(parts<split_half>(3, 2), (std::vector<std::uint64_t>{2, 1, 0}));
}

constexpr auto nobody_counts = []() -> std::uint32_t { throw "asked for"; };

// The thesis' example (§5.2): of [0, 1024) worker 0 of 8 keeps 128; then each thief of what the last one got, who gives
// away one chunk less each time.
TEST(SplitGuided, LeavesEachOfTheWorkersOneChunk) {
    std::vector<std::uint64_t> kept;
    cut rest{1024, 8};
    for (int thief = 1; thief < 8; ++thief) {
        const cut c = split_guided{}.of(rest.share, rest.chunks, nobody_counts);
        kept.push_back(rest.share - c.share);
        rest = c;
    }
    EXPECT_EQ(kept, std::vector<std::uint64_t>(7, 128));
    EXPECT_EQ(rest, (cut{128, 2}));
}
TEST(SplitGuided, HalvesAChunk) { EXPECT_EQ(parts<split_guided>(1024, 3), (std::vector<std::uint64_t>{896, 64, 32, 32})); }
TEST(SplitGuided, GivesAllOfTheFewerIterationsThanChunks) { EXPECT_EQ(split_guided{}.of(4, 8, nobody_counts), (cut{4, 7})); }

// So many ask, and the thief serves so many of them.
std::uint64_t share(std::uint64_t left, std::uint32_t askers, std::uint32_t served) {
    return split_adaptive{}.of(left, 2, [=] { return askers_now(askers, served); }).share;
}

TEST(SplitAdaptive, WhoServesOthersGetsTheirParts) {
    EXPECT_EQ(share(800, 7, 4), 400U);
    EXPECT_EQ(share(400, 3, 2), 200U);
    EXPECT_EQ(share(1000, 2, 1), 334U);
    EXPECT_EQ(share(1, 7, 4), 1U);
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(share(most, 1, 1), most / 2 + 1);
    EXPECT_EQ(share(most, 4095, 2048), most / 2 + 1) << "no overflow";
}

TEST(AskersNow, TheThiefServesHalfOfThoseThatRest) {
    const auto of = [](std::uint32_t resting, std::uint32_t letters, std::uint32_t most) {
        const division d{.all = resting, .served = range::served_by_middle(resting)};
        const askers_now a = askers_now::of(d, letters, most);
        return std::pair(a.all, a.served_by_thief);
    };
    EXPECT_EQ(of(1, 0, 100), std::pair(1U, 1U));
    EXPECT_EQ(of(7, 0, 100), std::pair(7U, 4U));
    EXPECT_EQ(of(7, 2, 100), std::pair(9U, 4U)) << "those with letters are served here";
    EXPECT_EQ(of(7, 0, 3), std::pair(3U, 2U)) << "more do not pay";
    EXPECT_EQ(of(47, 0, 1), std::pair(1U, 1U));
}

TEST(AskersNow, TheThiefServesItsPartOfTheRange) {
    const auto of = [](std::uint32_t served, std::uint32_t most) {
        const askers_now a = askers_now::of({.all = 7, .served = served}, 0, most);
        return std::pair(a.all, a.served_by_thief);
    };
    EXPECT_EQ(of(3, 100), std::pair(7U, 3U));
    EXPECT_EQ(of(5, 100), std::pair(7U, 5U));
    EXPECT_EQ(of(5, 4), std::pair(4U, 2U)) << "more do not pay";
    EXPECT_EQ(of(1, 4), std::pair(4U, 1U));
}

TEST(SplitAdaptive, MakesEqualPartsForAllWhoAskAndTheVictim) {
    EXPECT_EQ(parts<split_adaptive>(1024, 1), (std::vector<std::uint64_t>{512, 512}));
    EXPECT_EQ(parts<split_adaptive>(1000, 3), (std::vector<std::uint64_t>{250, 250, 250, 250}));
    EXPECT_EQ(parts<split_adaptive>(2, 7), (std::vector<std::uint64_t>{1, 1, 0}));
    for (const std::uint64_t part : parts<split_adaptive>(1'000'003, 47)) {
        EXPECT_GE(part, 1'000'003U / 48);
        EXPECT_LE(part, 1'000'003U / 48 + 1);
    }
}

}  // namespace
