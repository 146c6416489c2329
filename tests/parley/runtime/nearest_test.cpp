// The order of victims by distance.
#include <parley/detail/policy/nearest.hpp>
#include <parley/detail/runtime/topology.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace {

using parley::threading::nearest_map;

TEST(NearestMap, PutsTheNearestFirstAndKnowsWhoIsEquallyNear) {
    // Of worker 0: 2 is near, 1 and 3 are far.
    const std::vector<std::uint32_t> distance{0, 5, 1, 5,  //
                                              5, 0, 5, 1,  //
                                              1, 5, 0, 5,  //
                                              5, 1, 5, 0};
    const nearest_map m(4, distance);
    EXPECT_EQ(m.victim(0, 0), 2u);
    EXPECT_EQ((std::set<std::uint32_t>{m.victim(0, 1), m.victim(0, 2)}), (std::set<std::uint32_t>{1, 3}));
    EXPECT_EQ(m.victim(3, 0), 1u);
    EXPECT_EQ(m.equally_near(0, 0), (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
    EXPECT_EQ(m.equally_near(0, 1), (std::pair<std::uint32_t, std::uint32_t>{1, 3}));
    EXPECT_EQ(m.equally_near(0, 2), (std::pair<std::uint32_t, std::uint32_t>{1, 3}));
}

TEST(NearestMap, OfOneWorkerIsEmpty) { EXPECT_NO_THROW(nearest_map(1, {0})); }

TEST(Distances, AreSymmetricOnTheDiagonalZeroAndOfThisMachine) {
    constexpr unsigned workers = 5;  // on fewer places some share one
    for (const auto how : {parley::binding::cores, parley::binding::threads}) {
        const auto d = parley::threading::distances(how, workers);
        ASSERT_EQ(d.size(), std::size_t{workers} * workers);
        for (unsigned w = 0; w < workers; ++w) EXPECT_EQ(d[w * workers + w], 0u);
        for (unsigned w = 0; w < workers; ++w)
            for (unsigned v = 0; v < workers; ++v) EXPECT_EQ(d[w * workers + v], d[v * workers + w]);
    }
}

}  // namespace
