// merge, inplace_merge, and sets as sorted ranges: as the standard's, however the ranges are divided.
#include "tests/parley/algorithms/taking_part.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>

namespace {

using namespace api_test;

// Pairs that are compared by their first number alone: the second one says where it comes from.
using pairs = std::vector<std::pair<int, int>>;
const auto by_first = [](const std::pair<int, int>& a, const std::pair<int, int>& b) { return a.first < b.first; };

pairs sorted_pairs(std::size_t n, int below, int from) {
    std::mt19937 random(static_cast<unsigned>(n) + static_cast<unsigned>(from));
    pairs all(n);
    for (auto& p : all) p = {static_cast<int>(random() % static_cast<unsigned>(below)), 0};
    std::sort(all.begin(), all.end());
    for (auto& p : all) p.second = from++;
    return all;
}

// Calls check(runtime, left, right) for short and long ranges, with few and many equal elements.
template <class Check>
void on_pairs_of_ranges(Check check) {
    with_each_size([&](parley::runtime& rt) {
        rt.run([&] {
            for (const std::size_t left : {0UL, 1UL, 2UL, 9UL, 1'000UL, 9'011UL})
                for (const std::size_t right : {0UL, 1UL, 3UL, 8UL, 1'001UL, 12'000UL})
                    for (const int below : {1, 3, 100'000})
                        check(rt, sorted_pairs(left, below, 0), sorted_pairs(right, below, 1'000'000));
        });
    });
}

TEST(Merge, IsStable) {
    on_pairs_of_ranges([](parley::runtime&, const pairs& left, const pairs& right) {
        pairs out(left.size() + right.size()), expected(out.size());
        ASSERT_EQ(parley::merge(left.begin(), left.end(), right.begin(), right.end(), out.begin(), by_first), out.end());
        std::merge(left.begin(), left.end(), right.begin(), right.end(), expected.begin(), by_first);
        ASSERT_EQ(out, expected);
    });
}

TEST(Merge, OfPlainNumbersAndOfRangesOfDifferentKinds) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<int> left(30'000);
            std::deque<long> right(20'000);
            for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i / 3);
            for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<long>(i / 2);
            std::vector<long> out(50'000), expected(50'000);
            parley::merge(left, right, out.begin());
            std::merge(left.begin(), left.end(), right.begin(), right.end(), expected.begin());
            EXPECT_EQ(out, expected);
            std::vector<int> twice(60'000);
            parley::merge(left, left, twice.begin());
            for (std::size_t i = 0; i < twice.size(); ++i) ASSERT_EQ(twice[i], static_cast<int>(i / 6));
            EXPECT_EQ(left[3'000], 1'000) << "it copies";
        });
    });
}

TEST(Merge, CopiesWhatItReads) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<std::string> left(9'000, "a text that is too long to lie in its string"), right = left;
            std::vector<std::string> out(18'000);
            parley::merge(left, right, out.begin());
            EXPECT_EQ(left, right);
            EXPECT_EQ(left.back(), out.back());
            EXPECT_EQ(std::count(out.begin(), out.end(), left[0]), 18'000);
        });
    });
}

TEST(InplaceMerge, IsStable) {
    on_pairs_of_ranges([](parley::runtime&, const pairs& left, const pairs& right) {
        pairs v = left;
        v.insert(v.end(), right.begin(), right.end());
        pairs expected = v;
        const auto border = static_cast<std::ptrdiff_t>(left.size());
        parley::inplace_merge(v.begin(), v.begin() + border, v.end(), by_first);
        std::inplace_merge(expected.begin(), expected.begin() + border, expected.end(), by_first);
        ASSERT_EQ(v, expected);
    });
}

TEST(InplaceMerge, LosesNoElementIfTheComparisonThrows) {
    with_each_size([](parley::runtime& rt) {
        for (const int at : {1, 2, 5'000, 19'000}) {
            std::vector<std::unique_ptr<int>> v;
            for (int i = 0; i < 20'000; ++i) v.push_back(std::make_unique<int>(i / 10'000 + 2 * (i % 10'000)));
            std::atomic<int> calls = 0;
            EXPECT_THROW(rt.run([&] {
                parley::inplace_merge(v, v.begin() + 10'000, [&](const auto& a, const auto& b) {
                    if (++calls == at) throw boom{};
                    return *a < *b;
                });
            }),
                         boom);
            std::vector<int> left;
            for (const auto& p : v) left.push_back(p ? *p : -1);
            std::sort(left.begin(), left.end());
            for (int i = 0; i < 20'000; ++i) ASSERT_EQ(left[static_cast<std::size_t>(i)], i);
        }
    });
}

template <class Ours, class Standards>
void compare(Ours ours, Standards standards) {
    on_pairs_of_ranges([&](parley::runtime& rt, const pairs& left, const pairs& right) {
        pairs out(left.size() + right.size()), expected(out.size());
        const bool all_are_equal = left.empty() || right.empty() || left[0].first == left.back().first;
        taking_part both(rt, all_are_equal ? 0 : std::min(left.size(), right.size()));
        const auto end = ours(left, right, out.begin(), both(by_first));
        ASSERT_EQ(end - out.begin(), standards(left, right, expected.begin()) - expected.begin());
        ASSERT_EQ(out, expected);
    });
}

TEST(SetOperations, UnionAsTheStandardDoes) {
    compare(
        [](auto& l, auto& r, auto out, auto less) { return parley::set_union(l, r, out, less); },
        [](auto& l, auto& r, auto out) { return std::set_union(l.begin(), l.end(), r.begin(), r.end(), out, by_first); });
}
TEST(SetOperations, IntersectionAsTheStandardDoes) {
    compare([](auto& l, auto& r, auto out, auto less) { return parley::set_intersection(l, r, out, less); },
            [](auto& l, auto& r, auto out) {
                return std::set_intersection(l.begin(), l.end(), r.begin(), r.end(), out, by_first);
            });
}
TEST(SetOperations, DifferenceAsTheStandardDoes) {
    compare([](auto& l, auto& r, auto out, auto less) { return parley::set_difference(l, r, out, less); },
            [](auto& l, auto& r, auto out) {
                return std::set_difference(l.begin(), l.end(), r.begin(), r.end(), out, by_first);
            });
}
TEST(SetOperations, SymmetricDifferenceAsTheStandardDoes) {
    compare([](auto& l, auto& r, auto out, auto less) { return parley::set_symmetric_difference(l, r, out, less); },
            [](auto& l, auto& r, auto out) {
                return std::set_symmetric_difference(l.begin(), l.end(), r.begin(), r.end(), out, by_first);
            });
}

TEST(SetOperations, IncludesAsTheStandardDoes) {
    on_pairs_of_ranges([](parley::runtime&, const pairs& left, const pairs& right) {
        ASSERT_EQ(parley::includes(left, right, by_first),
                  std::includes(left.begin(), left.end(), right.begin(), right.end(), by_first));
        pairs some;
        for (std::size_t i = 0; i < left.size(); i += 3) some.push_back(left[i]);
        ASSERT_TRUE(parley::includes(left, some, by_first));
        if (some.empty()) return;
        some.push_back({some.back().first, 0});
        while (some.size() <= left.size()) some.push_back(some.back());
        ASSERT_FALSE(parley::includes(left, some, by_first)) << "more often than there";
    });
}

}  // namespace
