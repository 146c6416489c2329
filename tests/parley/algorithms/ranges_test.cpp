// Ranges in the place of two iterators: which, and what is returned.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace api_test;

// Every algorithm on `range`, whose elements are 3, 1, 2 and can be assigned to.
template <class R>
void use_every_algorithm_on(R&& range) {
    std::vector<int> out(3);
    const auto less = [](int a, int b) { return a < b; };
    const auto first = std::ranges::begin(range);
    EXPECT_EQ(parley::find(range, 1) - first, 1);
    EXPECT_EQ(parley::find(range, 7) - first, 3);
    EXPECT_EQ(parley::find_if(range, [](int i) { return i == 2; }) - first, 2);
    EXPECT_EQ(parley::min_element(range) - first, 1);
    EXPECT_EQ(parley::max_element(range, less) - first, 0);
    const auto [least, most] = parley::minmax_element(range);
    EXPECT_EQ(least - first, 1);
    EXPECT_EQ(most - first, 0);
    EXPECT_EQ(parley::reduce(range), 6);
    EXPECT_EQ(parley::reduce(range, 10L), 16L);
    EXPECT_EQ(parley::reduce(range, 10, std::multiplies<>{}), 60);
    EXPECT_EQ(parley::reduce(range, 10, std::plus<>{}, [](int i) { return i * i; }), 24);
    EXPECT_EQ(parley::reduce_deterministic(range, 1), 7);
    EXPECT_EQ(parley::reduce_deterministic(range, 1.0, std::plus<>{}, [](int i) { return i * 0.5; }), 4.0);
    EXPECT_EQ(parley::reduce_into(range, [] { return 0; }, [](int& s, int i) { s += i; }, [](int& s, int o) { s += o; }), 6);
    EXPECT_EQ(parley::inclusive_scan(range, out.begin()), out.end());
    EXPECT_EQ(out, (std::vector<int>{3, 4, 6}));
    parley::inclusive_scan(range, out.begin(), std::multiplies<>{});
    EXPECT_EQ(out, (std::vector<int>{3, 3, 6}));
    parley::inclusive_scan(range, out.begin(), std::plus<>{}, 1);
    EXPECT_EQ(out, (std::vector<int>{4, 5, 7}));
    parley::exclusive_scan(range, out.begin(), 1);
    EXPECT_EQ(out, (std::vector<int>{1, 4, 5}));
    parley::exclusive_scan(range, out.begin(), 1, std::multiplies<>{});
    EXPECT_EQ(out, (std::vector<int>{1, 3, 3}));
    EXPECT_EQ(parley::transform(range, out.begin(), [](int i) { return -i; }), out.end());
    EXPECT_EQ(out, (std::vector<int>{-3, -1, -2}));
    parley::transform(range, out, out.begin(), std::plus<>{});
    EXPECT_EQ(out, (std::vector<int>{0, 0, 0}));
    std::atomic<int> sum{0};
    parley::for_each(range, [&](int i) { sum += i; });
    EXPECT_EQ(sum, 6);
    parley::for_each(range, [](int& i) { ++i; });
    parley::sort(range);
    EXPECT_TRUE(std::ranges::equal(range, std::array{2, 3, 4}));
    parley::sort(range, std::greater<>{});
    EXPECT_TRUE(std::ranges::equal(range, std::array{4, 3, 2}));
    parley::stable_sort(range);
    parley::stable_sort(range, [](int a, int b) { return a % 2 < b % 2; });
    EXPECT_TRUE(std::ranges::equal(range, std::array{2, 4, 3}));
}

