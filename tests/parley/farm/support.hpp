// What the tests of streams share.
#pragma once

#include "tests/parley/api/support.hpp"

#include <parley/farm.hpp>

#include <numeric>
#include <ranges>
#include <vector>

namespace farm_test {

using namespace api_test;

inline std::vector<int> up_to(int n) {
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

// How many are under way at the moment, and how many there were at most.
class gauge {
public:
    void up() {
        const long now = ++now_;
        for (long seen = most_.load(); seen < now && !most_.compare_exchange_weak(seen, now);) {}
    }
    void down() { --now_; }
    [[nodiscard]] long most() const { return most_; }
    [[nodiscard]] long now() const { return now_; }

private:
    std::atomic<long> now_{0}, most_{0};
};

// Some work that no compiler takes out.
inline void busy(int rounds) {
    for (int i = 0; i < rounds; ++i) asm volatile("" ::: "memory");
}

}  // namespace farm_test
