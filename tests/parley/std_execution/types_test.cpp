// Elements and iterators of other kinds, par_unseq, and what is promised beyond the result.
#include "tests/parley/std_execution/cases.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <parley/runtime.hpp>
#include <random>
#include <string>
#include <utility>

namespace std_execution_test {

namespace {

// Can be moved, and has memory of its own.
struct owner {
    std::unique_ptr<int> value;
    explicit owner(int x) : value(std::make_unique<int>(x)) {}
    friend bool operator<(const owner& a, const owner& b) { return *a.value < *b.value; }
    friend bool operator==(const owner& a, const owner& b) { return *a.value == *b.value; }
};

ints shuffled(std::size_t n) {
    ints v(n);
    std::mt19937 random(5);
    for (int& x : v) x = static_cast<int>(random() % (n / 2 + 1));
    return v;
}

std::vector<owner> owners_of(const ints& v) {
    std::vector<owner> all;
    for (const int x : v) all.emplace_back(x);
    return all;
}
ints values_of(const std::vector<owner>& v) {
    ints all;
    for (const owner& x : v) all.push_back(*x.value);
    return all;
}

TEST(StdExecution, MovesElementsThatCannotBeCopied) {
    parley::runtime rt({.workers = 3});
    for (const std::size_t n : std::initializer_list<std::size_t>{3, 600, 20000}) {
        ints v = shuffled(n);
        std::vector<owner> owners = owners_of(v);
        const std::ptrdiff_t third = std::ssize(v) / 3;
        const auto is_even = [](const owner& x) { return *x.value % 2 == 0; };
        const auto expect_equal = [&](const char* what) { ASSERT_TRUE(values_of(owners) == v) << what << " of " << n; };
        rt.run([&] {
            using std::execution::par;
            std::reverse(par, owners.begin(), owners.end());
            std::rotate(par, owners.begin(), owners.begin() + third, owners.end());
            std::reverse(v.begin(), v.end());
            std::rotate(v.begin(), v.begin() + third, v.end());
            expect_equal("reverse, rotate");
            std::stable_partition(par, owners.begin(), owners.end(), is_even);
            std::stable_partition(v.begin(), v.end(), [](int x) { return x % 2 == 0; });
            expect_equal("stable_partition");
            std::sort(par, owners.begin(), owners.begin() + third);
            std::stable_sort(par, owners.begin() + third, owners.end());
            std::sort(v.begin(), v.begin() + third);
            std::stable_sort(v.begin() + third, v.end());
            expect_equal("sort");
            std::inplace_merge(par, owners.begin(), owners.begin() + third, owners.end());
            std::inplace_merge(v.begin(), v.begin() + third, v.end());
            expect_equal("inplace_merge");
            owners.erase(std::unique(par, owners.begin(), owners.end()), owners.end());
            owners.erase(std::remove_if(par, owners.begin(), owners.end(), is_even), owners.end());
            v.erase(std::unique(v.begin(), v.end()), v.end());
            v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x % 2 == 0; }), v.end());
            expect_equal("unique, remove_if");
            std::partial_sort(par, owners.begin(), owners.begin() + std::ssize(v) / 4, owners.end(),
                              [](const owner& a, const owner& b) { return b < a; });
        });
        std::partial_sort(v.begin(), v.begin() + std::ssize(v) / 4, v.end(), std::greater<>{});
        ints out = values_of(owners);
        ASSERT_TRUE(std::equal(v.begin(), v.begin() + std::ssize(v) / 4, out.begin()));
        std::sort(out.begin(), out.end());
        std::sort(v.begin(), v.end());
        ASSERT_TRUE(out == v) << "partial_sort loses none";
    }
}

TEST(StdExecution, TakesIteratorsThatOnlyGoForward) {
    const ints v = shuffled(3000);
    std::forward_list<int> list(v.begin(), v.end());
    using std::execution::par;
    std::for_each(par, list.begin(), list.end(), [](int& x) { x += 2; });
    EXPECT_EQ(std::reduce(par, list.begin(), list.end()), std::reduce(v.begin(), v.end()) + 2 * 3000);
    EXPECT_EQ(std::count_if(par, list.begin(), list.end(), [](int x) { return x < 100; }),
              std::count_if(v.begin(), v.end(), [](int x) { return x < 98; }));
    ints out(v.size());
    std::inclusive_scan(par, list.begin(), list.end(), out.begin());
    EXPECT_EQ(out.back(), std::reduce(list.begin(), list.end()));
    EXPECT_EQ(std::find(par, list.begin(), list.end(), -1), list.end());
}

