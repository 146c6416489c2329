// sort and stable_sort: every pattern, types, exceptions.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>

namespace {

using namespace api_test;

const auto by_sort = [](auto first, auto last, auto less) { parley::sort(first, last, less); };
const auto by_stable_sort = [](auto first, auto last, auto less) { parley::stable_sort(first, last, less); };

// Calls test(algorithm, its name) for each.
template <class Test>
void with_each_sort(Test test) {
    {
        SCOPED_TRACE("sort");
        test(by_sort);
    }
    SCOPED_TRACE("stable_sort");
    test(by_stable_sort);
}

struct pattern {
    const char* name;
    std::int64_t (*at)(std::int64_t i, std::int64_t n, std::mt19937_64& random);
};
using random_source = std::mt19937_64;
const pattern patterns[] = {
    {"random", [](std::int64_t, std::int64_t, random_source& r) { return static_cast<std::int64_t>(r() >> 1); }},
    {"sorted", [](std::int64_t i, std::int64_t, random_source&) { return i; }},
    {"reversed", [](std::int64_t i, std::int64_t n, random_source&) { return n - i; }},
    {"all equal", [](std::int64_t, std::int64_t, random_source&) { return std::int64_t{7}; }},
    {"few kinds", [](std::int64_t, std::int64_t, random_source& r) { return static_cast<std::int64_t>(r() % 5); }},
    {"organ pipe", [](std::int64_t i, std::int64_t n, random_source&) { return std::min(i, n - i); }},
    {"saw teeth", [](std::int64_t i, std::int64_t, random_source&) { return i % 37; }},
    {"nearly sorted",
     [](std::int64_t i, std::int64_t, random_source& r) { return i + static_cast<std::int64_t>(r() % 20); }},
    {"reversed, in pairs of equals", [](std::int64_t i, std::int64_t n, random_source&) { return (n - i) / 2; }},
    {"last one out of order",
     [](std::int64_t i, std::int64_t n, random_source&) { return i == n - 1 ? std::int64_t{-1} : i; }},
};

template <class T>
std::vector<T> made_of(const pattern& p, std::size_t n) {
    random_source random(n);
    std::vector<T> all;
    for (std::size_t i = 0; i < n; ++i)
        all.push_back(static_cast<T>(p.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(n), random)));
    return all;
}

TEST(Sort, SortsEveryPatternOfEveryLength) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            for (const pattern& p : patterns)
                for (const std::size_t n :
                     {0UL, 1UL, 2UL, 3UL, 31UL, 32UL, 33UL, 34UL, 100UL, 513UL, 5'000UL, times(200'000)}) {
                    SCOPED_TRACE(p.name);
                    const auto original = made_of<double>(p, n);
                    auto v = original, expected = original;
                    std::sort(expected.begin(), expected.end());
                    rt.run([&] { sort(v.begin(), v.end(), std::less<>{}); });
                    ASSERT_EQ(v, expected) << n;
                    v = original;
                    std::reverse(expected.begin(), expected.end());
                    rt.run([&] { sort(v.begin(), v.end(), std::greater<>{}); });
                    ASSERT_EQ(v, expected) << n;
                }
        });
    });
}

// So long that the first partitions are made by several workers.
TEST(Sort, LongRangesToo) {
    for (const unsigned n : {2U, 8U}) {
        parley::runtime rt{{.workers = n}};
        with_each_sort([&](auto sort) {
            for (const int pattern : {0, 4, 5}) {
                auto v = made_of<std::int64_t>(patterns[pattern], 150'000);
                auto expected = v;
                std::sort(expected.begin(), expected.end());
                rt.run([&] { sort(v.begin(), v.end(), std::less<>{}); });
                ASSERT_EQ(v, expected) << patterns[pattern].name;
            }
        });
    }
}

TEST(Sort, OfStringsAndInSegments) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            for (const pattern& p : patterns) {
                SCOPED_TRACE(p.name);
                std::deque<std::string> v;
                for (const std::int64_t i : made_of<std::int64_t>(p, 3'000)) v.push_back(std::to_string(i));
                auto expected = v;
                std::sort(expected.begin(), expected.end());
                rt.run([&] { sort(v.begin(), v.end(), std::less<>{}); });
                ASSERT_EQ(v, expected);
            }
        });
    });
}

// Moved only, and made from nothing by nobody.
class card {
public:
    explicit card(int n) : number_(std::make_unique<int>(n)) {}
    [[nodiscard]] int number() const { return *number_; }
    [[nodiscard]] bool empty() const { return number_ == nullptr; }

private:
    std::unique_ptr<int> number_;
};

std::vector<card> some_cards(std::size_t n) {
    std::vector<card> cards;
    random_source random(n);
    for (std::size_t i = 0; i < n; ++i) cards.emplace_back(static_cast<int>(random() % (n + 1)));
    return cards;
}

