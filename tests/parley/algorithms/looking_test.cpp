// count, all_of, adjacent_find, is_sorted, mismatch, equal, histogram: what they say, and how often they look.
#include "tests/parley/algorithms/taking_part.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

using namespace api_test;

TEST(CountIf, CallsThePredicateOnceForEachElement) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            for (const std::size_t n : many_lengths) {
                std::vector<std::size_t> v(n);
                for (std::size_t i = 0; i < n; ++i) v[i] = i;
                std::atomic<std::size_t> calls = 0;
                taking_part both(rt, n);
                const auto third = [&](std::size_t i) {
                    ++calls;
                    return i % 3 == 0;
                };
                ASSERT_EQ(parley::count_if(v.begin(), v.end(), both([&](std::size_t i) { return third(i); })),
                          static_cast<std::ptrdiff_t>((n + 2) / 3));
                ASSERT_EQ(calls, n);
            }
            const std::vector<std::string> words(5'000, "word");
            EXPECT_EQ(parley::count(words, "word"), 5'000);
            EXPECT_EQ(parley::count(words, "other"), 0);
        });
    });
}

TEST(AllOf, AnyOfAndNoneOfAgreeWithTheStandards) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : many_lengths)
                for (const std::size_t set : {std::size_t{0}, n / 2, n}) {
                    std::vector<int> v(n);
                    std::fill_n(v.begin(), set, 1);
                    const auto is_set = [](int i) { return i == 1; };
                    ASSERT_EQ(parley::all_of(v, is_set), std::all_of(v.begin(), v.end(), is_set));
                    ASSERT_EQ(parley::any_of(v, is_set), std::any_of(v.begin(), v.end(), is_set));
                    ASSERT_EQ(parley::none_of(v, is_set), std::none_of(v.begin(), v.end(), is_set));
                }
        });
    });
}

TEST(Neighbours, AdjacentFindAndIsSortedUntilFindTheFirst) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            for (const std::size_t n : many_lengths) {
                std::vector<int> v(n);
                for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i);
                ASSERT_EQ(parley::adjacent_find(v), v.end());
                ASSERT_TRUE(parley::is_sorted(v));
                ASSERT_EQ(parley::is_sorted_until(v.begin(), v.end()), v.end());
                for (std::size_t at = 0; at + 1 < n; at = 2 * at + 1) {
                    for (std::size_t i = at; i + 1 < n; i += 1 + i / 3) v[i + 1] = v[i];
                    ASSERT_EQ(parley::adjacent_find(v) - v.begin(), static_cast<std::ptrdiff_t>(at));
                    v[at] = v[at + 1] + 1;
                    ASSERT_EQ(parley::is_sorted_until(v), std::is_sorted_until(v.begin(), v.end()));
                    ASSERT_FALSE(parley::is_sorted(v.begin(), v.end()));
                    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i);
                }
            }
            const std::vector<int> down{3, 2, 2, 1};
            EXPECT_TRUE(parley::is_sorted(down, std::greater<>{}));
            EXPECT_EQ(parley::adjacent_find(down, std::less<>{}), down.end());
        });
    });
}

TEST(Equal, FindsTheFirstPairThatDiffersAndTheEndOfTheShorterRange) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : many_lengths) {
                std::vector<int> v(n, 1);
                std::vector<long> other(n, 1);
                ASSERT_TRUE(parley::equal(v, other));
                ASSERT_TRUE(parley::equal(v.begin(), v.end(), other.begin(), other.end()));
                other.push_back(1);
                ASSERT_FALSE(parley::equal(v, other));
                ASSERT_EQ(parley::mismatch(v, other), std::pair(v.end(), other.end() - 1));
                ASSERT_EQ(parley::mismatch(other.begin(), other.end(), v.begin(), v.end()).second, v.end());
                for (std::size_t at = 0; at < n; at = 2 * at + 1) {
                    for (std::size_t i = at; i < n; i += 1 + i / 3) other[i] = 2;
                    ASSERT_EQ(parley::mismatch(v, other).first - v.begin(), static_cast<std::ptrdiff_t>(at));
                    std::fill(other.begin(), other.end(), 1);
                }
            }
        });
    });
}

TEST(Histogram, CountsEachBinAndRefusesOthers) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            std::vector<int> v(30'000);
            for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i % 100);
            taking_part both(rt, v.size());
            const auto tens = parley::histogram(v, 10, both([](int i) { return i / 10; }));
            EXPECT_EQ(tens, std::vector<std::uint64_t>(10, 3'000));
            EXPECT_EQ(parley::histogram(v.begin(), v.begin(), 3, std::identity{}), std::vector<std::uint64_t>(3));
            EXPECT_THROW((void)parley::histogram(v, 99, std::identity{}), std::out_of_range);
            EXPECT_THROW((void)parley::histogram(v, 100, std::negate<>{}), std::out_of_range);
        });
    });
}

}  // namespace
