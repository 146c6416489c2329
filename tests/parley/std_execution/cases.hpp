// A case is an algorithm on the elements of a vector, without a policy and with std::execution::par.
#pragma once

#include <parley/std_execution.hpp>

#include <algorithm>
#include <cstddef>
#include <execution>
#include <string>
#include <vector>

namespace std_execution_test {

using ints = std::vector<int>;

struct algorithm_case {
    const char* name;
    ints (*serial)(const ints&);
    ints (*parallel)(const ints&);
};

// F is called with a copy of the elements and, or without, a policy. It returns what must be equal.
template <class F>
algorithm_case case_of(const char* name, F) {
    return {name, [](const ints& v) { return F{}(v); }, [](const ints& v) { return F{}(v, std::execution::par); }};
}

// Runs each case on random, equal, sorted and reversed elements, of many lengths, with one and with three workers.
void expect_equal_results(const std::vector<algorithm_case>& cases);

inline int number_of(std::ptrdiff_t n) { return static_cast<int>(n); }

}  // namespace std_execution_test
