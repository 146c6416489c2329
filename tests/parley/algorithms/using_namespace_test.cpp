// Calls by their plain names, after using namespace parley: arguments of std bring the standard's algorithms in, too.
#include "tests/parley/api/support.hpp"

#include <parley/farm.hpp>

#include <algorithm>
#include <future>
#include <numeric>
#include <string>

namespace {

using api_test::with_each_size;

// Those of std's names that are function templates here: with both namespaces in use, ours take the call.
#define PARLEY_CALL_FUNCTIONS(v, w)                                                                                       \
    sort(v.begin(), v.end());                                                                                             \
    sort(v.begin(), v.end(), std::greater<>{});                                                                           \
    stable_sort(v.begin(), v.end());                                                                                      \
    stable_sort(v.begin(), v.end(), std::greater<>{});                                                                    \
    EXPECT_EQ(reduce(v.begin(), v.end()), 6);                                                                             \
    EXPECT_EQ(reduce(v.begin(), v.end(), 1), 7);                                                                          \
    EXPECT_EQ(reduce(v.begin(), v.end(), 1, std::plus<>{}), 7);                                                           \
    EXPECT_EQ(find(v.begin(), v.end(), 3), v.begin());                                                                    \
    EXPECT_EQ(find_if(v.begin(), v.end(), [](int i) { return i == 2; }), v.begin() + 1);                                  \
    EXPECT_EQ(min_element(v.begin(), v.end()), v.end() - 1);                                                              \
    EXPECT_EQ(max_element(v.begin(), v.end(), std::less<>{}), v.begin());                                                 \
    EXPECT_EQ(minmax_element(v.begin(), v.end()).first, v.end() - 1);                                                     \
    inclusive_scan(v.begin(), v.end(), w.begin());                                                                        \
    inclusive_scan(v.begin(), v.end(), w.begin(), std::plus<>{});                                                         \
    inclusive_scan(v.begin(), v.end(), w.begin(), std::plus<>{}, 1);                                                      \
    exclusive_scan(v.begin(), v.end(), w.begin(), 1);                                                                     \
    exclusive_scan(v.begin(), v.end(), w.begin(), 1, std::plus<>{});                                                      \
    EXPECT_EQ(w, (std::vector<int>{1, 4, 6}));                                                                            \
    sort(v);                                                                                                              \
    stable_sort(v, std::greater<>{});                                                                                     \
    EXPECT_EQ(reduce(v), 6);                                                                                              \
    EXPECT_EQ(reduce(v, 1), 7);                                                                                           \
    EXPECT_EQ(reduce(v, 1, std::plus<>{}), 7);                                                                            \
    EXPECT_EQ(reduce(v, 1, std::plus<>{}, std::identity{}), 7);                                                           \
    EXPECT_EQ(reduce_deterministic(v, 1), 7);                                                                             \
    EXPECT_EQ(reduce_into(v, [] { return 0; }, [](int& s, int i) { s += i; }, [](int& s, int o) { s += o; }), 6);         \
    EXPECT_EQ(find(v, 3), v.begin());                                                                                     \
    EXPECT_EQ(find_if(v, [](int i) { return i == 2; }), v.begin() + 1);                                                   \
    EXPECT_EQ(min_element(v), v.end() - 1);                                                                               \
    EXPECT_EQ(max_element(v, std::less<>{}), v.begin());                                                                  \
    EXPECT_EQ(minmax_element(v).first, v.end() - 1);                                                                      \
    inclusive_scan(v, w.begin());                                                                                         \
    inclusive_scan(v, w.begin(), std::plus<>{});                                                                          \
    inclusive_scan(v, w.begin(), std::plus<>{}, 1);                                                                       \
    exclusive_scan(v, w.begin(), 1);                                                                                      \
    exclusive_scan(v, w.begin(), 1, std::plus<>{});                                                                       \
    EXPECT_EQ(w, (std::vector<int>{1, 4, 6}));                                                                            \
    static_assert(                                                                                                        \
        std::is_same_v<parley::future<std::string>, decltype(async([](std::string s) { return s; }, std::string("x")))>); \
    EXPECT_EQ(async([](std::string s) { return s; }, std::string("x")).get(), "x")

// More of them. What comes back is counted on, so that no call is left out.
#define PARLEY_CALL_MORE_FUNCTIONS(v, w)                                                                           \
    EXPECT_EQ(count(v.begin(), v.end(), 3) + count(v, 3), 2);                                                      \
    EXPECT_EQ(count_if(v.begin(), v.end(), odd_number) + count_if(v, odd_number), 4);                              \
    EXPECT_TRUE(any_of(v.begin(), v.end(), odd_number) && any_of(v, odd_number));                                  \
    EXPECT_FALSE(all_of(v.begin(), v.end(), odd_number) || all_of(v, odd_number));                                 \
    EXPECT_FALSE(none_of(v.begin(), v.end(), odd_number) || none_of(v, odd_number));                               \
    EXPECT_EQ(adjacent_find(v.begin(), v.end()), adjacent_find(v));                                                \
    EXPECT_EQ(adjacent_find(v.begin(), v.end(), std::less<>{}), adjacent_find(v, std::less<>{}));                  \
    EXPECT_EQ(is_sorted_until(v.begin(), v.end()), is_sorted_until(v));                                            \
    EXPECT_EQ(is_sorted_until(v.begin(), v.end(), std::less<>{}), is_sorted_until(v, std::less<>{}));              \
    EXPECT_EQ(is_sorted(v.begin(), v.end()), is_sorted(v));                                                        \
    EXPECT_EQ(is_sorted(v.begin(), v.end(), std::less<>{}), is_sorted(v, std::less<>{}));                          \
    EXPECT_EQ(histogram(v.begin(), v.end(), 4, std::identity{}), histogram(v, 4, std::identity{}));                \
    EXPECT_EQ(copy_if(v.begin(), v.end(), w.begin(), odd_number), copy_if(v, w.begin(), odd_number));              \
    fill(w.begin(), w.end(), 7);                                                                                   \
    fill(w, 7);                                                                                                    \
    generate(w.begin(), w.end(), [] { return 5; });                                                                \
    generate(w, [] { return 5; });                                                                                 \
    iota(w.begin(), w.end(), 1);                                                                                   \
    iota(w, 1);                                                                                                    \
    reverse(w.begin(), w.end());                                                                                   \
    reverse(w);                                                                                                    \
    EXPECT_EQ(rotate(w.begin(), w.begin() + 1, w.end()), rotate(w, w.begin() + 1));                                \
    nth_element(w.begin(), w.begin() + 1, w.end());                                                                \
    nth_element(w.begin(), w.begin() + 1, w.end(), std::less<>{});                                                 \
    nth_element(w, w.begin() + 1);                                                                                 \
    nth_element(w, w.begin() + 1, std::less<>{});                                                                  \
    partial_sort(w.begin(), w.begin() + 1, w.end());                                                               \
    partial_sort(w.begin(), w.begin() + 1, w.end(), std::less<>{});                                                \
    partial_sort(w, w.begin() + 1);                                                                                \
    partial_sort(w, w.begin() + 3, std::less<>{});                                                                 \
    inplace_merge(w.begin(), w.begin() + 1, w.end());                                                              \
    inplace_merge(w.begin(), w.begin() + 1, w.end(), std::less<>{});                                               \
    inplace_merge(w, w.begin() + 1);                                                                               \
    inplace_merge(w, w.begin() + 1, std::less<>{});                                                                \
    EXPECT_EQ(w, (std::vector<int>{1, 2, 3}));                                                                     \
    EXPECT_TRUE(includes(w.begin(), w.end(), w.begin(), w.end()) && includes(w, w));                               \
    EXPECT_TRUE(includes(w.begin(), w.end(), w.begin(), w.end(), std::less<>{}) && includes(w, w, std::less<>{})); \
    std::vector<int> out(6);                                                                                       \
    PARLEY_PUT_TOGETHER(merge, w, out, 6);                                                                         \
    PARLEY_PUT_TOGETHER(set_union, w, out, 3);                                                                     \
    PARLEY_PUT_TOGETHER(set_intersection, w, out, 3);                                                              \
    PARLEY_PUT_TOGETHER(set_difference, w, out, 0);                                                                \
    PARLEY_PUT_TOGETHER(set_symmetric_difference, w, out, 0);                                                      \
    EXPECT_EQ(unique(w.begin(), w.end()), unique(w));                                                              \
    EXPECT_EQ(unique(w.begin(), w.end(), std::equal_to<>{}), unique(w, std::equal_to<>{}));                        \
    EXPECT_EQ(partition(w.begin(), w.end(), odd_number), partition(w, odd_number));                                \
    EXPECT_EQ(stable_partition(w.begin(), w.end(), odd_number), stable_partition(w, odd_number));                  \
    EXPECT_EQ(remove_if(w.begin(), w.end(), odd_number), w.begin() + 1);                                           \
    w = {1, 2, 3};                                                                                                 \
    EXPECT_EQ(remove_if(w, odd_number), w.begin() + 1)

#define PARLEY_PUT_TOGETHER(name, w, out, n)                                                              \
    EXPECT_EQ(name(w.begin(), w.end(), w.begin(), w.end(), out.begin()), out.begin() + n);                \
    EXPECT_EQ(name(w.begin(), w.end(), w.begin(), w.end(), out.begin(), std::less<>{}), out.begin() + n); \
    EXPECT_EQ(name(w, w, out.begin()), out.begin() + n);                                                  \
    EXPECT_EQ(name(w, w, out.begin(), std::less<>{}), out.begin() + n)

bool odd_number(int i) { return i % 2 == 1; }

// Both ranges have one type, as two iterators of std::equal() have.
TEST(UsingNamespace, EqualAndMismatchTakeTwoRangesAndARelation) {
    using namespace parley;
    const std::vector<int> v{1, 3, 2}, w{1, 3, 4};
    EXPECT_FALSE(equal(v, w) || equal(v, w, std::equal_to<>{}));
    EXPECT_TRUE(equal(v.begin(), v.end(), w.begin(), w.end(), std::less_equal<>{}) && equal(v, w, std::less_equal<>{}));
    EXPECT_FALSE(equal(v.begin(), v.end(), w.begin(), w.end()));
    EXPECT_EQ(mismatch(v, w), mismatch(v, w, std::equal_to<>{}));
    EXPECT_EQ(mismatch(v.begin(), v.end(), w.begin(), w.end()),
              mismatch(v.begin(), v.end(), w.begin(), w.end(), std::equal_to<>{}));
    EXPECT_EQ(mismatch(v, w).first, v.begin() + 2);
}

TEST(UsingNamespace, CallsByPlainNamesAreOurs) {
    using namespace parley;
    std::vector<int> v{1, 3, 2}, w(3);
    PARLEY_CALL_FUNCTIONS(v, w);
    PARLEY_CALL_MORE_FUNCTIONS(v, w);
    w = {1, 4, 6};
    for_each(v.begin(), v.end(), [](int& i) { ++i; });
    transform(v.begin(), v.end(), w.begin(), [](int i) { return 2 * i; });
    transform(v.begin(), v.end(), w.begin(), w.begin(), std::plus<>{});
    EXPECT_EQ(w, (std::vector<int>{12, 9, 6}));
    for_each(v, [](int& i) { ++i; });
    transform(v, w.begin(), [](int i) { return 2 * i; });
    transform(v, w, w.begin(), std::plus<>{});
    EXPECT_EQ(w, (std::vector<int>{15, 12, 9}));
    std::vector<int> doubled(3);
    (source(v) | farm([](int i) { return 2 * i; }) | sink(doubled.begin())).run();
    EXPECT_EQ(doubled, (std::vector<int>{10, 8, 6}));
}

TEST(UsingNamespace, BesideUsingNamespaceStdToo) {
    using namespace std;
    using namespace parley;
    std::vector<int> v{1, 3, 2}, w(3);
    PARLEY_CALL_FUNCTIONS(v, w);
    PARLEY_CALL_MORE_FUNCTIONS(v, w);
}

}  // namespace
