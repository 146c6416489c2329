// Where contracts are off they cost nothing: the condition is not evaluated.
#undef PARLEY_CONTRACTS
#include <parley/detail/base/contract.hpp>

#include <gtest/gtest.h>

namespace {

TEST(Contract, IsNotEvaluatedWhereItIsOff) {
    [[maybe_unused]] int evaluated = 0;
    PARLEY_REQUIRE(++evaluated < 0);
    EXPECT_EQ(evaluated, 0);
}

}  // namespace
