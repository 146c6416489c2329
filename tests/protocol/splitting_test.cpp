// How much of a loop thieves get.
#include <parley/protocol/splitting.hpp>

#include <gtest/gtest.h>

#include <limits>
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
                const std::uint64_t share = TypeParam{}.share(left, askers, workers);
                EXPECT_GE(share, 1U);
                EXPECT_LE(share, left);
            }
}

// What each of `askers` thieves gets one after the other, and at last the victim.
template <class Strategy>
std::vector<std::uint64_t> parts(std::uint64_t left, std::uint32_t askers, std::uint32_t workers) {
    std::vector<std::uint64_t> all;
    for (; askers > 0 && left > 0; --askers) {
        all.push_back(Strategy{}.share(left, askers, workers));
        left -= all.back();
    }
    all.push_back(left);
    return all;
}

TEST(SplitHalf, HalvesWhatIsLeftEachTime) {
    EXPECT_EQ(parts<split_half>(1024, 3, 8), (std::vector<std::uint64_t>{512, 256, 128, 128}));
    EXPECT_EQ(parts<split_half>(3, 2, 8), (std::vector<std::uint64_t>{2, 1, 0}));
}

// The thesis' example (§5.2): of [0, 1024) worker 0 of 8 keeps 128, then worker 1 of the rest, and so on.
TEST(SplitGuided, KeepsTheShareOfOneWorker) {
    EXPECT_EQ(parts<split_guided>(1024, 1, 8), (std::vector<std::uint64_t>{896, 128}));
    EXPECT_EQ(parts<split_guided>(4, 1, 8), (std::vector<std::uint64_t>{4, 0}));
}

TEST(SplitAdaptive, MakesEqualPartsForAllWhoAskAndTheVictim) {
    EXPECT_EQ(parts<split_adaptive>(1024, 1, 8), (std::vector<std::uint64_t>{512, 512}));
    EXPECT_EQ(parts<split_adaptive>(1000, 3, 8), (std::vector<std::uint64_t>{250, 250, 250, 250}));
    EXPECT_EQ(parts<split_adaptive>(2, 7, 8), (std::vector<std::uint64_t>{1, 1, 0}));
    for (const std::uint64_t part : parts<split_adaptive>(1'000'003, 47, 48)) {
        EXPECT_GE(part, 1'000'003U / 48);
        EXPECT_LE(part, 1'000'003U / 48 + 1);
    }
}

}  // namespace
