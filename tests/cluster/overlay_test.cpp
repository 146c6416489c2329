// The overlay: a function of its options alone, the same seen from both ends, with short routes and one tree.
#include <parley/cluster/overlay.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace parley::cluster;
using parley::base::rng;

constexpr graph kinds[] = {graph::small_world, graph::random, graph::ring, graph::complete};

std::string name_of(graph kind) {
    switch (kind) {
        case graph::small_world: return "small_world";
        case graph::random: return "random";
        case graph::ring: return "ring";
        case graph::complete: return "complete";
    }
    return "?";
}

std::vector<overlay> all_of(position ranks, const overlay_options& how) {
    const overlay_graph g(ranks, how);
    std::vector<overlay> all;
    all.reserve(ranks);
    for (position r = 0; r < ranks; ++r) all.emplace_back(r, g);
    return all;
}

double mean_degree(position ranks, const overlay_options& how) {
    const overlay_graph g(ranks, how);
    std::size_t sum = 0;
    for (position r = 0; r < ranks; ++r) sum += g.neighbours(r).size();
    return static_cast<double>(sum) / ranks;
}

struct hops {
    double mean = 0.0;
    int most = 0;
};

// Of greedy routes between random pairs.
hops routes(position ranks, const overlay_options& how, int pairs) {
    const std::vector<overlay> at = all_of(ranks, how);
    rng random(5);
    hops found;
    double sum = 0.0;
    for (int i = 0; i < pairs; ++i) {
        const position from = random.below(ranks);
        const position to = random.below(ranks);
        int n = 0;
        for (position p = from; p != to; p = at[p].next_hop(to)) ++n;
        sum += n;
        found.most = std::max(found.most, n);
    }
    found.mean = sum / pairs;
    return found;
}

class EachGraph : public testing::TestWithParam<graph> {
protected:
    [[nodiscard]] overlay_options how() const { return {.kind = GetParam(), .degree = 6, .seed = 3}; }
};
INSTANTIATE_TEST_SUITE_P(Kinds, EachGraph, testing::ValuesIn(kinds), [](const auto& p) { return name_of(p.param); });

constexpr position sizes[] = {1, 2, 3, 4, 5, 8, 9, 64, 257};

TEST_P(EachGraph, IsTheSameSeenFromBothEnds) {
    for (const position n : sizes) {
        const overlay_graph g(n, how());
        std::vector<std::set<position>> near(n);
        for (position r = 0; r < n; ++r)
            for (const position p : g.neighbours(r)) near[r].insert(p);
        for (position a = 0; a < n; ++a)
            for (position b = 0; b < n; ++b) {
                if (a == b) continue;
                ASSERT_EQ(g.has_edge(a, b), g.has_edge(b, a)) << n << ": " << a << ", " << b;
                ASSERT_EQ(near[a].contains(b), g.has_edge(a, b)) << n << ": " << a << ", " << b;
            }
    }
}

TEST_P(EachGraph, AllAtOnceIsOneAfterTheOther) {
    for (const position ranks : {1u, 2u, 3u, 4u, 5u, 17u, 64u, 501u})
        for (const std::uint32_t degree : {0u, 2u, 6u}) {
            const overlay_graph g(ranks, {.kind = GetParam(), .degree = degree, .seed = 3});
            const std::vector<overlay> all = overlay::of_all(g);
            ASSERT_EQ(all.size(), ranks);
            for (position r = 0; r < ranks; ++r) {
                const overlay one(r, g);
                EXPECT_EQ(all[r].self(), r);
                EXPECT_TRUE(std::ranges::equal(all[r].neighbours(), one.neighbours())) << r << " of " << ranks;
                EXPECT_TRUE(std::ranges::equal(all[r].children(), one.children())) << r << " of " << ranks;
                EXPECT_EQ(all[r].parent(), one.parent()) << r << " of " << ranks;
                for (position to = 0; to < ranks; to += 7)
                    if (to != r) {
                        EXPECT_EQ(all[r].next_hop(to), one.next_hop(to));
                    }
            }
        }
}

