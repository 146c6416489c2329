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

TEST(UsingNamespace, CallsByPlainNamesAreOurs) {
    using namespace parley;
    std::vector<int> v{1, 3, 2}, w(3);
    PARLEY_CALL_FUNCTIONS(v, w);
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
}

}  // namespace
