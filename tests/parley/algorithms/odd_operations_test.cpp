// Proxies for elements, and comparisons, operations and predicates of every kind, as the standard's algorithms take them.
#include "tests/parley/algorithms/odd_types.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace api_test;

TEST(OddTypes, BitsAreReadThroughTheirProxies) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<bool> bits(5'000);
            for (std::size_t i = 0; i < bits.size(); i += 5) bits[i] = true;
            bits[0] = false;
            EXPECT_EQ(parley::find(bits.begin(), bits.end(), true) - bits.begin(), 5);
            EXPECT_EQ(parley::find_if(bits.begin(), bits.end(), [](bool b) { return b; }) - bits.begin(), 5);
            EXPECT_EQ(parley::max_element(bits.begin(), bits.end()) - bits.begin(), 5);
            EXPECT_EQ(parley::min_element(bits.cbegin(), bits.cend()) - bits.cbegin(), 0);
            EXPECT_EQ(parley::minmax_element(bits.begin(), bits.end()).second - bits.begin(), 4'995);
            EXPECT_EQ(parley::reduce(bits.begin(), bits.end(), 0), 999);
            EXPECT_EQ(parley::reduce_deterministic(bits.begin(), bits.end(), 0L), 999);
            std::vector<int> numbers(bits.size());
            parley::transform(bits.begin(), bits.end(), numbers.begin(), [](bool b) { return b ? 2 : 0; });
            EXPECT_EQ(numbers[5], 2);
            parley::inclusive_scan(bits.begin(), bits.end(), numbers.begin(), std::plus<>{}, 0);
            EXPECT_EQ(numbers.back(), 999);
            std::atomic<int> ones{0};
            parley::for_each(bits.begin(), bits.end(), [&](bool b) { ones += b ? 1 : 0; });
            EXPECT_EQ(ones, 999);
            EXPECT_EQ(parley::count(bits, true), 999);
            EXPECT_EQ(parley::count_if(bits.begin(), bits.end(), std::identity{}), 999);
            EXPECT_TRUE(parley::any_of(bits, std::identity{}) && !parley::all_of(bits, std::identity{}));
            EXPECT_EQ(parley::adjacent_find(bits, std::not_equal_to<>{}) - bits.begin(), 4);
            EXPECT_EQ(parley::is_sorted_until(bits) - bits.begin(), 6);
            EXPECT_TRUE(parley::equal(bits, bits));
            EXPECT_EQ(parley::histogram(bits, 2, [](bool b) { return b; }), (std::vector<std::uint64_t>{4'001, 999}));
            EXPECT_EQ(parley::histogram(bits, 50, [](bool b) { return b ? '1' : '0'; })['1'], 999U);
            EXPECT_EQ(parley::copy_if(bits, numbers.begin(), std::identity{}) - numbers.begin(), 999);
            EXPECT_EQ(numbers[998], 1);
            std::vector<bool> few(10), many(4'000);
            few[9] = true;
            many[3'999] = true;
            EXPECT_EQ(parley::merge(few, many, numbers.begin()) - numbers.begin(), 4'010);
            EXPECT_EQ(parley::count(numbers.begin(), numbers.begin() + 4'010, 1), 2);
            EXPECT_EQ(parley::set_union(few, many, numbers.begin()) - numbers.begin(), 4'000);
            EXPECT_TRUE(parley::includes(many, few));
            EXPECT_FALSE(parley::includes(few, many));
        });
    });
}

template <class It, class Out>
constexpr int written = int {
    requires(It i, Out o) { parley::transform(i, i, o, std::identity{}); }  // namespace
}
+ int {
    requires(It i, Out o) { parley::transform(i, i, i, o, std::plus<>{}); }
}
+ int {
    requires(It i, Out o) { parley::inclusive_scan(i, i, o); }
}
+ int {
    requires(It i, Out o) { parley::inclusive_scan(i, i, o, std::plus<>{}, *i); }
}
+ int{requires(It i, Out o){parley::exclusive_scan(i, i, o, 1);
}  // namespace
}
;
// Number of algorithms that write elements of It to Out.
template <class It, class Out>
constexpr int copied = int {
    requires(It i, Out o) { parley::copy_if(i, i, o, std::identity{}); }
}
+ int {
    requires(It i, Out o) { parley::merge(i, i, i, i, o); }
}
+ int {
    requires(It i, Out o) { parley::set_union(i, i, i, i, o); }
}
+ int {
    requires(It i, Out o) { parley::set_difference(i, i, i, i, o); }
}
+ int {
    requires(Out o) { parley::fill(o, o, 1); }
}
+ int {
    requires(Out o) {
        parley::generate(o, o, [] { return 1; });
    }
}
+ int{requires(Out o){parley::iota(o, o, 1);
}
}
;
// Number of algorithms that move the elements of It.
template <class It>
constexpr int moved = int {
    requires(It i) { parley::reverse(i, i); }
}
+ int {
    requires(It i) { parley::rotate(i, i, i); }
}
+ int {
    requires(It i) { parley::partition(i, i, std::identity{}); }
}
+ int {
    requires(It i) { parley::stable_partition(i, i, std::identity{}); }
}
+ int {
    requires(It i) { (void)parley::remove_if(i, i, std::identity{}); }
}
+ int {
    requires(It i) { (void)parley::unique(i, i); }
}
+ int {
    requires(It i) { parley::nth_element(i, i, i); }
}
+ int {
    requires(It i) { parley::partial_sort(i, i, i); }
}
+ int{requires(It i){parley::inplace_merge(i, i, i);
}
}
;

template <class It>
constexpr bool sorted = requires(It i) { parley::sort(i, i); } || requires(It i) { parley::stable_sort(i, i); };

// Bits that share a word are one memory location, and no two workers may write it.
TEST(OddTypes, BitsAreNotWrittenInParallelAndProxiesAreNotSorted) {
    static_assert(written<int*, int*> == 5 && written<int*, std::deque<int>::iterator> == 5);
    static_assert(written<int*, std::vector<bool>::iterator> == 0);
    static_assert(written<int*, const int*> == 0 && written<int*, int**> == 0);
    static_assert(copied<int*, int*> == 7 && copied<bool*, std::deque<int>::iterator> == 7);
    static_assert(copied<int*, std::vector<bool>::iterator> == 0);
    static_assert(copied<int*, const int*> == 0 && copied<int*, int**> == 0);
    static_assert(moved<int*> == 9 && moved<std::deque<int>::iterator> == 9);
    static_assert(moved<const int*> == 0 && moved<std::vector<bool>::iterator> == 0);
    static_assert(sorted<std::deque<int>::iterator> && !sorted<const int*> && !sorted<std::vector<bool>::iterator>);
}

TEST(OddTypes, ComparisonsMayTakeElementsByReferenceToWhatIsNotConst) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {2, 33, 5'000}) {
                const auto less = [](std::string& a, std::string& b) { return a < b; };
                const auto less_number = [](std::int64_t& a, std::int64_t& b) { return a < b; };
                std::vector<std::string> words;
                std::vector<std::int64_t> numbers;
                for (int i = 0; i < n; ++i) {
                    words.push_back(std::to_string(i * 7'919LL % n));
                    numbers.push_back(i * 7'919LL % n);
                }
                auto stable_words = words;
                auto stable_numbers = numbers;
                parley::sort(words.begin(), words.end(), less);
                parley::sort(numbers.begin(), numbers.end(), less_number);
                parley::stable_sort(stable_words.begin(), stable_words.end(), less);
                parley::stable_sort(stable_numbers.begin(), stable_numbers.end(), less_number);
                EXPECT_TRUE(std::is_sorted(words.begin(), words.end()) && words == stable_words);
                EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()) && numbers == stable_numbers);
                EXPECT_EQ(parley::max_element(words.begin(), words.end(), less), words.end() - 1);
                EXPECT_EQ(parley::minmax_element(words.begin(), words.end(), less).second, words.end() - 1);
                const auto is_last = [&](std::string& w) { return w == words.back(); };
                EXPECT_EQ(parley::find_if(words.begin(), words.end(), is_last), words.end() - 1);
                EXPECT_EQ(parley::count_if(words, is_last), 1);
                EXPECT_TRUE(parley::any_of(words, is_last) && !parley::all_of(words, is_last));
                EXPECT_TRUE(parley::is_sorted(words, less) && parley::is_sorted(numbers, less_number));
                std::vector<std::string> out(2 * words.size());
                EXPECT_EQ(parley::copy_if(words, out.begin(), is_last) - out.begin(), 1);
                EXPECT_EQ(parley::merge(words, words, out.begin(), less), out.end());
                EXPECT_EQ(parley::set_union(words, words, out.begin(), less) - out.begin(), n);
                EXPECT_TRUE(parley::includes(words, words, less));
                EXPECT_EQ(parley::unique(words, less) - words.begin(), 1) << "all are less than the first one before";
                parley::nth_element(numbers, numbers.begin() + n / 2, less_number);
                parley::nth_element(stable_words, stable_words.begin() + n / 2, less);
                EXPECT_EQ(numbers[static_cast<std::size_t>(n / 2)], n / 2);
                const auto is_even = [](std::int64_t& i) { return i % 2 == 0; };
                EXPECT_EQ(parley::partition(numbers, is_even) - numbers.begin(), (n + 1) / 2);
                EXPECT_EQ(parley::stable_partition(numbers, is_even) - numbers.begin(), (n + 1) / 2);
                EXPECT_EQ(parley::remove_if(numbers, is_even) - numbers.begin(), n / 2);
            }
        });
    });
}

// Given by std::ref, itself cannot be copied.
struct counting_order {
    counting_order() = default;
    counting_order(const counting_order&) = delete;
    template <class T>
    bool operator()(const T& a, const T& b) {
        ++calls;
        return a < b;
    }
    std::atomic<long> calls{0};
};

TEST(OddTypes, ComparisonsByStdRefAreTheOnesThatAreCalled) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {9, 5'000}) {
                counting_order order;
                auto numbers = shuffled<int>(n);
                auto words = shuffled<rude<std::string>>(n);
                const auto calls_of = [&](auto call) {
                    order.calls = 0;
                    call();
                    return order.calls.load();
                };
                EXPECT_GE(calls_of([&] { parley::sort(numbers.begin(), numbers.end(), std::ref(order)); }), n - 1);
                EXPECT_GE(calls_of([&] { parley::stable_sort(words.begin(), words.end(), std::ref(order)); }), n - 1);
                EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()) && std::is_sorted(words.begin(), words.end()));
                EXPECT_EQ(calls_of([&] { (void)parley::min_element(words.begin(), words.end(), std::ref(order)); }), n - 1);
                EXPECT_EQ(calls_of([&] { (void)parley::is_sorted(words, std::ref(order)); }), n - 1);
                EXPECT_EQ(calls_of([&] { (void)parley::unique(numbers, std::ref(order)); }), n - 1);
                EXPECT_GT(calls_of([&] { parley::nth_element(words, words.begin(), std::ref(order)); }), 0);
                std::vector<rude<std::string>> out(2 * words.size());
                EXPECT_GE(calls_of([&] { parley::merge(words, words, out.begin(), std::ref(order)); }), n);
                EXPECT_GE(calls_of([&] { parley::set_union(words, words, out.begin(), std::ref(order)); }), 2 * n);
            }
        });
    });
}

