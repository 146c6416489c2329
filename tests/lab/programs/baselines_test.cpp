// What the serial programs are compared with (lab/bench/baselines.cpp) does the same work.
#include <gtest/gtest.h>

#include "lab/bench/baselines.hpp"
#include "lab/peers/serial.hpp"

namespace {

using namespace parley_programs;

TEST(Baselines, AnExplicitStackFindsTheSameTree) {
    uts::tree t = *uts::find_tree("T1");
    t.depth_limit = 6;
    const uts::branching_law law(t);
    parley_peers::serial::pool pool(parley_peers::setup{});
    uts::searcher<parley_peers::serial> search(t, pool);
    const uts::totals by_recursion = search();
    with_best_sha1([&]<class Hash>(Hash) {
        const uts::totals by_stack = parley_bench::count_with_stack<Hash>(law, root_of(t));
        EXPECT_EQ(by_recursion.nodes, by_stack.nodes);
        EXPECT_EQ(by_recursion.leaves, by_stack.leaves);
        EXPECT_EQ(by_recursion.depth, by_stack.depth);
    });
}

TEST(Baselines, OpenSslHashesTheSame) {
    EXPECT_EQ(parley_bench::chain_of_hashes(1000), parley_bench::chain_of_hashes_by_openssl(1000));
}

}  // namespace