TEST(Sort, OfElementsThatAreMovedOnly) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            for (const std::size_t n : {2UL, 30UL, 5'000UL}) {
                auto cards = some_cards(n);
                std::vector<int> expected;
                for (const card& c : cards) expected.push_back(c.number());
                std::sort(expected.begin(), expected.end());
                rt.run([&] {
                    sort(cards.begin(), cards.end(), [](const card& a, const card& b) { return a.number() < b.number(); });
                });
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(cards[i].number(), expected[i]);
            }
        });
    });
}

template <class T, class Number>
void check_that_none_is_lost(parley::runtime& rt, auto sort, std::vector<T> (*make)(std::size_t), Number number) {
    for (const std::size_t n : {30UL, 3'000UL, times(150'000)})
        for (const double part : {0.0, 0.3, 1.0, 5.0, 10.0}) {
            std::vector<T> v = make(n);
            std::vector<int> expected;
            for (const T& e : v) expected.push_back(number(e));
            std::atomic<std::int64_t> left{static_cast<std::int64_t>(part * static_cast<double>(n))};
            try {
                rt.run([&] {
                    sort(v.begin(), v.end(), [&](const T& a, const T& b) {
                        if (--left < 0) throw boom{};
                        return number(a) < number(b);
                    });
                });
            } catch (const boom&) {}
            std::vector<int> found;
            for (const T& e : v) found.push_back(number(e));
            std::sort(found.begin(), found.end());
            std::sort(expected.begin(), expected.end());
            ASSERT_EQ(found, expected) << n << " elements, exception after " << part << " n calls";
        }
}

TEST(Sort, ExceptionsOfTheComparisonArriveAndLoseNoElement) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            EXPECT_THROW(rt.run([&] {
                auto v = made_of<int>(patterns[0], 1'000);
                sort(v.begin(), v.end(), [](int, int) -> bool { throw boom{}; });
            }),
                         boom);
            check_that_none_is_lost<int>(
                rt, sort, [](std::size_t n) { return made_of<int>(patterns[0], n); }, [](int i) { return i; });
            check_that_none_is_lost<card>(rt, sort, &some_cards, [](const card& c) { return c.empty() ? -1 : c.number(); });
        });
    });
}

TEST(Sort, CancellationLosesNoElement) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            auto cards = some_cards(5'000);
            std::vector<int> expected, found;
            for (const card& c : cards) expected.push_back(c.number());
            std::atomic<int> left{20'000};
            EXPECT_THROW(rt.run([&] {
                for (;;)
                    sort(cards.begin(), cards.end(), [&](const card& a, const card& b) {
                        if (--left == 0) rt.cancel();
                        return (a.number() ^ 0x55) < (b.number() ^ 0x55);
                    });
            }),
                         parley::cancelled);
            for (const card& c : cards) ASSERT_FALSE(c.empty());
            for (const card& c : cards) found.push_back(c.number());
            std::sort(found.begin(), found.end());
            std::sort(expected.begin(), expected.end());
            EXPECT_EQ(found, expected);
        });
    });
}

template <class T>
void check_that_equals_keep_their_order(parley::runtime& rt) {
    for (const std::size_t n : {2UL, 30UL, 100UL, 5'000UL, times(100'000)})
        for (const unsigned kinds : {1U, 3U, 1'000U}) {
            random_source random(n);
            std::vector<T> v;
            for (std::size_t i = 0; i < n; ++i)
                v.push_back({static_cast<std::uint32_t>(random() % kinds), static_cast<std::uint32_t>(i)});
            rt.run([&] { parley::stable_sort(v.begin(), v.end(), [](const T& a, const T& b) { return a.key < b.key; }); });
            for (std::size_t i = 1; i < n; ++i) {
                ASSERT_LE(v[i - 1].key, v[i].key);
                ASSERT_TRUE(v[i - 1].key < v[i].key || v[i - 1].number < v[i].number) << n;
            }
        }
}

struct small_record {
    std::uint32_t key, number;
};
struct large_record {
    std::uint32_t key, number;
    std::vector<int> more = std::vector<int>(3);  // moving it is no copying of bytes
};
// Its moves are copies, which may throw.
struct copied_record {
    copied_record(std::uint32_t k, std::uint32_t n) : key(k), number(n) {}
    copied_record(const copied_record& other) noexcept(false) : key(other.key), number(other.number) {}
    copied_record& operator=(const copied_record& other) noexcept(false) {
        key = other.key;
        number = other.number;
        return *this;
    }
    std::uint32_t key, number;
};

TEST(StableSort, EqualElementsKeepTheirOrder) {
    with_each_size([](parley::runtime& rt) {
        check_that_equals_keep_their_order<small_record>(rt);
        check_that_equals_keep_their_order<large_record>(rt);
        check_that_equals_keep_their_order<copied_record>(rt);
    });
}

