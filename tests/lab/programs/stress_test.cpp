#include "lab/programs/stress.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::watched;

TEST(Stress, EachLeafLeavesItsMarkInEachTree) {
    for (const unsigned depth : {0U, 1U, 2U, 7U}) {
        for (const std::uint64_t repeats : {0U, 1U, 3U}) {
            const stress_shape shape{5, depth, repeats};
            std::uint64_t expected = 0;
            for (std::uint64_t leaf = 0; leaf < std::uint64_t{1} << depth; ++leaf) {
                expected += repeats * mark(leaf);
            }
            EXPECT_EQ(stress<serial>(shape), expected) << depth << " " << repeats;
            EXPECT_EQ(expected_stress(shape), expected);
        }
    }
}

TEST(Stress, ParleyFindsTheSameWithATaskForEachFork) {
    const stress_shape shape{100, 8, 20};
    for (const unsigned workers : {1U, 2U, 3U}) {
        parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
        EXPECT_EQ(pool.run([&] { return stress<parley_peers::parley>(shape); }), expected_stress(shape));
        EXPECT_EQ(parley_tests::tasks_of(pool), 20U * 255U) << workers;
    }
}

TEST(Stress, LostCallShows) {
    const stress_shape shape{0, 4, 3};
    for (std::uint64_t lost = 1; lost <= 3U * 15U; ++lost) {
        watched::begin(lost);
        EXPECT_NE(stress<watched>(shape), expected_stress(shape)) << lost;
    }
}

TEST(Stress, LargeSumsAreExactInJson) {
    // 2^47 and more for each tree: modulo 2^64 on the way, modulo 2^53 in the end.
    EXPECT_LT(expected_stress({0, 24, 1'000'000}), std::uint64_t{1} << 53);
    EXPECT_EQ(expected_stress({0, 3, std::uint64_t{1} << 53}), 0U);
    EXPECT_EQ(expected_stress({0, 0, (std::uint64_t{1} << 53) + 1}), mark(0));
}

TEST(Stress, GrainChoosesLeavesAndTrees) {
    const auto of = [](const char* size, const std::map<std::string, std::string>& given) {
        request r;
        r.size = size;
        r.given = given;
        return find_program("stress")->parameters(r);
    };
    EXPECT_EQ(of("small", {}), (json{{"grain", "fine"}, {"leaf", 100}, {"depth", 14}, {"repeat-tree", 60}}));
    EXPECT_EQ(of("small", {{"grain", "coarse"}}),
              (json{{"grain", "coarse"}, {"leaf", 100'000}, {"depth", 10}, {"repeat-tree", 2}}));
    for (const char* size : {"ch", "thesis", "ch6"}) {
        EXPECT_EQ(of(size, {}).at("repeat-tree"), 26'000);
        EXPECT_EQ(of(size, {{"grain", "coarse"}}).at("repeat-tree"), 300);
    }
    EXPECT_EQ(of("ch", {{"grain", "coarse"}, {"leaf", "7"}, {"depth", "0"}, {"repeat-tree", "1"}}),
              (json{{"grain", "coarse"}, {"leaf", 7}, {"depth", 0}, {"repeat-tree", 1}}));
}

}  // namespace
