// RC11 by its definitions: all executions of a small program without loops, by trying every reads-from relation and every
// modification order. The explorer of the memory model is held against it. It shares no code with the explorer.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace axioms {

enum class does : std::uint8_t { load, store, exchange, add, compare_exchange, fence };

struct instruction {
    does what;
    int location;
    std::memory_order order;
    int value;     // stored, added, or stored by a compare_exchange
    int expected;  // of a compare_exchange, whose failure is relaxed
};

using thread = std::vector<instruction>;
using program = std::vector<thread>;

// For each outcome, in how many executions it comes. An outcome is what each instruction has read, and 0 for those that
// read nothing, thread by thread; then the final value of each location.
[[nodiscard]] std::map<std::string, std::uint64_t> executions_of(const program& p, int locations);

}  // namespace axioms