TEST(StableSort, LeavesNothingBehindInItsBuffer) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::shared_ptr<int>> v;
        for (int i = 0; i < 3'000; ++i) v.push_back(std::make_shared<int>(i * 7 % 3'001));
        const auto less = [](const auto& a, const auto& b) { return *a < *b; };
        rt.run([&] { parley::stable_sort(v.begin(), v.end(), less); });
        EXPECT_TRUE(std::is_sorted(v.begin(), v.end(), less));
        for (const auto& p : v) ASSERT_EQ(p.use_count(), 1);
    });
}

// A comparison that answers at random is no order; whatever comes of it, it ends, inside the range.
TEST(Sort, EndsWithoutAnOrder) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            auto v = made_of<std::uint64_t>(patterns[0], 20'000);
            auto expected = v;
            std::sort(expected.begin(), expected.end());
            std::atomic<std::uint64_t> state{1};
            rt.run([&] {
                sort(v.begin(), v.end(), [&](std::uint64_t a, std::uint64_t b) {
                    return ((a * b) ^ (state += 0x9e3779b97f4a7c15U)) >> 63 != 0;
                });
            });
            std::sort(v.begin(), v.end());
            EXPECT_EQ(v, expected);
        });
    });
}

// Numbers with NaNs among them have no order either.
TEST(Sort, LosesNoNumberForNaNs) {
    with_each_size([](parley::runtime& rt) {
        with_each_sort([&](auto sort) {
            for (const std::size_t n : {5UL, 32UL, 1'000UL, 20'000UL}) {
                auto v = made_of<double>(patterns[0], n);
                for (std::size_t i = 0; i < n; i += 3) v[i] = std::numeric_limits<double>::quiet_NaN();
                const auto sum_of_numbers = [&] {
                    return std::accumulate(v.begin(), v.end(), 0.0L,
                                           [](long double sum, double x) { return std::isnan(x) ? sum : sum + x; });
                };
                const auto nans = [&] { return std::count_if(v.begin(), v.end(), [](double x) { return std::isnan(x); }); };
                const auto expected = sum_of_numbers();
                const auto expected_nans = nans();
                rt.run([&] { sort(v.begin(), v.end(), std::less<>{}); });
                EXPECT_NEAR(static_cast<double>(sum_of_numbers() / expected), 1.0, 1e-12);
                EXPECT_EQ(nans(), expected_nans);
            }
        });
    });
}

// Of every size, since those that are moved about without branches go other ways.
template <class T>
void check_elements_of(parley::runtime& rt) {
    with_each_sort([&](auto sort) {
        for (std::size_t n = 0; n < 70; ++n) {
            auto v = made_of<T>(patterns[n % 5], n);
            auto expected = v;
            std::sort(expected.begin(), expected.end());
            rt.run([&] { sort(v.begin(), v.end(), std::less<>{}); });
            ASSERT_EQ(v, expected) << n << " of " << sizeof(T);
        }
    });
}

TEST(Sort, ElementsOfEverySize) {
    parley::runtime rt{{.workers = 2}};
    check_elements_of<signed char>(rt);
    check_elements_of<short>(rt);
    check_elements_of<int>(rt);
    check_elements_of<float>(rt);
    check_elements_of<std::uint64_t>(rt);
    check_elements_of<long double>(rt);
}

TEST(Sort, InsideTasksAndOutsideAnyRuntime) {
    with_each_sort([](auto sort) {
        auto v = made_of<int>(patterns[0], 10'000);
        sort(v.begin(), v.end(), std::less<>{});
        EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
        with_each_size([&](parley::runtime& rt) {
            std::vector<std::vector<int>> rows(20, made_of<int>(patterns[0], 2'000));
            rt.run([&] {
                parley::for_each(rows.begin(), rows.end(), [&](auto& row) { sort(row.begin(), row.end(), std::less<>{}); });
            });
            for (const auto& row : rows) ASSERT_TRUE(std::is_sorted(row.begin(), row.end()));
        });
    });
}

// The worst that a comparison can do to quicksort (M. D. McIlroy, "A Killer Adversary for Quicksort", 1999):
// values are decided on when they are compared.
TEST(Sort, ComparesOftenEnoughButNotQuadratically) {
    parley::runtime one{{.workers = 1}};
    with_each_sort([&](auto sort) {
        constexpr std::size_t n = 20'000;
        const int gas = static_cast<int>(n);
        std::vector<int> values(n, gas), order(n);
        std::iota(order.begin(), order.end(), 0);
        int solid = 0, candidate = 0;
        std::size_t calls = 0;
        one.run([&] {
            sort(order.begin(), order.end(), [&](int x, int y) {
                ++calls;
                int& a = values[static_cast<std::size_t>(x)];
                int& b = values[static_cast<std::size_t>(y)];
                if (a == gas && b == gas) (x == candidate ? a : b) = solid++;
                if (a == gas) candidate = x;
                else if (b == gas) candidate = y;
                return a < b;
            });
        });
        EXPECT_LT(calls, 100 * n);
    });
}

}  // namespace
