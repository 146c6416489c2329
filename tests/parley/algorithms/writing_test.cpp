// fill, generate, iota, reverse, rotate, nth_element, partial_sort.
#include "tests/parley/algorithms/taking_part.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <string>

namespace {

using namespace api_test;

TEST(Fill, AssignsAllElements) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            for (const std::size_t n : many_lengths) {
                std::deque<std::string> words(n + 2, "before");
                parley::fill(words.begin() + 1, words.end() - 1, "after");
                ASSERT_EQ(std::count(words.begin(), words.end(), "after"), static_cast<std::ptrdiff_t>(n));
                ASSERT_EQ(words.front() + words.back(), "beforebefore");
                std::vector<int> numbers(n);
                std::atomic<int> calls = 0;
                taking_part both(rt, n);
                parley::generate(numbers, both([&] { return ++calls; }));
                std::sort(numbers.begin(), numbers.end());
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(numbers[i], static_cast<int>(i) + 1);
            }
        });
    });
}

TEST(Iota, CountsOnInAnyTypeAndOverflowsAsItDoes) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : many_lengths) {
                std::vector<long> v(n), expected(n);
                parley::iota(v, -5L);
                std::iota(expected.begin(), expected.end(), -5L);
                ASSERT_EQ(v, expected);
                std::vector<std::uint8_t> bytes(n), expected_bytes(n);
                parley::iota(bytes.begin(), bytes.end(), std::uint8_t{200});
                std::iota(expected_bytes.begin(), expected_bytes.end(), std::uint8_t{200});
                ASSERT_EQ(bytes, expected_bytes);
                std::vector<std::vector<long>::iterator> places(n);
                parley::iota(places, v.begin());
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(&*places[i], &v[i]);
            }
        });
    });
}

std::vector<std::string> words(std::size_t n) {
    std::vector<std::string> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = std::to_string(i);
    return all;
}

TEST(Reverse, AsTheStandardDoes) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : many_lengths) {
                auto v = words(n), expected = v;
                parley::reverse(v);
                std::reverse(expected.begin(), expected.end());
                ASSERT_EQ(v, expected);
            }
        });
    });
}

TEST(Rotate, AroundEveryKindOfMiddle) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : {0UL, 1UL, 2UL, 10UL, 1'000UL, 8'192UL, 20'000UL, 70'003UL})
                for (const std::size_t middle :
                     {std::size_t{0}, std::size_t{1}, n / 7, n / 3, n / 2, n / 2 + 1, n - n / 5, n}) {
                    if (middle > n) continue;
                    std::vector<std::size_t> v(n);
                    std::iota(v.begin(), v.end(), std::size_t{0});
                    auto expected = v;
                    const auto at = static_cast<std::ptrdiff_t>(middle);
                    ASSERT_EQ(parley::rotate(v, v.begin() + at) - v.begin(), static_cast<std::ptrdiff_t>(n - middle));
                    std::rotate(expected.begin(), expected.begin() + at, expected.end());
                    ASSERT_EQ(v, expected) << n << " around " << middle;
                }
        });
    });
}

TEST(NthElement, DividesTheRangeAtIt) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : {1UL, 2UL, 30UL, 1'000UL, 10'011UL, 200'000UL})
                for (const unsigned below : {1U, 5U, 1'000'000'000U})
                    for (const std::size_t at : {std::size_t{0}, n / 3, n - 1}) {
                        if (n > 100'000 && (below < 1'000 || at != n / 3)) continue;  // one that is partitioned in parallel
                        std::mt19937 random(static_cast<unsigned>(n + at));
                        std::vector<unsigned> v(n);
                        for (auto& i : v) i = static_cast<unsigned>(random() % below);
                        auto expected = v;
                        const auto nth = static_cast<std::ptrdiff_t>(at);
                        std::nth_element(expected.begin(), expected.begin() + nth, expected.end());
                        auto some = v;
                        parley::nth_element(v, v.begin() + nth);
                        ASSERT_EQ(v[at], expected[at]);
                        ASSERT_LE(*std::max_element(v.begin(), v.begin() + nth + 1), v[at]);
                        ASSERT_GE(*std::min_element(v.begin() + nth, v.end()), v[at]);
                        std::sort(v.begin(), v.end());
                        parley::partial_sort(some.begin(), some.begin() + nth, some.end(), std::less<>{});
                        ASSERT_TRUE(std::equal(some.begin(), some.begin() + nth, v.begin()));
                        std::sort(some.begin(), some.end());
                        ASSERT_EQ(some, v);
                    }
            std::vector<int> three{3, 1, 2};
            parley::nth_element(three.begin(), three.end(), three.end());
            EXPECT_EQ(three, (std::vector<int>{3, 1, 2}));
        });
    });
}

}  // namespace
