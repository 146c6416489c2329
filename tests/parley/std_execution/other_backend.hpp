// What other_backend.cpp does with a backend of libstdc++'s own: the serial one, which needs no library.
#pragma once

#include <vector>

namespace std_execution_test {

struct with_name_of_both {
    void operator()(int& x) const { x *= 2; }
};

void double_by_the_other_backend(std::vector<int>& v);
// Do two elements' functions run at once there?
bool two_meet_in_the_other_backend();

}  // namespace std_execution_test
