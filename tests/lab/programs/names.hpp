// For typed tests: the name of each scheduler in the name of its test.
#pragma once

#include <string>

namespace parley_tests {

struct names {
    template <class S>
    static std::string GetName(int) {
        return std::string(S::name);
    }
};

}  // namespace parley_tests
