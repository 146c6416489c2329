// The ways to find termination that a machine has, and the parts of what a barrier costs with each.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace parley_bench {

struct barrier_way {
    virtual ~barrier_way() = default;
    // One point of each.
    virtual void measure_once() = 0;

    std::string name;
    std::vector<double> already_idle, none_has_asked, goes_on, in_a_row;  // seconds
};

using barrier_ways = std::vector<std::unique_ptr<barrier_way>>;

// Compiled twice, with the library as it is and with the papers' machine: then it is parley_bench::papers.
inline namespace v0 {
barrier_ways ways_here(unsigned workers);
}

}  // namespace parley_bench
