// The words that workers exchange: whose request it is, and the bits of the attention word.
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/request.hpp>

#include <gtest/gtest.h>

#include <bit>

namespace {

using namespace parley::protocol;

TEST(Request, BelongsToTheThiefWhoseItIs) {
    for (worker_id w = 0; w < 5000; ++w) ASSERT_EQ(thief_of(request_of(w)), w);
}

TEST(Request, BeginsItsTravelAtTheFirstVictim) {
    const letter t;
    EXPECT_EQ(t.hop, 0u);
    EXPECT_EQ(t.stride, 1u);
}

constexpr bits::word all_bits[] = {bits::mail,     bits::lobby,      bits::tasks,  bits::news,  bits::scan,
                                   bits::released, bits::stop,       bits::cancel, bits::start, bits::jobs,
                                   bits::refill,   bits::wants_jobs, bits::message};

TEST(Bits, AreDistinctSingleBits) {
    bits::word all = 0;
    for (const bits::word one : all_bits) {
        EXPECT_TRUE(std::has_single_bit(one));
        EXPECT_EQ(all & one, 0u);
        all |= one;
    }
    EXPECT_EQ(all >> 31, 0u) << "the highest bit is the parker's";
}

// A sleeper costs nobody a wake-up until there is work for it, or the end.
TEST(Bits, SleepersAreNotWokenForRequests) {
    EXPECT_EQ(bits::waking & (bits::mail | bits::lobby), 0u);
    for (const bits::word one : {bits::tasks, bits::news, bits::scan, bits::message, bits::released, bits::stop})
        EXPECT_EQ(bits::waking & one, one);
}

}  // namespace
