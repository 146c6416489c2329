#include "lab/programs/uts_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace {

using namespace parley_programs;
using namespace parley_programs::uts;

// The published law as it is written down, in floating point.
double branching_by_formula(const tree& t, unsigned depth) {
    const double d = depth;
    const double limit = t.depth_limit;
    if (depth == 0) {
        return t.root_branching;
    }
    switch (t.form) {
        case shape::linear: return t.root_branching * (1 - d / limit);
        case shape::cyclic:
            return d > 5 * limit ? 0 : std::pow(t.root_branching, std::sin(2 * std::numbers::pi * d / limit));
        case shape::fixed: break;
    }
    return d < limit ? t.root_branching : 0;
}

unsigned children_by_formula(const tree& t, unsigned depth, std::uint32_t value) {
    const double u = value / 2147483648.0;
    const bool binomial = t.kind == family::binomial || (t.kind == family::hybrid && 2 * depth >= t.depth_limit);
    if (binomial && depth == 0) {
        return static_cast<unsigned>(t.root_branching);
    }
    if (binomial) {
        return u < t.child_chance ? t.children : 0;
    }
    const double b = branching_by_formula(t, depth);
    if (b <= 0) {
        return 0;
    }
    const double p = 1 / (1 + b);
    return static_cast<unsigned>(std::min(100.0, std::floor(std::log(1 - u) / std::log(1 - p))));
}

unsigned children_by_law(const branching_law& law, unsigned depth, std::uint32_t value) {
    const branching_law::row row = law.at(depth);
    unsigned children = 0;
    while (row.value_of({0, 0, 0, 0, value}) >= row.bounds[children]) {
        ++children;
    }
    return children;
}

class UtsTree : public testing::TestWithParam<const tree*> {};

std::vector<const tree*> all_trees() {
    std::vector<const tree*> all;
    for (const tree& t : official_trees()) {
        all.push_back(&t);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(, UtsTree, testing::ValuesIn(all_trees()),
                         [](const auto& tree) { return std::string(tree.param->name); });

TEST_P(UtsTree, LawIsTheFormula) {
    const tree& t = *GetParam();
    const branching_law law(t);
    std::mt19937 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const auto depth = static_cast<unsigned>(random() % (6 * t.depth_limit + 3));
        const auto value = static_cast<std::uint32_t>(random()) & 0x7fffffffU;
        ASSERT_EQ(children_by_law(law, depth, value), children_by_formula(t, depth, value))
            << "depth " << depth << ", value " << value;
    }
}

// Where a node gets one child more: at each bound, and just below it.
TEST_P(UtsTree, LawIsTheFormulaAtItsBounds) {
    const tree& t = *GetParam();
    const branching_law law(t);
    for (unsigned depth = 0; depth <= t.depth_limit + 1; ++depth) {
        const branching_law::row row = law.at(depth);
        for (const std::uint32_t* bound = row.bounds; *bound != 0x80000000U; ++bound) {
            const std::uint32_t at = *bound ^ row.flip;
            const std::uint32_t below = *bound > 0 ? (*bound - 1) ^ row.flip : at;
            ASSERT_EQ(children_by_law(law, depth, at), children_by_formula(t, depth, at));
            ASSERT_EQ(children_by_law(law, depth, below), children_by_formula(t, depth, below));
        }
    }
}

TEST_P(UtsTree, IsFoundByItsName) { EXPECT_EQ(find_tree(GetParam()->name), GetParam()); }

TEST(UtsTrees, UnknownNamesAreNotFound) {
    for (const char* name : {"", "t1", "X9", "T1 "}) {
        EXPECT_EQ(find_tree(name), nullptr) << name;
    }
}

// The root's message, byte by byte: 16 zeros, then the seed with its high byte first.
TEST(UtsTrees, RootIsTheHashOfZerosAndSeed) {
    tree t = *find_tree("T1");
    t.seed = 0x01020304;
    std::array<std::byte, 20> message{};
    for (std::size_t i = 0; i < 4; ++i) {
        message[16 + i] = static_cast<std::byte>(i + 1);
    }
    EXPECT_EQ(root_of(t).state, sha1(message));
    EXPECT_EQ(root_of(t).depth, 0U);
}

}  // namespace
