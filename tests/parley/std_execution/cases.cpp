#include "tests/parley/std_execution/cases.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <numeric>
#include <parley/runtime.hpp>
#include <random>

namespace std_execution_test {

namespace {

struct input {
    const char* kind;
    ints elements;
};

std::vector<input> inputs_of_length(std::size_t n) {
    std::mt19937 random(static_cast<unsigned>(n) + 1);
    ints many(n), few(n), sorted(n);
    for (int& x : many) x = static_cast<int>(random() % (4 * n + 1)) - static_cast<int>(n);
    for (int& x : few) x = static_cast<int>(random() % 4);
    std::iota(sorted.begin(), sorted.end(), -3);
    return {{"random", many},
            {"four values", few},
            {"equal", ints(n, 7)},
            {"sorted", sorted},
            {"reversed", ints(sorted.rbegin(), sorted.rend())}};
}

}  // namespace

void expect_equal_results(const std::vector<algorithm_case>& cases) {
    parley::runtime one({.workers = 1}), three({.workers = 3});
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 2, 3, 4, 5, 17, 100, 1000, 4097, 60000})
        for (const input& in : inputs_of_length(n))
            for (const algorithm_case& c : cases) {
                const ints expected = c.serial(in.elements);
                for (parley::runtime* const rt : {&one, &three})
                    ASSERT_TRUE(rt->run([&] { return c.parallel(in.elements); }) == expected)
                        << c.name << " of " << n << " elements, " << in.kind << ", " << rt->workers() << " workers";
            }
}

}  // namespace std_execution_test
