// What Parley throws, and the unit in which cores exchange memory.
#include <parley/detail/base/cache_line.hpp>
#include <parley/errors.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <type_traits>

namespace {

// A handler for errors must not swallow a cancellation, which is none.
TEST(Errors, CancelledIsAnExceptionButNoError) {
    static_assert(std::is_base_of_v<std::exception, parley::cancelled>);
    static_assert(!std::is_base_of_v<std::runtime_error, parley::cancelled>);
    static_assert(!std::is_base_of_v<std::logic_error, parley::cancelled>);
    EXPECT_STREQ(parley::cancelled{}.what(), "parley: cancelled");
}

TEST(Errors, WrongUseIsALogicError) {
    static_assert(std::is_base_of_v<std::logic_error, parley::usage_error>);
    EXPECT_STREQ(parley::usage_error("no").what(), "no");
}

TEST(Errors, EnvironmentErrorNamesVariableValueAndWhatIsAllowed) {
    const parley::environment_error e("PARLEY_X", "banana", "one of apple, pear");
    EXPECT_EQ(e.variable, "PARLEY_X");
    EXPECT_STREQ(e.what(), "PARLEY_X=banana: one of apple, pear");
}

TEST(CacheLine, IsAPowerOfTwo) {
    static_assert(parley::base::cache_line >= 64);
    static_assert((parley::base::cache_line & (parley::base::cache_line - 1)) == 0);
}

}  // namespace