struct length {
    std::size_t of;
    bool is_even = false;
    [[nodiscard]] length plus(const length& other) const { return {of + other.of, false}; }
    [[nodiscard]] bool below(const length& other) const { return of < other.of; }
};
bool operator==(const std::string& word, const length& l) { return word.size() == l.of; }

TEST(OddTypes, MembersMayBeOperationsComparisonsAndPredicates) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<length> all(1'000);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = {(i + 500) % 1'000, i == 700};
            EXPECT_EQ(parley::reduce(all.begin(), all.end(), length{1}, &length::plus).of, 499'501U);
            EXPECT_EQ(parley::reduce_deterministic(all.begin(), all.end(), length{1}, &length::plus).of, 499'501U);
            EXPECT_EQ(parley::reduce(all.begin(), all.end(), std::size_t{1}, std::plus<>{}, &length::of), 499'501U);
            EXPECT_EQ(parley::find_if(all.begin(), all.end(), &length::is_even) - all.begin(), 700);
            EXPECT_EQ(parley::max_element(all.begin(), all.end(), &length::below) - all.begin(), 499);
            EXPECT_EQ(parley::count_if(all, &length::is_even), 1);
            EXPECT_FALSE(parley::all_of(all, &length::is_even) || parley::none_of(all, &length::is_even));
            EXPECT_EQ(parley::histogram(all, 1'000, &length::of), std::vector<std::uint64_t>(1'000, 1));
            EXPECT_EQ(parley::is_sorted_until(all, &length::below) - all.begin(), 500);
            EXPECT_EQ(parley::stable_partition(all, &length::is_even) - all.begin(), 1);
            parley::sort(all.begin(), all.end(), &length::below);
            EXPECT_EQ(all[700].of, 700U);
            std::vector<length> out(2'000);
            EXPECT_EQ(parley::merge(all, all, out.begin(), &length::below), out.end());
            EXPECT_EQ(parley::set_union(all, all, out.begin(), &length::below) - out.begin(), 1'000);
            EXPECT_EQ(parley::copy_if(all, out.begin(), &length::is_even) - out.begin(), 1);
            EXPECT_EQ(parley::partition(all, &length::is_even) - all.begin(), 1);
            EXPECT_EQ(parley::remove_if(all, &length::is_even) - all.begin(), 999);
        });
    });
}

