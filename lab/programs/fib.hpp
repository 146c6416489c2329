// Fibonacci numbers by their recursive definition, without a cut-off: nothing but forks, so that
// its time is what a fork costs. "FIB: Fibonacci of number 32 and 40" in the BIAS paper (2012).
#pragma once

#include <cstdint>

#include "lab/programs/program.hpp"

namespace parley_programs::inline v0 {

// fib(n) by forking, on any scheduler. noinline, also for the serial one: both then make the same
// calls, and their difference is the fork.
template <class S>
[[gnu::noinline]] std::uint64_t fib(unsigned n) {
    if (n < 2) {
        return n;
    }
    const auto [left, right] = S::fork_join([n] { return fib<S>(n - 1); }, [n] { return fib<S>(n - 2); });
    return left + right;
}

// The same in plain C++; the compiler may inline it into itself.
[[nodiscard]] std::uint64_t fib_inlined(unsigned n);

// fib(n) by iteration: what the others must return.
[[nodiscard]] std::uint64_t fib_by_iteration(unsigned n) noexcept;

// How many times fib(n) forks: once for each call with n >= 2.
[[nodiscard]] std::uint64_t forks_of_fib(unsigned n) noexcept;

}  // namespace parley_programs::inline v0
