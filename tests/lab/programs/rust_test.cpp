// The programs that are written in Rust beside the same in C++, where they were built.
#include <gtest/gtest.h>

#include "lab/peers/list.hpp"

#if defined(PARLEY_WITH_RUST)

#include <algorithm>
#include <stdexcept>

#include "lab/programs/busy.hpp"
#include "lab/programs/cilksort.hpp"
#include "lab/programs/fib.hpp"
#include "lab/programs/nqueens.hpp"
#include "lab/programs/uts_in_rust.hpp"
#include "tests/lab/programs/names.hpp"

namespace {

using namespace parley_programs;
using namespace parley_programs::uts;

template <class S>
class Rust : public testing::Test {};
using parley_tests::names;
using both = testing::Types<parley_peers::rayon, parley_peers::chili>;
TYPED_TEST_SUITE(Rust, both, names);

constexpr unsigned worker_counts[] = {1, 2, 3, 8};

TYPED_TEST(Rust, FibIsRight) {
    for (const unsigned workers : worker_counts) {
        typename TypeParam::pool pool(parley_peers::setup{workers, {}});
        EXPECT_EQ(pool.workers(), workers);
        for (const unsigned n : {0U, 1U, 2U, 3U, 22U}) {
            EXPECT_EQ(pool.run([&] { return TypeParam::fib(n); }), fib_by_iteration(n));
        }
    }
}

TYPED_TEST(Rust, QueensAreRight) {
    typename TypeParam::pool pool(parley_peers::setup{3, {}});
    for (unsigned n = 1; n <= 10; ++n) {
        EXPECT_EQ(pool.run([&] { return TypeParam::nqueens(n); }), known_solutions(n)) << n;
    }
}

TYPED_TEST(Rust, EachLeafOfTreerecComputes) {
    static std::atomic<std::uint64_t> sum;
    sum = 0;
    const parley_rust_leaf leaf{[](std::uint64_t rounds) noexcept { sum += rounds; }, 7};
    typename TypeParam::pool pool(parley_peers::setup{3, {}});
    EXPECT_EQ(pool.run([&] { return TypeParam::treerec(15, leaf); }), fib_by_iteration(15));
    EXPECT_EQ(sum.load(), 7 * (forks_of_fib(15) + 1));  // a binary tree has one more leaf than forks
}

TYPED_TEST(Rust, SortsAnyNumber) {
    for (const unsigned workers : worker_counts) {
        typename TypeParam::pool pool(parley_peers::setup{workers, {}});
        for (const std::size_t n : {0U, 1U, 2U, 3U, 20U, 21U, 2047U, 2048U, 2051U, 8191U, 100'003U}) {
            cilksort<TypeParam> sort(n, n);
            sort.prepare();
            const auto found = pool.run([&] { return sort(); });
            EXPECT_TRUE(std::is_sorted(found.begin(), found.end())) << n;
            EXPECT_EQ(checksum_of(found), expected_checksum(n, n)) << n;
        }
    }
}

TYPED_TEST(Rust, SortsWhatIsSortedOrAllTheSame) {
    typename TypeParam::pool pool(parley_peers::setup{2, {}});
    constexpr std::size_t n = 50'000;
    std::vector<sort_element> scratch(n);
    for (const int step : {-1, 0, 1}) {
        std::vector<sort_element> elements(n);
        for (std::size_t i = 0; i < n; ++i) {
            elements[i] = step * static_cast<int>(i);
        }
        std::vector<sort_element> sorted = elements;
        std::sort(sorted.begin(), sorted.end());
        pool.run([&] { TypeParam::cilksort(elements.data(), scratch.data(), n); });
        EXPECT_EQ(elements, sorted);
    }
}

tree little(std::string_view name) {
    tree t = *find_tree(name);
    if (t.kind == family::binomial) t.child_chance = 0.12;
    if (t.kind == family::hybrid) t.depth_limit = 8;
    if (t.kind == family::geometric) t.depth_limit = t.form == shape::linear ? 12 : 6;
    return t;
}

template <class S>
totals count(const tree& t, unsigned workers, sha1_choice hash = sha1_choice::best) {
    typename S::pool pool(parley_peers::setup{workers, {}});
    searcher<S> search(t, pool, hash);
    return pool.run([&] { return search(); });
}

void expect_same(const totals& one, const totals& other) {
    EXPECT_EQ(one.nodes, other.nodes);
    EXPECT_EQ(one.depth, other.depth);
    EXPECT_EQ(one.leaves, other.leaves);
}

TYPED_TEST(Rust, SearchesFindWhatSerialFinds) {
    for (const char* name : {"T1", "T2", "T3", "T4", "T5"}) {
        SCOPED_TRACE(name);
        const tree t = little(name);
        const totals serial = count<parley_peers::serial>(t, 1);
        EXPECT_GT(serial.nodes, 1'000U);
        for (const unsigned workers : worker_counts) {
            expect_same(count<TypeParam>(t, workers), serial);
        }
        expect_same(count<TypeParam>(t, 2, sha1_choice::portable), serial);
    }
}

TYPED_TEST(Rust, SearcherCountsAfreshEachTime) {
    typename TypeParam::pool pool(parley_peers::setup{2, {}});
    const tree t = little("T3");
    const totals serial = count<parley_peers::serial>(t, 1);
    searcher<TypeParam> search(t, pool);
    for (int i = 0; i < 3; ++i) {
        expect_same(pool.run([&] { return search(); }), serial);
    }
}

TYPED_TEST(Rust, RootWithoutChildrenIsALeaf) {
    tree t = *find_tree("T3");
    t.root_branching = 0;
    expect_same(count<TypeParam>(t, 2), {1, 0, 1});
}

// One long path. T3L is 17,844 levels deep.
tree path(double chance) {
    tree t = *find_tree("T3");
    t.root_branching = 1;
    t.children = 1;
    t.child_chance = chance;
    return t;
}

TYPED_TEST(Rust, DeepTreesHaveTheStackTheyNeed) {
    const totals found = count<TypeParam>(path(0.99998), 2);
    EXPECT_GT(found.depth, 18'000U);
    EXPECT_EQ(found.nodes, found.depth + 1);
}

TYPED_TEST(Rust, StillDeeperOnesAreRefusedOrNoTrouble) {
    const tree deep = path(0.999999);
    if (std::is_same_v<TypeParam, parley_peers::chili>) {
        EXPECT_THROW((void)count<TypeParam>(deep, 2), std::runtime_error);
    } else {
        EXPECT_GT(count<TypeParam>(deep, 2).depth, 120'000U);
    }
}

TYPED_TEST(Rust, ExceptionsPassByRust) {
    typename TypeParam::pool pool(parley_peers::setup{2, {}});
    EXPECT_THROW(pool.run([]() -> int { throw std::out_of_range("x"); }), std::out_of_range);
    EXPECT_EQ(pool.run([] { return 43; }), 43);
}

TYPED_TEST(Rust, CancelledWorkSaysSoOnce) {
    typename TypeParam::pool pool(parley_peers::setup{2, {}});
    EXPECT_THROW(pool.run([&] {
        pool.cancel();
        return TypeParam::fib(60);
    }),
                 typename TypeParam::cancelled);
    EXPECT_EQ(pool.run([] { return TypeParam::fib(20); }), fib_by_iteration(20));
}

}  // namespace

#endif
