// The standard's parallel algorithms, for `parley bench --suite std`: without a policy, with std::execution::par on Parley,
// and with libstdc++'s own backend, oneTBB. What each of them calls is compiled from one text (ways_with.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley_programs::std_algorithms {

using number = std::uint32_t;
using numbers = std::vector<number>;

// What one call reads and writes.
struct arrays {
    numbers in, other, out;
    std::uint64_t returned = 0;  // what the algorithm returns, as a number
};

using call = void (*)(arrays& a);

// The ways' calls are in the order of the rows.
struct way {
    const char* scheduler;
    std::vector<call> calls;
};

// Elements of a call come from a pool, from another place in each round: a processor learns how to sort some thousand
// numbers that it has sorted before.
enum class elements { random, few_values, sorted_pair, marked_early, marked_late };

struct row {
    const char* name;
    elements of;
    bool keeps_order = true;  // its result has one order only
};

[[nodiscard]] const std::vector<row>& rows();
[[nodiscard]] std::vector<call> serial_calls();
// Empty where the standard library is not GCC's; and without oneTBB.
[[nodiscard]] std::vector<call> calls_by_parley();
[[nodiscard]] std::vector<call> calls_by_onetbb();

// Makes the elements of one call.
void prepare(arrays& a, const row& r, std::size_t n, std::uint64_t round);
// A number made of what the last call has left.
[[nodiscard]] std::uint64_t result(const arrays& a, const row& r);

}  // namespace parley_programs::std_algorithms