// Every algorithm that looks at `range`, whose elements are 3, 1, 2, or copies some.
template <class R>
void look_by_every_algorithm_at(R&& range) {
    const auto first = std::ranges::begin(range);
    const auto odd = [](int i) { return i % 2 == 1; };
    EXPECT_EQ(parley::count(range, 1), 1);
    EXPECT_EQ(parley::count_if(range, odd), 2);
    EXPECT_FALSE(parley::all_of(range, odd));
    EXPECT_TRUE(parley::any_of(range, odd));
    EXPECT_FALSE(parley::none_of(range, odd));
    EXPECT_EQ(parley::adjacent_find(range) - first, 3);
    EXPECT_EQ(parley::adjacent_find(range, std::less<>{}) - first, 1);
    EXPECT_EQ(parley::is_sorted_until(range) - first, 1);
    EXPECT_EQ(parley::is_sorted_until(range, std::greater<>{}) - first, 2);
    EXPECT_FALSE(parley::is_sorted(range));
    EXPECT_FALSE(parley::is_sorted(range, std::greater<>{}));
    const std::vector<long> other{3, 1, 5};
    const auto [here, there] = parley::mismatch(range, other);
    EXPECT_EQ(here - first, 2);
    EXPECT_EQ(*there, 5);
    EXPECT_EQ(parley::mismatch(range, range, std::less_equal<>{}).first - first, 3);
    EXPECT_FALSE(parley::equal(range, other));
    EXPECT_TRUE(parley::equal(range, range, std::equal_to<>{}));
    EXPECT_EQ(parley::histogram(range, 4, std::identity{}), (std::vector<std::uint64_t>{0, 1, 1, 1}));
    std::vector<int> out(3);
    EXPECT_EQ(parley::copy_if(range, out.begin(), odd) - out.begin(), 2);
    EXPECT_EQ(out, (std::vector<int>{3, 1, 0}));
}

// Every algorithm that changes a range of three elements, or needs a sorted one.
template <class R>
void change_by_every_algorithm(R&& range) {
    const auto first = std::ranges::begin(range);
    const auto is = [&](int a, int b, int c) { return std::ranges::equal(range, std::array{a, b, c}); };
    const auto odd = [](int i) { return i % 2 == 1; };
    parley::fill(range, 7);
    EXPECT_TRUE(is(7, 7, 7));
    parley::generate(range, [] { return 5; });
    EXPECT_TRUE(is(5, 5, 5));
    parley::iota(range, 1);
    EXPECT_TRUE(is(1, 2, 3));
    parley::reverse(range);
    EXPECT_TRUE(is(3, 2, 1));
    EXPECT_EQ(parley::rotate(range, first + 1) - first, 2);
    EXPECT_TRUE(is(2, 1, 3));
    EXPECT_EQ(parley::stable_partition(range, odd) - first, 2);
    EXPECT_TRUE(is(1, 3, 2));
    parley::inplace_merge(range, first + 2);
    EXPECT_TRUE(is(1, 2, 3));
    parley::inplace_merge(range, first + 1, std::greater<>{});
    EXPECT_TRUE(is(2, 3, 1));
    parley::nth_element(range, first + 1);
    EXPECT_EQ(first[1], 2);
    parley::nth_element(range, first, std::greater<>{});
    EXPECT_EQ(first[0], 3);
    parley::partial_sort(range, first + 2, std::greater<>{});
    EXPECT_TRUE(is(3, 2, 1));
    parley::partial_sort(range, first + 3);
    EXPECT_TRUE(is(1, 2, 3));
    EXPECT_EQ(parley::partition(range, odd) - first, 2);
    parley::iota(range, 1);

    const std::vector<long> other{2, 4};
    std::vector<long> out(6);
    const auto written = [&](auto end) { return std::vector<long>(out.begin(), end); };
    EXPECT_EQ(written(parley::merge(range, other, out.begin())), (std::vector<long>{1, 2, 2, 3, 4}));
    EXPECT_EQ(written(parley::merge(range, range, out.begin(), std::less<>{})), (std::vector<long>{1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(written(parley::set_union(range, other, out.begin())), (std::vector<long>{1, 2, 3, 4}));
    EXPECT_EQ(written(parley::set_intersection(range, other, out.begin())), (std::vector<long>{2}));
    EXPECT_EQ(written(parley::set_difference(range, other, out.begin())), (std::vector<long>{1, 3}));
    EXPECT_EQ(written(parley::set_symmetric_difference(range, other, out.begin())), (std::vector<long>{1, 3, 4}));
    EXPECT_FALSE(parley::includes(range, other));
    EXPECT_TRUE(parley::includes(range, range, std::less<>{}));

    EXPECT_EQ(parley::unique(range, [](int a, int b) { return a / 2 == b / 2; }) - first, 2);
    EXPECT_EQ(parley::unique(range) - first, first[1] == first[2] ? 2 : 3);
    parley::iota(range, 1);
    EXPECT_EQ(parley::remove_if(range, odd) - first, 1);
    EXPECT_EQ(first[0], 2);
}

TEST(Ranges, EveryAlgorithmTakesOne) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<int> v{3, 1, 2};
            use_every_algorithm_on(v);
            int array[] = {3, 1, 2};
            use_every_algorithm_on(array);
            std::deque<int> in_segments{3, 1, 2};
            use_every_algorithm_on(in_segments);
            v = {3, 1, 2};
            use_every_algorithm_on(std::span(v));
            v = {2, 1, 3};
            use_every_algorithm_on(v | std::views::reverse);
            v = {3, 1, 2, 9};
            use_every_algorithm_on(v | std::views::take(3));
            v = {3, 1, 2, 9};
            look_by_every_algorithm_at(v | std::views::take(3));
            look_by_every_algorithm_at(std::as_const(v) | std::views::take(3));
            const int const_array[] = {3, 1, 2};
            look_by_every_algorithm_at(const_array);
            look_by_every_algorithm_at(std::deque<int>{3, 1, 2});
            look_by_every_algorithm_at(const_array | std::views::transform([](int i) { return i; }));
            change_by_every_algorithm(v | std::views::take(3));
            change_by_every_algorithm(array);
            change_by_every_algorithm(in_segments);
            change_by_every_algorithm(std::span(v).first(3));
            EXPECT_EQ(v.back(), 9);
            const auto elements = std::views::iota(0L, 3L) | std::views::transform([&](long i) -> int& { return array[i]; });
            change_by_every_algorithm(elements);
            change_by_every_algorithm(elements | std::views::reverse);
        });
    });
}

