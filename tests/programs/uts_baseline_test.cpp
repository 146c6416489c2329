// Speedups are over the serial program, so it has to be a good one. It is the elision, which
// recurses; the other plausible way to walk a tree is with a stack of one's own.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "peers/serial.hpp"
#include "programs/uts.hpp"
#include "tests/programs/measure.hpp"

namespace {

using namespace parley_programs;
using namespace parley_programs::uts;

template <class Hash>
totals count_with_stack(const branching_law& law, const node& root) {
    totals sum;
    std::vector<node> waiting{root};
    while (!waiting.empty()) {
        const node here = waiting.back();
        waiting.pop_back();
        const branching_law::row row = law.at(here.depth);
        const std::uint32_t value = row.value_of(here.state);
        std::uint32_t index = 0;
        for (; value >= row.bounds[index]; ++index) {
            waiting.push_back({Hash::child(here.state, index), here.depth + 1});
        }
        sum.nodes += 1;
        sum.leaves += index == 0 ? 1 : 0;
        sum.depth = here.depth > sum.depth ? here.depth : sum.depth;
    }
    return sum;
}

TEST(UtsBaseline, IsNotSlowerThanAnExplicitStack) {
    tree t = *find_tree("T1");
    t.depth_limit = 7;  // 64 thousand nodes: one burst is a few milliseconds
    const branching_law law(t);
    parley_peers::serial::pool pool(parley_peers::setup{});
    searcher<parley_peers::serial> search(t, pool);
    totals by_recursion = search();
    totals by_stack;
    const auto with_stack = [&] {
        with_best_sha1(
            [&]<class Hash>(Hash) { by_stack = count_with_stack<Hash>(law, root_of(t)); });
    };
    with_stack();
    EXPECT_EQ(by_recursion.nodes, by_stack.nodes);
    EXPECT_EQ(by_recursion.leaves, by_stack.leaves);
    EXPECT_EQ(by_recursion.depth, by_stack.depth);
    if (!parley_tests::is_measurable) {
        GTEST_SKIP() << "not an optimised build";
    }
    const auto [recursion, stack] =
        parley_tests::best_of(100, [&] { by_recursion = search(); }, with_stack);
    const double ns_per_node = 1e9 / static_cast<double>(by_stack.nodes);
    std::printf("ns per node: recursion %.1f, explicit stack %.1f\n", recursion * ns_per_node,
                stack * ns_per_node);
    EXPECT_LE(recursion, 1.1 * stack);
}

}  // namespace
