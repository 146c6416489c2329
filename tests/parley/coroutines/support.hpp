// What the tests of coroutines share.
#pragma once

#include "tests/parley/api/support.hpp"

#include <parley/coroutine.hpp>
#include <parley/parley.hpp>
#include <parley/promise.hpp>
#include <parley/when_any.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace coroutine_test {

using namespace api_test;

// A thread outside that calls f, and is joined at the end of the block.
template <class F>
[[nodiscard]] std::jthread thread_outside(F f) {
    return std::jthread(std::move(f));
}

inline parley::task<int> value_of(int n) { co_return n; }

}  // namespace coroutine_test