// As const it compares one way only.
struct order_of_one_way {
    bool operator()(const int& a, const long& b) const { return a < b; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) {
        return a < b;
    }
};

TEST(OddTypes, ComparisonsNeedNotBeCallableAsConst) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<int> left(5'000);
            std::vector<long> right(5'000), out(10'000);
            std::iota(left.begin(), left.end(), 0);
            std::iota(right.begin(), right.end(), 2'500L);
            const auto length_by = [&](auto put_together) {
                return put_together(left, right, out.begin(), order_of_one_way{}) - out.begin();
            };
            EXPECT_EQ(length_by([](auto&&... a) { return parley::set_union(a...); }), 7'500);
            EXPECT_EQ(length_by([](auto&&... a) { return parley::set_intersection(a...); }), 2'500);
            EXPECT_EQ(length_by([](auto&&... a) { return parley::merge(a...); }), 10'000);
            EXPECT_FALSE(parley::includes(left, right, order_of_one_way{}));
            int calls = 0;
            const auto odd_calls = [&calls](int) mutable { return ++calls % 2 == 1; };
            EXPECT_EQ(parley::copy_if(left.begin(), left.begin() + 1, out.begin(), odd_calls) - out.begin(), 1);
        });
    });
}

template <class It, class T>
constexpr bool found = requires(It i, const T& value) { parley::find(i, i, value); };

// There is one operator==, from left to right, and no common type.
TEST(OddTypes, FindNeedsNothingButAnEquality) {
    const std::vector<std::string> words{"a", "bc", "def"};
    EXPECT_EQ(parley::find(words.begin(), words.end(), length{2}) - words.begin(), 1);
    EXPECT_EQ(parley::find(words.begin(), words.end(), "def") - words.begin(), 2);
    static_assert(found<std::string*, length> && !found<std::string*, plain_token>);
}

}  // namespace
