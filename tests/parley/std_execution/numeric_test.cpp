// Sums of all kinds, and memory without objects.
#include "tests/parley/std_execution/cases.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numeric>
#include <parley/runtime.hpp>

namespace std_execution_test {

namespace {

// As 32 bits that wrap around: the products of many elements would overflow.
unsigned wrapped(int x) { return static_cast<unsigned>(x); }
int as_int(unsigned x) { return static_cast<int>(x); }
int bits_of(const unsigned& x) { return static_cast<int>(x); }

// x -> a x + b, one after the other: associative, and not commutative.
struct affine {
    unsigned a = 1, b = 0;
};
affine then(affine first, affine second) { return {second.a * first.a, second.a * first.b + second.b}; }

TEST(StdExecution, ReductionsHaveTheSerialResults) {
    expect_equal_results({
        case_of("reduce",
                [](ints v, const auto&... how) {
                    const std::vector<unsigned> in(v.begin(), v.end());
                    return ints{as_int(std::reduce(how..., in.begin(), in.end())),
                                as_int(std::reduce(how..., in.begin(), in.end(), 17U)),
                                std::reduce(how..., v.begin(), v.end(), -5, [](int x, int y) { return std::max(x, y); })};
                }),
        case_of("transform_reduce",
                [](ints v, const auto&... how) {
                    return ints{as_int(std::transform_reduce(how..., v.begin(), v.end(), 1U, std::plus<>{}, wrapped)),
                                as_int(std::transform_reduce(how..., v.begin(), v.end(), v.rbegin(), 3U, std::plus<>{},
                                                             [](int x, int y) { return wrapped(x) * wrapped(y); }))};
                }),
        case_of("adjacent_difference",
                [](ints v, const auto&... how) {
                    if (v.empty()) return v;  // libstdc++ 12 reads the first element of none
                    ints out(v.size());
                    std::adjacent_difference(how..., v.begin(), v.end(), out.begin());
                    return out;
                }),
    });
}

TEST(StdExecution, ScansHaveTheSerialResults) {
    expect_equal_results({
        case_of("inclusive_scan",
                [](ints v, const auto&... how) {
                    const std::vector<unsigned> in(v.begin(), v.end());
                    std::vector<unsigned> out(3 * in.size());
                    auto end = std::inclusive_scan(how..., in.begin(), in.end(), out.begin());
                    const auto max = [](unsigned x, unsigned y) { return std::max(x, y); };
                    end = std::inclusive_scan(how..., in.begin(), in.end(), end, max);
                    std::inclusive_scan(how..., in.begin(), in.end(), end, max, 4U);
                    return ints(out.begin(), out.end());
                }),
        case_of("exclusive_scan",
                [](ints v, const auto&... how) {
                    const std::vector<unsigned> in(v.begin(), v.end());
                    std::vector<unsigned> out(2 * in.size());
                    const auto end = std::exclusive_scan(how..., in.begin(), in.end(), out.begin(), 5U);
                    std::exclusive_scan(how..., in.begin(), in.end(), end, 0U,
                                        [](unsigned x, unsigned y) { return std::max(x, y); });
                    return ints(out.begin(), out.end());
                }),
        case_of("transform_inclusive_scan, transform_exclusive_scan",
                [](ints v, const auto&... how) {
                    std::vector<affine> out(2 * v.size());
                    const auto map = [](int x) { return affine{wrapped(x) | 1, wrapped(x) / 2}; };
                    const auto end =
                        std::transform_inclusive_scan(how..., v.begin(), v.end(), out.begin(), then, map, affine{3, 1});
                    std::transform_exclusive_scan(how..., v.begin(), v.end(), end, affine{5, 2}, then, map);
                    ints all;
                    for (const affine& x : out) all.insert(all.end(), {bits_of(x.a), bits_of(x.b)});
                    return all;
                }),
        case_of("inclusive_scan of floating-point numbers",
                [](ints v, const auto&... how) {
                    std::vector<double> in(v.size()), out(v.size());
                    std::transform(v.begin(), v.end(), in.begin(), [](int x) { return x % 1000; });
                    std::inclusive_scan(how..., in.begin(), in.end(), out.begin());  // integers: sums are exact
                    return ints(out.begin(), out.end());
                }),
    });
}

TEST(StdExecution, MemoryIsFilledAndLeft) {
    static const auto memory_of = [](const ints& v) { return static_cast<int*>(operator new(v.size() * sizeof(int) + 1)); };
    static const auto end_of = [](int* memory, const ints& v) {
        const ints out(memory, memory + v.size());
        operator delete(memory);
        return out;
    };
    expect_equal_results({
        case_of("uninitialized_copy, _move",
                [](ints v, const auto&... how) {
                    int* const memory = memory_of(v);
                    const auto middle = v.begin() + std::ssize(v) / 3, later = middle + std::ssize(v) / 3;
                    int* next = std::uninitialized_copy(how..., v.begin(), middle, memory);
                    next = std::uninitialized_copy_n(how..., middle, v.size() / 3, next);
                    const auto left = later + (v.end() - later) / 2;
                    next = std::uninitialized_move(how..., later, left, next);
                    std::uninitialized_move_n(how..., left, v.end() - left, next);
                    std::destroy(how..., memory, memory + v.size() / 2);
                    std::destroy_n(how..., memory + v.size() / 2, v.size() - v.size() / 2);
                    return end_of(memory, v);
                }),
        case_of("uninitialized_fill, _construct",
                [](ints v, const auto&... how) {
                    int* const memory = memory_of(v);
                    const std::size_t half = v.size() / 2;
                    std::uninitialized_value_construct(how..., memory, memory + half);
                    std::uninitialized_value_construct_n(how..., memory + half, v.size() - half);
                    std::uninitialized_fill(how..., memory, memory + half / 2, 3);
                    std::uninitialized_fill_n(how..., memory + half, half / 2, 4);
                    std::uninitialized_default_construct(how..., memory, memory + half);
                    std::uninitialized_default_construct_n(how..., memory + half, half);
                    return end_of(memory, v);
                }),
    });
}

}  // namespace

}  // namespace std_execution_test
