// Fair shares, over thousands of random states.
#include <broker/policy/equipartition.hpp>
#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using namespace parley::broker;

struct state {
    std::uint32_t cores;
    std::vector<share_claim> claims;
    user_caps caps;
    std::vector<std::uint32_t> shares;

    explicit state(std::uint64_t seed, bool has_caps = false) {
        parley::base::rng random(seed);
        cores = 1 + random.below(64);
        const std::uint32_t n = 1 + random.below(cores + cores / 2 + 1);
        for (program_id p = 1; p <= n; ++p)
            claims.push_back({p, random.below(4), 1 + random.below(5), 1 + random.below(cores + 4), random.below(9)});
        if (has_caps) caps.each = 1 + random.below(cores);
        shares = equipartition(claims, cores, caps);
    }
    [[nodiscard]] bool is_enough() const { return claims.size() <= cores; }
    [[nodiscard]] std::uint64_t sum() const { return std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}); }
    [[nodiscard]] std::uint32_t of_user(user_id u) const {
        std::uint32_t all = 0;
        for (std::size_t i = 0; i < claims.size(); ++i) all += claims[i].user == u ? shares[i] : 0;
        return all;
    }
};

constexpr std::uint64_t states = 4000;

TEST(Equipartition, NeverGivesMoreThanThereIs) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        const state s(seed, seed % 2 == 0);
        ASSERT_LE(s.sum(), std::max<std::uint64_t>(s.cores, s.claims.size())) << seed;
    }
}

TEST(Equipartition, EverybodyGetsOneCoreAndNobodyMoreThanItDesires) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        const state s(seed, seed % 2 == 0);
        for (std::size_t i = 0; i < s.claims.size(); ++i) {
            ASSERT_GE(s.shares[i], 1u) << seed;
            ASSERT_LE(s.shares[i], s.claims[i].desire) << seed;
        }
    }
}

TEST(Equipartition, LeavesNothingIdleThatIsDesired) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        const state s(seed);
        std::uint64_t desired = 0;
        for (const share_claim& c : s.claims) desired += c.desire;
        if (s.is_enough()) {
            ASSERT_EQ(s.sum(), std::min<std::uint64_t>(desired, s.cores)) << seed;
        }
    }
}

// Nobody who could use more has less for its weight than another one has without its last core.
TEST(Equipartition, RespectsWeights) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        const state s(seed);
        for (std::size_t a = 0; a < s.claims.size(); ++a)
            for (std::size_t b = 0; b < s.claims.size(); ++b) {
                if (s.shares[a] == 1 || s.shares[b] == s.claims[b].desire) continue;
                ASSERT_LE(std::uint64_t{s.shares[a] - 1} * s.claims[b].weight,
                          std::uint64_t{s.shares[b]} * s.claims[a].weight)
                    << seed;
            }
    }
}

TEST(Equipartition, DividesByWeight) {
    const share_claim two[] = {{1, 0, 3, 40, 0}, {2, 0, 1, 40, 0}};
    EXPECT_EQ(equipartition(two, 40), (std::vector<std::uint32_t>{30, 10}));
}

TEST(Equipartition, SatisfiesSmallDesiresFirst) {
    const share_claim three[] = {{1, 0, 1, 48, 0}, {2, 0, 1, 2, 0}, {3, 0, 1, 48, 0}};
    EXPECT_EQ(equipartition(three, 48), (std::vector<std::uint32_t>{23, 2, 23}));
}

TEST(Equipartition, GivesTheRemainderToWhoHoldsMore) {
    const share_claim two[] = {{1, 0, 1, 9, 2}, {2, 0, 1, 9, 3}};
    EXPECT_EQ(equipartition(two, 5), (std::vector<std::uint32_t>{2, 3}));
    const share_claim turned[] = {{1, 0, 1, 9, 3}, {2, 0, 1, 9, 2}};
    EXPECT_EQ(equipartition(turned, 5), (std::vector<std::uint32_t>{3, 2}));
}

TEST(Equipartition, HoldsUsersToTheirCaps) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        const state s(seed, true);
        for (user_id u = 0; u < 4; ++u) {
            const auto programs = static_cast<std::uint32_t>(
                std::count_if(s.claims.begin(), s.claims.end(), [&](const share_claim& c) { return c.user == u; }));
            ASSERT_LE(s.of_user(u), std::max(s.caps.cap(u), programs)) << seed << ", one core each is not capped";
        }
    }
}

