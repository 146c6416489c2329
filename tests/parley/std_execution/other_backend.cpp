#define _GLIBCXX_USE_TBB_PAR_BACKEND 0
#include "tests/parley/std_execution/other_backend.hpp"

#include <algorithm>
#include <execution>

namespace std_execution_test {

void double_by_the_other_backend(std::vector<int>& v) {
    std::for_each(std::execution::par, v.begin(), v.end(), with_name_of_both{});
}

bool two_meet_in_the_other_backend() {
    int inside = 0;
    bool met = false;
    std::vector<int> two(2);
    std::for_each(std::execution::par, two.begin(), two.end(), [&](int) {
        met = met || ++inside > 1;
        --inside;
    });
    return met;
}

}  // namespace std_execution_test
