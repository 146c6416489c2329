// Algorithms that move elements elsewhere.
#include "tests/parley/std_execution/cases.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <utility>

namespace std_execution_test {

namespace {

bool is_even(int x) { return x % 2 == 0; }

// `out` up to what was written.
ints up_to(ints& out, ints::iterator end) {
    out.erase(end, out.end());
    return out;
}

// The halves of v in order, each of them sorted.
ints with_sorted_halves(ints& v, ints::iterator middle) {
    std::sort(v.begin(), middle);
    std::sort(middle, v.end());
    v.push_back(number_of(middle - v.begin()));
    return v;
}

TEST(StdExecution, CopiesHaveTheSerialResults) {
    expect_equal_results({
        case_of("copy, copy_n, move",
                [](ints v, const auto&... how) {
                    ints out(3 * v.size());
                    auto end = std::copy(how..., v.begin(), v.end(), out.begin());
                    end = std::copy_n(how..., v.begin(), v.size() / 2, end);
                    return up_to(out, std::move(how..., v.begin(), v.end(), end));
                }),
        case_of("copy_if",
                [](ints v, const auto&... how) {
                    ints out(v.size());
                    return up_to(out, std::copy_if(how..., v.begin(), v.end(), out.begin(), is_even));
                }),
        case_of("remove_copy, remove_copy_if",
                [](ints v, const auto&... how) {
                    ints out(2 * v.size());
                    const auto end = std::remove_copy_if(how..., v.begin(), v.end(), out.begin(), is_even);
                    return up_to(out, std::remove_copy(how..., v.begin(), v.end(), end, 3));
                }),
        case_of("replace_copy, replace_copy_if",
                [](ints v, const auto&... how) {
                    ints out(2 * v.size());
                    const auto end = std::replace_copy_if(how..., v.begin(), v.end(), out.begin(), is_even, 7);
                    return up_to(out, std::replace_copy(how..., v.begin(), v.end(), end, 3, 9));
                }),
        case_of("unique_copy",
                [](ints v, const auto&... how) {
                    ints out(v.size());
                    return up_to(out, std::unique_copy(how..., v.begin(), v.end(), out.begin()));
                }),
        case_of("reverse_copy, rotate_copy",
                [](ints v, const auto&... how) {
                    ints out(2 * v.size());
                    const auto end = std::reverse_copy(how..., v.begin(), v.end(), out.begin());
                    return up_to(out, std::rotate_copy(how..., v.begin(), v.begin() + std::ssize(v) / 3, v.end(), end));
                }),
        case_of("partition_copy",
                [](ints v, const auto&... how) {
                    ints yes(v.size()), no(v.size());
                    const auto ends = std::partition_copy(how..., v.begin(), v.end(), yes.begin(), no.begin(), is_even);
                    ints out = up_to(yes, ends.first);
                    out.insert(out.end(), no.begin(), ends.second);
                    return out;
                }),
        case_of("remove, remove_if, unique",
                [](ints v, const auto&... how) {
                    v.erase(std::unique(how..., v.begin(), v.end()), v.end());
                    v.erase(std::remove(how..., v.begin(), v.end(), 3), v.end());
                    v.erase(std::remove_if(how..., v.begin(), v.end(), is_even), v.end());
                    return v;
                }),
        case_of("rotate",
                [](ints v, const auto&... how) {
                    for (const int part : {2, 3})
                        v.push_back(number_of(
                            std::rotate(how..., v.begin(), v.begin() + (part - 1) * std::ssize(v) / part, v.end()) -
                            v.begin()));
                    return v;
                }),
        case_of("partition",
                [](ints v, const auto&... how) {
                    return with_sorted_halves(v, std::partition(how..., v.begin(), v.end(), is_even));
                }),
        case_of("stable_partition",
                [](ints v, const auto&... how) {
                    v.push_back(number_of(std::stable_partition(how..., v.begin(), v.end(), is_even) - v.begin()));
                    return v;
                }),
    });
}

TEST(StdExecution, SortsHaveTheSerialResults) {
    expect_equal_results({
        case_of("sort",
                [](ints v, const auto&... how) {
                    std::sort(how..., v.begin(), v.end());
                    return v;
                }),
        case_of("stable_sort",
                [](ints v, const auto&... how) {
                    std::stable_sort(how..., v.begin(), v.end(), [](int x, int y) { return x / 10 > y / 10; });
                    return v;
                }),
        case_of("partial_sort",
                [](ints v, const auto&... how) {
                    for (const std::ptrdiff_t part : {1, 3, 100}) {
                        const auto middle = v.begin() + (part == 1 ? std::ssize(v) : std::ssize(v) / part);
                        std::partial_sort(how..., v.begin(), middle, v.end(), std::greater<>{});
                        std::sort(middle, v.end());
                    }
                    return v;
                }),
        case_of("partial_sort_copy",
                [](ints v, const auto&... how) {
                    ints shorter(v.size() / 3), longer(v.size() + 2, 1);
                    std::partial_sort_copy(how..., v.begin(), v.end(), shorter.begin(), shorter.end());
                    std::partial_sort_copy(how..., v.begin(), v.end(), longer.begin(), longer.end());
                    shorter.insert(shorter.end(), longer.begin(), longer.end());
                    return shorter;
                }),
        case_of("nth_element",
                [](ints v, const auto&... how) {
                    // libstdc++ needs n^2 steps where elements are in order or equal.
                    v.resize(std::min<std::size_t>(v.size(), 1000));
                    const auto nth = v.begin() + std::ssize(v) / 3;
                    std::nth_element(how..., v.begin(), nth, v.end());
                    return with_sorted_halves(v, nth);
                }),
    });
}

TEST(StdExecution, MergesAndSetOperationsHaveTheSerialResults) {
    static constexpr auto halves = [](ints& v) {
        const auto middle = v.begin() + std::ssize(v) * 2 / 5;
        std::sort(v.begin(), middle);
        std::sort(middle, v.end());
        return middle;
    };
    expect_equal_results({
        case_of("merge",
                [](ints v, const auto&... how) {
                    const auto middle = halves(v);
                    ints out(v.size());
                    return up_to(out, std::merge(how..., v.begin(), middle, middle, v.end(), out.begin()));
                }),
        case_of("inplace_merge",
                [](ints v, const auto&... how) {
                    std::inplace_merge(how..., v.begin(), halves(v), v.end());
                    return v;
                }),
        case_of("includes",
                [](ints v, const auto&... how) {
                    const auto middle = halves(v);
                    return ints{std::includes(how..., v.begin(), middle, middle, v.end()),
                                std::includes(how..., middle, v.end(), middle + (v.end() - middle) / 2, v.end())};
                }),
        case_of("set_union",
                [](ints v, const auto&... how) {
                    const auto middle = halves(v);
                    ints out(v.size());
                    return up_to(out, std::set_union(how..., v.begin(), middle, middle, v.end(), out.begin()));
                }),
        case_of("set_intersection",
                [](ints v, const auto&... how) {
                    const auto middle = halves(v);
                    ints out(v.size());
                    return up_to(out, std::set_intersection(how..., v.begin(), middle, middle, v.end(), out.begin()));
                }),
        case_of("set_difference",
                [](ints v, const auto&... how) {
                    const auto middle = halves(v);
                    ints out(v.size());
                    return up_to(out, std::set_difference(how..., v.begin(), middle, middle, v.end(), out.begin()));
                }),
        case_of("set_symmetric_difference",
                [](ints v, const auto&... how) {
                    const auto middle = halves(v);
                    ints out(v.size());
                    return up_to(out,
                                 std::set_symmetric_difference(how..., v.begin(), middle, middle, v.end(), out.begin()));
                }),
    });
}

}  // namespace

}  // namespace std_execution_test