usable_cores few(std::uint32_t of, core_id first, std::uint32_t n) {
    return usable_cores(of, [=](core_id c) { return c >= first && c < first + n; });
}

TEST(Equipartition, CountsCoresThatProgramsHaveToShareOnce) {
    std::vector<share_claim> all;
    for (program_id p = 1; p <= 47; ++p) all.push_back({p, 0, 1, 1, 1, few(48, 0, 1)});
    all.push_back({48, 0, 1, 48, 1});
    EXPECT_EQ(equipartition(all, 48).back(), 47u);
    EXPECT_EQ(equipartition(all, 48).front(), 1u);
    for (program_id p = 49; p <= 51; ++p) all.push_back({p, 0, 1, 2, 1, few(48, 1, 2)});
    EXPECT_EQ(equipartition(all, 48)[47], 45u);
    EXPECT_EQ(equipartition(all, 48).back(), 1u);
}

TEST(Equipartition, ProgramsHaveNoMoreTogetherThanTheyMayUse) {
    const share_claim three[] = {{1, 0, 1, 4, 0, few(12, 0, 4)}, {2, 0, 1, 4, 0, few(12, 0, 4)}, {3, 0, 1, 12, 0}};
    EXPECT_EQ(equipartition(three, 12), (std::vector<std::uint32_t>{2, 2, 8}));
    const share_claim heavy[] = {{1, 0, 3, 4, 0, few(12, 0, 4)}, {2, 0, 1, 4, 0, few(12, 0, 4)}, {3, 0, 1, 12, 0}};
    EXPECT_EQ(equipartition(heavy, 12), (std::vector<std::uint32_t>{3, 1, 8}));
}

// Of disjoint sets. What has to be shared counts once.
TEST(Equipartition, GivesAllThatCanBeUsed) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        state s(seed);
        parley::base::rng random(seed);
        const std::uint32_t width = 1 + random.below(std::min(4u, s.cores)), sets = std::min(s.cores / width, 3u);
        std::vector<std::uint32_t> set_of;  // `sets`: all cores
        for (share_claim& c : s.claims) {
            set_of.push_back(random.below(sets + 1));
            if (set_of.back() < sets) c.usable = few(s.cores, set_of.back() * width, width);
            c.desire = std::min(c.desire, c.usable.count(s.cores));
        }
        s.shares = equipartition(s.claims, s.cores);
        std::uint64_t needed = 0, wanted = 0, taken = 0;
        for (std::uint32_t set = 0; set <= sets; ++set) {
            std::uint64_t programs = 0, desired = 0, given = 0;
            for (std::size_t i = 0; i < s.claims.size(); ++i) {
                if (set_of[i] != set) continue;
                ++programs;
                desired += s.claims[i].desire;
                given += s.shares[i];
            }
            const std::uint64_t limit = set < sets && width < s.cores ? width : unlimited;
            needed += std::min(programs, limit);
            wanted += std::min(desired, limit);
            taken += std::min(given, limit);
            ASSERT_LE(given, std::max(programs, limit)) << seed;
        }
        if (needed <= s.cores) {
            ASSERT_EQ(taken, std::min<std::uint64_t>(wanted, s.cores)) << seed;
        }
    }
}

TEST(Equipartition, DoesNotDependOnTheOrder) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const state s(seed, seed % 2 == 0);
        std::vector<share_claim> turned(s.claims.rbegin(), s.claims.rend());
        std::vector<std::uint32_t> shares = equipartition(turned, s.cores, s.caps);
        std::reverse(shares.begin(), shares.end());
        ASSERT_EQ(shares, s.shares) << seed;
    }
}

TEST(Equipartition, KeepsStillWhenNothingChanges) {
    for (std::uint64_t seed = 0; seed < states; ++seed) {
        state s(seed, seed % 2 == 0);
        for (std::size_t i = 0; i < s.claims.size(); ++i) s.claims[i].held = s.shares[i];
        ASSERT_EQ(equipartition(s.claims, s.cores, s.caps), s.shares) << seed;
    }
}

}  // namespace