// Their end is no iterator, or made up as the elements are.
TEST(Ranges, ViewsAndRangesWithSentinelsAreReadAsTheyAre) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            constexpr int n = 20'000;
            EXPECT_EQ(parley::reduce(std::views::iota(0, n), 0L), n / 2 * (n - 1L));
            EXPECT_EQ(parley::reduce(std::views::iota(0, long{n}), 0L), n / 2 * (n - 1L));
            const auto squares = std::views::iota(0L, long{n}) | std::views::transform([](long i) { return i * i; });
            EXPECT_EQ(*parley::find(squares, 10'000L), 10'000L);
            EXPECT_EQ(parley::count_if(squares, [](long i) { return i % 2 == 0; }), n / 2);
            EXPECT_TRUE(parley::is_sorted(squares));
            EXPECT_TRUE(parley::equal(squares, squares));
            std::vector<long> even(n / 2);
            EXPECT_EQ(parley::copy_if(squares, even.begin(), [](long i) { return i % 2 == 0; }), even.end());
            EXPECT_EQ(even[70], 140L * 140);
            std::vector<long> all(n);
            EXPECT_EQ(parley::set_union(squares, even, all.begin()), all.end());
            EXPECT_TRUE(parley::equal(all, squares));
            EXPECT_TRUE(parley::includes(squares, even));
            EXPECT_EQ(parley::merge(std::views::iota(0, n / 2), std::views::iota(n / 2, n), all.begin()), all.end());
            EXPECT_TRUE(parley::equal(all, std::views::iota(0, n)));
            std::vector<std::string> words(n);
            for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::to_string(i * 7 % words.size());
            const auto through_indices = std::views::iota(0L, long{n}) | std::views::transform([&](long i) -> std::string& {
                                             return words[std::size_t(i)];
                                         });
            parley::sort(through_indices);
            EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
            std::vector<int> v(n);
            parley::for_each(std::views::iota(0, n), [&](int i) { v[std::size_t(i)] = n - i; });
            EXPECT_EQ(parley::max_element(v), v.begin());
            const std::ranges::subrange counted(std::counted_iterator(v.begin(), n), std::default_sentinel);
            EXPECT_EQ(parley::reduce(counted, 0L), n / 2 * (n + 1L));
        });
    });
}

TEST(Ranges, TheShorterOneEndsATransformOfTwo) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const std::vector<int> five(5, 1), three(3, 2), none;
            std::vector<int> out(9, 7);
            EXPECT_EQ(parley::transform(five, three, out.begin(), std::plus<>{}) - out.begin(), 3);
            EXPECT_EQ(parley::transform(three, five, out.begin() + 3, std::minus<>{}) - out.begin(), 6);
            EXPECT_EQ(parley::transform(five, none, out.begin() + 6, std::plus<>{}) - out.begin(), 6);
            EXPECT_EQ(out, (std::vector<int>{3, 3, 3, 1, 1, 1, 7, 7, 7}));
        });
    });
}

