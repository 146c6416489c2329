// What the tests of tasking.h share.
#pragma once

#include <tasking.h>

#include "tests/parley/api/support.hpp"

#include <cstdlib>
#include <string>
#include <thread>

namespace tasking_test {

using api_test::boom;
using api_test::is_sanitized;
using api_test::worker_counts;

// From TASKING_INIT to TASKING_EXIT, with so many workers.
class parallel_region {
public:
    explicit parallel_region(unsigned workers) {
        ::setenv("TASKING_NUM_WORKERS", std::to_string(workers).c_str(), 1);
        TASKING_INIT();
    }
    ~parallel_region() { TASKING_EXIT(); }
    parallel_region(const parallel_region&) = delete;
    parallel_region& operator=(const parallel_region&) = delete;
};

template <class Body>
void with_each_size(Body body) {
    for (const unsigned n : worker_counts) {
        SCOPED_TRACE("workers: " + std::to_string(n));
        const parallel_region here(n);
        body();
        if (testing::Test::HasFatalFailure()) return;
    }
}

// Looks again and again, and gives tasks away meanwhile.
template <class Condition>
void poll_until(Condition condition) {
    while (!condition()) {
        rts_poll();
        std::this_thread::yield();
    }
}

}  // namespace tasking_test
