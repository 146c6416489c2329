#include "lab/programs/fib.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "lab/peers/serial.hpp"

namespace {

using namespace parley_programs;

TEST(Fib, FirstNumbers) {
    const std::vector<std::uint64_t> first{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
    for (unsigned n = 0; n < first.size(); ++n) {
        EXPECT_EQ(fib<parley_peers::serial>(n), first[n]);
        EXPECT_EQ(fib_inlined(n), first[n]);
        EXPECT_EQ(fib_by_iteration(n), first[n]);
    }
    EXPECT_EQ(fib_by_iteration(90), 2880067194370816120U);
}

TEST(Fib, ParleyFindsTheSame) {
    for (const unsigned workers : {1U, 2U, 5U}) {
        parley_peers::parley::pool pool(parley_peers::setup{workers, {}});
        for (const unsigned n : {0U, 1U, 2U, 10U, 27U}) {
            EXPECT_EQ(pool.run([n] { return fib<parley_peers::parley>(n); }), fib_by_iteration(n));
        }
    }
}

std::uint64_t forks_by_recursion(unsigned n) {
    return n < 2 ? 0 : 1 + forks_by_recursion(n - 1) + forks_by_recursion(n - 2);
}

TEST(Fib, ForksAreCounted) {
    for (unsigned n = 0; n <= 20; ++n) {
        EXPECT_EQ(forks_of_fib(n), forks_by_recursion(n)) << n;
    }
}

}  // namespace
