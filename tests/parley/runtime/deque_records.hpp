// Tasks that are never run, and what the tests of the deque do with them.
#pragma once

#include <parley/detail/driver/deque.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace parley_tests {

using parley::threading::block;
using parley::threading::deque;
using parley::threading::task;

constexpr std::size_t capacity = block::capacity;

// They lie in one array: task i is the i-th pushed.
struct records {
    explicit records(std::size_t n) : all(n) {}
    std::vector<task> all;
    task* operator[](std::size_t i) { return &all[i]; }
};

inline void push(deque& d, records& r, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) (void)d.push(r[i]);
}

inline void expect_oldest(deque& d, records& r, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) ASSERT_EQ(d.take_oldest(), r[i]) << i;
}

}  // namespace parley_tests