// An iterator into a temporary that is gone would dangle.
TEST(Ranges, IteratorsIntoTemporariesAreDangling) {
    using std::ranges::dangling;
    const auto vector_of_three = [] { return std::vector<int>{3, 1, 2}; };
    static_assert(std::same_as<decltype(parley::find(vector_of_three(), 1)), dangling>);
    static_assert(std::same_as<decltype(parley::find_if(vector_of_three(), std::identity{})), dangling>);
    static_assert(std::same_as<decltype(parley::min_element(vector_of_three())), dangling>);
    static_assert(std::same_as<decltype(parley::max_element(vector_of_three())), dangling>);
    static_assert(std::same_as<decltype(parley::minmax_element(vector_of_three())), std::pair<dangling, dangling>>);
    static_assert(std::same_as<decltype(parley::adjacent_find(vector_of_three())), dangling>);
    static_assert(std::same_as<decltype(parley::is_sorted_until(vector_of_three())), dangling>);
    static_assert(std::same_as<decltype(parley::partition(vector_of_three(), std::identity{})), dangling>);
    static_assert(std::same_as<decltype(parley::stable_partition(vector_of_three(), std::identity{})), dangling>);
    static_assert(std::same_as<decltype(parley::remove_if(vector_of_three(), std::identity{})), dangling>);
    static_assert(std::same_as<decltype(parley::unique(vector_of_three())), dangling>);
    static_assert(std::same_as<decltype(parley::rotate(vector_of_three(), {})), dangling>);
    static_assert(std::same_as<decltype(parley::mismatch(vector_of_three(), std::span<int>())),
                               std::pair<dangling, std::span<int>::iterator>>);
    (void)parley::mismatch(vector_of_three(), vector_of_three());
    (void)parley::find(vector_of_three(), 1);
    (void)parley::minmax_element(vector_of_three());
    std::vector<int> v{3, 1, 2};
    EXPECT_EQ(*parley::find(std::span(v), 1), 1) << "a span's iterators outlive it";
    EXPECT_EQ(*parley::min_element(std::string_view("parley")), 'a');
    EXPECT_EQ(parley::reduce(vector_of_three()), 6) << "values do";
}

TEST(Ranges, ExceptionsArriveAndNothingIsCalledTwice) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::atomic<int>> calls(5'000);
        EXPECT_THROW(rt.run([&] {
            parley::for_each(calls, [&](std::atomic<int>& c) {
                if (++c, &c == &calls[3'000]) throw boom{};
            });
        }),
                     boom);
        for (const auto& c : calls) ASSERT_LE(c, 1);
    });
}

template <class R>
constexpr int taken_by_algorithms = int {
    requires(R r) { parley::sort(r); }  // namespace
}
+ int {
    requires(R r) { parley::stable_sort(r); }
}
+ int {
    requires(R r) { parley::find(r, 1); }
}
+ int {
    requires(R r) { parley::max_element(r); }
}
+ int {
    requires(R r) { parley::reduce(r); }
}
+ int {
    requires(R r) { parley::reduce_deterministic(r, 0); }
}
+ int {
    requires(R r, int* out) { parley::inclusive_scan(r, out); }
}
+ int {
    requires(R r, int* out) { parley::exclusive_scan(r, out, 0); }
}
+ int{requires(R r, int* out){parley::transform(r, out, std::identity{});
}  // namespace
}
;

TEST(Ranges, OfRandomAccessOnlyAndSortsOfWhatCanBeSorted) {
    static_assert(taken_by_algorithms<std::vector<int>&> == 9 && taken_by_algorithms<int(&)[3]> == 9);
    static_assert(taken_by_algorithms<const std::vector<int>&> == 7 && taken_by_algorithms<std::vector<bool>&> == 7);
    static_assert(taken_by_algorithms<std::list<int>&> == 0 && taken_by_algorithms<int*> == 0 &&
                  taken_by_algorithms<int> == 0);
    static_assert(taken_by_algorithms<std::vector<std::string>&> == 4);  // two sorts, the largest, and the sum
}

}  // namespace