// Such iterators are no pointers, and joining strings is not commutative.
TEST(StdExecution, KeepsTheOrderOfElementsOfADequeAndOfStrings) {
    parley::runtime rt({.workers = 3});
    const ints v = shuffled(30000);
    std::deque<std::string> words;
    for (const int x : v) words.push_back(std::to_string(x % 10));
    const std::string joined = std::accumulate(words.begin(), words.end(), std::string("<"));
    std::deque<std::string> sorted = words;
    std::stable_sort(sorted.begin(), sorted.end());
    rt.run([&] {
        using std::execution::par;
        EXPECT_EQ(std::transform_reduce(par, words.begin(), words.end(), std::string("<"), std::plus<>{},
                                        [](const std::string& word) { return word; }),
                  joined);
        std::vector<std::string> sums(300);
        std::inclusive_scan(par, words.begin(), words.begin() + 300, sums.begin());
        EXPECT_EQ("<" + sums.back(), joined.substr(0, 301));
        std::sort(par, words.begin(), words.end());
        EXPECT_TRUE(words == sorted);
    });
}

// An element is no sum here, and two of them make one.
struct total {
    std::int64_t sum = 0, terms = 0;
};
struct term {
    int value;
};
struct add {
    total operator()(total a, total b) const { return {a.sum + b.sum, a.terms + b.terms}; }
    total operator()(total a, term b) const { return {a.sum + b.value, a.terms + 1}; }
    total operator()(term a, total b) const { return {a.value + b.sum, b.terms + 1}; }
    total operator()(term a, term b) const { return {std::int64_t{a.value} + b.value, 2}; }
};

TEST(StdExecution, ReducesElementsThatAreNoSums) {
    parley::runtime rt({.workers = 3});
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 2, 3, 1000, 50001}) {
        const ints v = shuffled(n);
        const total all = rt.run([&] {
            return std::transform_reduce(std::execution::par, v.begin(), v.end(), total{}, add{},
                                         [](int x) { return term{x}; });
        });
        EXPECT_EQ(all.terms, std::ssize(v));
        EXPECT_EQ(all.sum, std::accumulate(v.begin(), v.end(), std::int64_t{0}));
    }
}

TEST(StdExecution, TakesParUnseq) {
    parley::runtime rt({.workers = 3});
    const ints v = shuffled(40000);
    ints out(v.size()), sorted = v, kept(v.size());
    rt.run([&] {
        using std::execution::par_unseq;
        std::transform(par_unseq, v.begin(), v.end(), out.begin(), [](int x) { return x + 1; });
        EXPECT_EQ(std::reduce(par_unseq, out.begin(), out.end()), std::reduce(v.begin(), v.end()) + 40000);
        std::inclusive_scan(par_unseq, v.begin(), v.end(), out.begin());
        std::sort(par_unseq, sorted.begin(), sorted.end());
        kept.erase(std::copy_if(par_unseq, v.begin(), v.end(), kept.begin(), [](int x) { return x > 5; }), kept.end());
        EXPECT_EQ(std::find(par_unseq, v.begin(), v.end(), v[39999]), std::find(v.begin(), v.end(), v[39999]));
    });
    EXPECT_EQ(out.back(), std::reduce(v.begin(), v.end()));
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
    EXPECT_EQ(std::ssize(kept), std::count_if(v.begin(), v.end(), [](int x) { return x > 5; }));
}

// The match lies at the beginning. One worker then looks at no more than its first blocks.
TEST(StdExecution, SearchesEndEarly) {
    parley::runtime rt({.workers = 1});
    const ints v(1'000'000, 3);
    rt.run([&] {
        using std::execution::par;
        std::atomic<int> calls{0};
        const auto is_three = [&calls](int x) { return calls.fetch_add(1, std::memory_order_relaxed), x == 3; };
        EXPECT_TRUE(std::any_of(par, v.begin(), v.end(), is_three));
        EXPECT_EQ(std::find_if(par, v.begin(), v.end(), is_three), v.begin());
        EXPECT_EQ(std::adjacent_find(par, v.begin(), v.end(), [&](int x, int y) { return is_three(x) && x == y; }),
                  v.begin());
        EXPECT_LT(calls.load(), 100);
    });
}

}  // namespace

}  // namespace std_execution_test
