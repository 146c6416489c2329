// Algorithms that only read, or write each element where it is.
#include "tests/parley/std_execution/cases.hpp"

#include <gtest/gtest.h>

namespace std_execution_test {

namespace {

bool is_large(int x) { return x > 5; }

TEST(StdExecution, LoopsHaveTheSerialResults) {
    expect_equal_results({
        case_of("for_each",
                [](ints v, const auto&... how) {
                    std::for_each(how..., v.begin(), v.end(), [](int& x) { x = 2 * x + 1; });
                    return v;
                }),
        case_of("for_each_n",
                [](ints v, const auto&... how) {
                    std::for_each_n(how..., v.begin(), v.size() / 2, [](int& x) { ++x; });
                    return v;
                }),
        case_of("transform",
                [](ints v, const auto&... how) {
                    ints out(v.size());
                    std::transform(how..., v.begin(), v.end(), out.begin(), [](int x) { return 3 * x; });
                    return out;
                }),
        case_of("transform of two",
                [](ints v, const auto&... how) {
                    ints out(v.size());
                    std::transform(how..., v.begin(), v.end(), v.rbegin(), out.begin(), [](int x, int y) { return x - y; });
                    return out;
                }),
        case_of("fill",
                [](ints v, const auto&... how) {
                    std::fill(how..., v.begin(), v.end(), 4);
                    std::fill_n(how..., v.begin(), v.size() / 2, 5);
                    return v;
                }),
        case_of("generate",
                [](ints v, const auto&... how) {
                    std::generate(how..., v.begin(), v.end(), [] { return 8; });
                    std::generate_n(how..., v.begin(), v.size() / 2, [] { return 9; });
                    return v;
                }),
        case_of("replace",
                [](ints v, const auto&... how) {
                    std::replace_if(how..., v.begin(), v.end(), is_large, 1);
                    std::replace(how..., v.begin(), v.end(), 3, 2);
                    return v;
                }),
        case_of("swap_ranges",
                [](ints v, const auto&... how) {
                    const auto middle = v.begin() + number_of(std::ssize(v) / 2);
                    std::swap_ranges(how..., v.begin(), middle, middle);
                    return v;
                }),
        case_of("reverse",
                [](ints v, const auto&... how) {
                    std::reverse(how..., v.begin(), v.end());
                    return v;
                }),
    });
}

TEST(StdExecution, SearchesHaveTheSerialResults) {
    expect_equal_results({
        case_of("any_of, all_of, none_of",
                [](ints v, const auto&... how) {
                    return ints{std::any_of(how..., v.begin(), v.end(), is_large),
                                std::all_of(how..., v.begin(), v.end(), is_large),
                                std::none_of(how..., v.begin(), v.end(), is_large)};
                }),
        case_of("find, find_if, find_if_not",
                [](ints v, const auto&... how) {
                    return ints{number_of(std::find(how..., v.begin(), v.end(), 3) - v.begin()),
                                number_of(std::find_if(how..., v.begin(), v.end(), is_large) - v.begin()),
                                number_of(std::find_if_not(how..., v.begin(), v.end(), is_large) - v.begin())};
                }),
        case_of("find_end, search, search_n",
                [](ints v, const auto&... how) {
                    const ints what = {2, 1};
                    return ints{number_of(std::find_end(how..., v.begin(), v.end(), what.begin(), what.end()) - v.begin()),
                                number_of(std::search(how..., v.begin(), v.end(), what.begin(), what.end()) - v.begin()),
                                number_of(std::search_n(how..., v.begin(), v.end(), 2, 3) - v.begin())};
                }),
        case_of("find_first_of, adjacent_find",
                [](ints v, const auto&... how) {
                    const ints what = {11, 12, 13};
                    return ints{
                        number_of(std::find_first_of(how..., v.begin(), v.end(), what.begin(), what.end()) - v.begin()),
                        number_of(std::adjacent_find(how..., v.begin(), v.end()) - v.begin())};
                }),
        case_of("count, count_if",
                [](ints v, const auto&... how) {
                    return ints{number_of(std::count(how..., v.begin(), v.end(), 2)),
                                number_of(std::count_if(how..., v.begin(), v.end(), is_large))};
                }),
        case_of("mismatch, equal, lexicographical_compare",
                [](ints v, const auto&... how) {
                    ints other = v;
                    if (!other.empty()) ++other[other.size() - other.size() / 3 - 1];
                    return ints{
                        number_of(std::mismatch(how..., v.begin(), v.end(), other.begin(), other.end()).first - v.begin()),
                        std::equal(how..., v.begin(), v.end(), other.begin(), other.end()),
                        std::equal(how..., v.begin(), v.end(), v.begin()),
                        std::lexicographical_compare(how..., v.begin(), v.end(), other.begin(), other.end()),
                        std::lexicographical_compare(how..., other.begin(), other.end(), v.begin(), v.end())};
                }),
        case_of("min_element, max_element, minmax_element",
                [](ints v, const auto&... how) {
                    const auto both = std::minmax_element(how..., v.begin(), v.end());
                    return ints{number_of(std::min_element(how..., v.begin(), v.end()) - v.begin()),
                                number_of(std::max_element(how..., v.begin(), v.end()) - v.begin()),
                                number_of(both.first - v.begin()), number_of(both.second - v.begin())};
                }),
        case_of("is_sorted, is_partitioned, is_heap",
                [](ints v, const auto&... how) {
                    ints heap = v;
                    std::make_heap(heap.begin(), heap.end());
                    return ints{std::is_sorted(how..., v.begin(), v.end()),
                                number_of(std::is_sorted_until(how..., v.begin(), v.end()) - v.begin()),
                                std::is_partitioned(how..., v.begin(), v.end(), is_large),
                                std::is_partitioned(how..., v.begin(), v.end(), [](int x) { return x <= 5; }),
                                std::is_heap(how..., heap.begin(), heap.end()),
                                std::is_heap(how..., v.begin(), v.end()),
                                number_of(std::is_heap_until(how..., v.begin(), v.end()) - v.begin())};
                }),
    });
}

}  // namespace

}  // namespace std_execution_test
