#include "lab/programs/uts.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "lab/peers/parley.hpp"
#include "lab/peers/serial.hpp"
#include "tests/build_kind.hpp"

namespace {

using namespace parley_programs;
using namespace parley_programs::uts;

template <class S>
totals count(const tree& t, unsigned workers) {
    typename S::pool pool(parley_peers::setup{workers, {}});
    searcher<S> search(t, pool);
    return pool.run([&] { return search(); });
}

void expect_facts(const tree& t, const totals& found) {
    EXPECT_EQ(found.nodes, t.known.nodes);
    EXPECT_EQ(found.depth, t.known.depth);
    EXPECT_EQ(found.leaves, t.known.leaves);
}

// Each of four million nodes: minutes under a sanitizer, which the pruned trees below are for.
class SmallTree : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (parley_tests::is_slow) {
            GTEST_SKIP() << "not an optimised build";
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, SmallTree, testing::Values("T1", "T2", "T3", "T4", "T5"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(SmallTree, SerialFindsThePublishedFacts) {
    const tree& t = *find_tree(GetParam());
    expect_facts(t, count<parley_peers::serial>(t, 1));
}

TEST_P(SmallTree, ParleyFindsThePublishedFacts) {
    const tree& t = *find_tree(GetParam());
    expect_facts(t, count<parley_peers::parley>(t, 2));
}

// The same kinds of tree with 15 to 65 thousand nodes.
tree pruned(std::string_view name) {
    tree t = *find_tree(name);
    switch (t.kind) {
        case family::binomial: t.child_chance = 0.12; break;
        case family::hybrid: t.depth_limit = 8; break;
        case family::geometric: t.depth_limit = t.form == shape::fixed ? 6 : t.form == shape::cyclic ? 8 : 12; break;
    }
    return t;
}

void expect_same(const totals& one, const totals& other) {
    EXPECT_EQ(one.nodes, other.nodes);
    EXPECT_EQ(one.depth, other.depth);
    EXPECT_EQ(one.leaves, other.leaves);
}

TEST(Uts, AnyNumberOfWorkersFindsWhatSerialFinds) {
    for (const char* name : {"T1", "T2", "T3", "T4", "T5"}) {
        const tree t = pruned(name);
        const totals serial = count<parley_peers::serial>(t, 1);
        EXPECT_GT(serial.nodes, 15'000U) << name;
        for (const unsigned workers : {1U, 2U, 3U, 8U}) {
            SCOPED_TRACE(std::string(name) + " on " + std::to_string(workers));
            expect_same(count<parley_peers::parley>(t, workers), serial);
        }
    }
}

// A tree that is one long path: each node has one child, with a chance of 1 - 1e-6.
tree path() {
    tree t = *find_tree("T3");
    t.root_branching = 1;
    t.children = 1;
    t.child_chance = 0.999999;
    return t;
}

// Nodes wait in the scope's queue, not on the stack.
TEST(Uts, DeepTreesNeedNoDeepStack) {
    const totals found = count<parley_peers::parley>(path(), 1);
    EXPECT_GT(found.depth, 100'000U);
    EXPECT_EQ(found.nodes, found.depth + 1);
    EXPECT_EQ(found.leaves, 1U);
}

TEST(Uts, RootWithoutChildrenIsALeaf) {
    tree t = *find_tree("T3");
    t.root_branching = 0;
    const totals found = count<parley_peers::parley>(t, 2);
    EXPECT_EQ(found.nodes, 1U);
    EXPECT_EQ(found.depth, 0U);
    EXPECT_EQ(found.leaves, 1U);
}

TEST(Uts, AnotherSeedIsAnotherTree) {
    tree t = pruned("T3");
    const totals published = count<parley_peers::serial>(t, 1);
    t.seed += 1;
    const totals serial = count<parley_peers::serial>(t, 1);
    EXPECT_NE(serial.nodes, published.nodes);
    expect_same(count<parley_peers::parley>(t, 2), serial);
}

TEST(Uts, SearcherCountsAfreshEachTime) {
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    const tree t = pruned("T3");
    const totals serial = count<parley_peers::serial>(t, 1);
    searcher<parley_peers::parley> search(t, pool);
    for (int i = 0; i < 3; ++i) {
        expect_same(pool.run([&] { return search(); }), serial);
    }
}

// What a progress line does: look on while it runs. ThreadSanitizer is the judge of the rest.
TEST(Uts, OthersMayLookOn) {
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    tree t = *find_tree("T1");
    t.depth_limit = 8;
    const totals serial = count<parley_peers::serial>(t, 1);
    searcher<parley_peers::parley> search(t, pool);
    std::atomic<std::uint64_t> most{0};
    std::jthread watcher([&](const std::stop_token& done) {
        while (!done.stop_requested()) {
            most = std::max(most.load(), search.so_far().nodes);
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    });
    do {
        expect_same(pool.run([&] { return search(); }), serial);
    } while (most <= 1);  // a search may be over before anybody has looked
    watcher.request_stop();
    watcher.join();
    EXPECT_LE(most, serial.nodes);
}

TEST(Uts, CancelledSearchLeaves) {
    parley_peers::parley::pool pool(parley_peers::setup{2, {}});
    searcher<parley_peers::parley> search(*find_tree("T1XL"), pool);  // minutes, if nobody stops it
    std::jthread canceller([&] {
        while (search.so_far().nodes == 1) {  // the root is there before anybody looks
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        pool.cancel();
    });
    EXPECT_THROW(pool.run([&] { return search(); }), parley_peers::parley::cancelled);
}

}  // namespace