TEST_P(EachGraph, HasTheRing) {
    for (const position n : sizes) {
        if (n == 1) continue;
        const overlay_graph g(n, how());
        for (position r = 0; r < n; ++r) ASSERT_TRUE(g.has_edge(r, (r + 1) % n)) << n << ": " << r;
    }
}

TEST_P(EachGraph, NeighboursAscendAndLeaveOutTheRankItself) {
    for (const position n : sizes) {
        const overlay_graph g(n, how());
        for (position r = 0; r < n; ++r) {
            const std::vector<position> near = g.neighbours(r);
            ASSERT_TRUE(std::ranges::is_sorted(near));
            ASSERT_EQ(std::ranges::adjacent_find(near), near.end());
            ASSERT_EQ(std::ranges::find(near, r), near.end());
            for (const position p : near) ASSERT_LT(p, n);
        }
    }
}

TEST_P(EachGraph, FollowsFromRanksAndOptionsAlone) {
    const overlay_graph one(200, how());
    const overlay_graph other(200, how());
    for (position r = 0; r < 200; ++r) ASSERT_EQ(one.neighbours(r), other.neighbours(r)) << r;
}

TEST_P(EachGraph, ARankKnowsItsPartOfTheGraph) {
    for (const position n : sizes) {
        const overlay_graph g(n, how());
        for (const overlay& o : all_of(n, how())) {
            ASSERT_EQ(o.ranks(), n);
            ASSERT_TRUE(std::ranges::equal(o.neighbours(), g.neighbours(o.self()))) << n << ": " << o.self();
        }
    }
}

TEST_P(EachGraph, EachHopIsTheGraphsAndGetsNearer) {
    for (const position n : {2u, 3u, 5u, 64u, 257u}) {
        const overlay_graph g(n, how());
        const std::vector<overlay> at = all_of(n, how());
        rng random(n);
        for (int i = 0; i < 3000; ++i) {
            const position from = random.below(n);
            const position to = random.below(n);
            if (from == to) continue;
            const position hop = at[from].next_hop(to);
            ASSERT_EQ(hop, g.next_hop(from, to)) << n << ": " << from << " to " << to;
            ASSERT_TRUE(g.has_edge(from, hop));
            ASSERT_LT(ring_distance(hop, to, n), ring_distance(from, to, n)) << n << ": " << from << " to " << to;
        }
    }
}

// What a hop is by its definition: of all neighbours the nearest on the ring, of two the lower one.
TEST_P(EachGraph, AHopIsTheNearestNeighbour) {
    constexpr position n = 97;
    const overlay_graph g(n, how());
    for (const overlay& o : all_of(n, how()))
        for (position to = 0; to < n; ++to) {
            if (to == o.self()) continue;
            const std::vector<position> near = g.neighbours(o.self());
            const position best = *std::ranges::min_element(near, {}, [&](position p) { return ring_distance(p, to, n); });
            ASSERT_EQ(o.next_hop(to), best) << o.self() << " to " << to;
        }
}

TEST_P(EachGraph, TheTreeReachesEveryRankOnce) {
    for (const position n : {1u, 2u, 3u, 5u, 64u, 513u}) {
        const std::vector<overlay> at = all_of(n, how());
        std::vector<int> listed(n, 0);
        for (const overlay& o : at) {
            EXPECT_EQ(o.is_root(), o.self() == 0);
            for (const position c : o.children()) {
                ++listed.at(c);
                ASSERT_EQ(at[c].parent(), o.self()) << n << ": " << c;
                ASSERT_TRUE(std::ranges::binary_search(o.neighbours(), c)) << n << ": " << c;
            }
        }
        for (position r = 0; r < n; ++r) ASSERT_EQ(listed[r], r == 0 ? 0 : 1) << n << ": " << r;
        for (position r = 0; r < n; ++r) {
            position up = r;
            for (position steps = 0; up != 0; ++steps, up = at[up].parent()) ASSERT_LT(steps, n) << n << ": " << r;
        }
    }
}

