// Contracts: checked in the translation units that ask for it, free in the others.
#include <gtest/gtest.h>

#ifndef PARLEY_CONTRACTS
#define PARLEY_CONTRACTS
#endif
#include <parley/detail/base/contract.hpp>

namespace {

TEST(Contract, KeptContractIsSilent) {
    int evaluated = 0;
    PARLEY_REQUIRE(++evaluated == 1);
    EXPECT_EQ(evaluated, 1);
}

TEST(ContractDeathTest, BrokenContractSaysWhatAndWhere) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const int seven = 7;
    EXPECT_DEATH(PARLEY_REQUIRE(seven == 8), "parley: contract broken: seven == 8 .*contract_test\\.cpp:[0-9]+");
}

}  // namespace
