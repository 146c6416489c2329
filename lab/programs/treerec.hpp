// A tree of calls like that of Fibonacci numbers, whose leaves compute for some time: as if a
// cut-off had inlined all that lies below them (thesis, section 2.8).
#pragma once

#include <cstdint>

#include "lab/programs/busy.hpp"
#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// Each n >= 2 forks n - 1 and n - 2 and waits for both; each n < 2 is a leaf, and its value is n,
// so that the value of all is a Fibonacci number.
template <class S>
[[gnu::noinline]] std::uint64_t treerec(unsigned n, const busy_work& leaf) {
    if (n < 2) {
        leaf.run<S>();
        return n;
    }
    const auto [left, right] =
        S::fork_join([n, &leaf] { return treerec<S>(n - 1, leaf); }, [n, &leaf] { return treerec<S>(n - 2, leaf); });
    return left + right;
}

// Calls of treerec(n) below the first. The 2014 paper counts these as tasks: 242,784 for n = 25.
// The thesis counts one of each pair, the one that its maker does not run itself: 3,524,577 for
// n = 32 (figure 6.3). So does parley: one task for each fork.
[[nodiscard]] std::uint64_t calls_of_treerec(unsigned n) noexcept;

}  // namespace parley_programs::inline v0