TEST(Overlay, AnotherSeedGivesOtherChords) {
    for (const graph kind : {graph::small_world, graph::random}) {
        const overlay_graph one(300, {.kind = kind, .degree = 10, .seed = 1});
        const overlay_graph other(300, {.kind = kind, .degree = 10, .seed = 2});
        position differ = 0;
        for (position r = 0; r < 300; ++r) differ += one.neighbours(r) != other.neighbours(r) ? 1U : 0U;
        EXPECT_GT(differ, 250u) << name_of(kind);
    }
}

TEST(Overlay, HasTheDegreeThatWasAskedFor) {
    for (const graph kind : {graph::small_world, graph::random})
        for (const std::uint32_t degree : {4u, 10u, 30u, 64u})
            EXPECT_NEAR(mean_degree(1000, {.kind = kind, .degree = degree}), degree, 0.05 * degree) << name_of(kind);
    EXPECT_NEAR(mean_degree(3584, {.degree = 20}), 20, 1.0);
    EXPECT_NEAR(mean_degree(3584, {.degree = 100}), 100, 3.0);
}

TEST(Overlay, HasFourTimesTheLogarithmOfNeighboursByDefault) {
    for (const position n : {100u, 1000u, 3584u})
        EXPECT_NEAR(mean_degree(n, {}), 4 * std::log2(n), 0.05 * 4 * std::log2(n)) << n;
}

TEST(Overlay, AFewRanksAllKnowEachOther) {
    for (position n = 1; n <= 16; ++n) EXPECT_TRUE(overlay_graph(n, {}).is_complete()) << n;
    EXPECT_TRUE(overlay_graph(31, {.degree = 30}).is_complete());
    EXPECT_FALSE(overlay_graph(32, {.degree = 30}).is_complete());
    EXPECT_FALSE(overlay_graph(100, {}).is_complete());
}

// In a small world short chords are the more frequent ones: as many per doubling of the length.
TEST(Overlay, ChordsOfEachOrderOfLengthAreEquallyFrequent) {
    constexpr position n = 4096;
    const overlay_graph g(n, {.degree = 20});
    std::vector<double> octaves(12, 0.0);
    for (position a = 0; a < n; ++a)
        for (const position b : g.neighbours(a))
            if (const position d = ring_distance(a, b, n); d >= 4)
                octaves[static_cast<std::size_t>(std::log2(d))] += 1.0 / n;
    for (std::size_t i = 4; i < 10; ++i) EXPECT_NEAR(octaves[i] / octaves[3], 1.0, 0.2) << "from " << (1u << i);
}

// Kleinberg's graph with 130 neighbours each: 2.87 hops on average, at most 6 (Fontenaille et al. 2018, §4.1).
TEST(Overlay, RoutesAreShort) {
    const hops found = routes(10'000, {.degree = 130}, 300'000);
    EXPECT_GT(found.mean, 2.75);
    EXPECT_LT(found.mean, 3.0);
    EXPECT_LE(found.most, 7);
}

TEST(Overlay, RoutesAreShortWithHalfAsManyNeighbours) {
    const hops found = routes(10'000, {.degree = 64}, 300'000);
    EXPECT_GT(found.mean, 3.4);
    EXPECT_LT(found.mean, 3.8);
    EXPECT_LE(found.most, 9);
}

// Chords of any length alike do not help the last part of the way.
TEST(Overlay, ChordsOfAnyLengthMakeLongRoutes) {
    const hops world = routes(4000, {.degree = 48}, 20'000);
    const hops random = routes(4000, {.kind = graph::random, .degree = 48}, 20'000);
    EXPECT_GT(random.mean, 2 * world.mean);
}

}  // namespace
