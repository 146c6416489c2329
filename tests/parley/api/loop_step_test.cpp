// for_each_index with a step: which indices, up to the ends of their types, and what is refused.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

namespace {

using namespace api_test;
using parley::for_each_index;

template <class First, class Last, class Step>
std::vector<long long> indices_by_step(First first, Last last, Step step) {
    std::vector<long long> seen;
    std::mutex mutex;
    for_each_index(first, last, step, [&](auto i) {
        const std::scoped_lock guard(mutex);
        seen.push_back(static_cast<long long>(i));
    });
    std::sort(seen.begin(), seen.end());
    if (step < Step{}) std::reverse(seen.begin(), seen.end());
    return seen;
}

using listed = std::vector<long long>;

TEST(LoopStep, CallsWhatThePlainLoopCalls) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int first : {-7, 0, 3})
                for (const int last : {-20, 3, 4, 500})
                    for (const int step : {1, 2, 3, 7, 1'000, -1, -2, -5, -1'000}) {
                        SCOPED_TRACE(testing::Message() << first << ", " << last << ", " << step);
                        listed expected;
                        for (int i = first; step > 0 ? i < last : i > last; i += step) expected.push_back(i);
                        ASSERT_EQ(indices_by_step(first, last, step), expected);
                    }
        });
    });
}

TEST(LoopStep, ALongLoopCallsEachIndexOnce) {
    with_each_size([](parley::runtime& rt) {
        constexpr std::size_t length = is_sanitized ? 30'000 : 300'000;
        std::vector<std::atomic<unsigned char>> up(length), down(length);
        rt.run([&] {
            for_each_index(0, length, 3, [&](std::size_t i) { ++up[i]; });
            for_each_index(length - 1, 0, -3, [&](std::size_t i) { ++down[i]; });
        });
        for (std::size_t i = 0; i < length; ++i) {
            ASSERT_EQ(up[i], i % 3 == 0 ? 1 : 0);
            ASSERT_EQ(down[i], i > 0 && (length - 1 - i) % 3 == 0 ? 1 : 0);
        }
    });
}

TEST(LoopStep, TheBoundsAndTheStepCountByTheirValuesWhateverTheirTypes) {
    EXPECT_EQ(indices_by_step(10U, 0, -3L), (listed{10, 7, 4, 1}));
    EXPECT_EQ(indices_by_step(-5, 10U, std::size_t{4}), (listed{-5, -1, 3, 7}));
    EXPECT_EQ(indices_by_step(std::size_t{3}, -3, static_cast<signed char>(-2)), (listed{3, 1, -1}));
    EXPECT_EQ(indices_by_step(0, 10U, -1), listed{});
    EXPECT_EQ(indices_by_step(10U, -5, 1U), listed{});
    for_each_index(10U, 0U, -3, [](auto i) { static_assert(std::same_as<decltype(i), unsigned>); });
    for_each_index(0, 3, 2UL, [](auto i) { static_assert(std::same_as<decltype(i), int>); });
    for_each_index(-1, 3U, 2UL, [](auto i) { static_assert(std::same_as<decltype(i), std::int64_t>); });
}

TEST(LoopStep, GoesUpToTheEndsOfEachType) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    constexpr auto top = std::numeric_limits<std::uint64_t>::max();
    using tiny = signed char;
    EXPECT_EQ(indices_by_step(static_cast<unsigned char>(250), static_cast<unsigned char>(255), 2), (listed{250, 252, 254}));
    EXPECT_EQ(indices_by_step(static_cast<unsigned char>(3), static_cast<unsigned char>(255), 200), (listed{3, 203}));
    EXPECT_EQ(indices_by_step(tiny{-128}, tiny{127}, tiny{127}), (listed{-128, -1, 126}));
    EXPECT_EQ(indices_by_step(tiny{-120}, tiny{-128}, tiny{-7}), (listed{-120, -127}));
    EXPECT_EQ(indices_by_step(lowest, highest, highest), (listed{lowest, -1, highest - 1}));
    EXPECT_EQ(indices_by_step(highest, lowest, lowest), (listed{highest, -1}));
    EXPECT_EQ(indices_by_step(0, lowest, lowest), listed{0});
    std::atomic<std::uint64_t> sum{0};
    for_each_index(std::uint64_t{0}, top, top - 1, [&](std::uint64_t i) { sum += i; });
    EXPECT_EQ(sum, top - 1) << "0 and top - 1";
}

TEST(LoopStep, AStepOfZeroIsAnError) {
    EXPECT_THROW(for_each_index(0, 10, 0, [](int) {}), parley::usage_error);
    EXPECT_THROW(for_each_index(10, 0, 0U, [](int) {}), parley::usage_error);
    EXPECT_THROW(for_each_index(5, 5, 0, [](int) {}), parley::usage_error);
}

TEST(LoopStep, BoundsTooFarApartAreAnError) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto top = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THROW(for_each_index(lowest, top, 1'000, [](std::uint64_t) {}), parley::usage_error);
    EXPECT_THROW(for_each_index(top, lowest, -1'000, [](std::uint64_t) {}), parley::usage_error);
}

TEST(LoopStep, TheFirstExceptionArrivesAndNoIndexIsCalledTwice) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::atomic<int>> calls(10'000);
        EXPECT_THROW(rt.run([&] {
            for_each_index(calls.size() - 1, 0, -2, [&](std::size_t i) {
                ++calls[i];
                if (i % 1'000 == 1) throw boom{};
            });
        }),
                     boom);
        for (const auto& c : calls) ASSERT_LE(c, 1);
    });
}

template <class First, class Last, class Step>
constexpr bool steps = requires(First first, Last last, Step step) { for_each_index(first, last, step, [](auto) {}); };

__extension__ using wide_step = __int128;

TEST(LoopStep, StepsThatAreNoIntegersOfAtMost64BitsDoNotCompile) {
    static_assert(steps<int, int, int> && steps<int, unsigned, char> && steps<std::size_t, int, long>);
    static_assert(!steps<int, int, bool> && !steps<int, int, double> && !steps<int, int, wide_step>);
    static_assert(!steps<double, double, int> && !steps<int, bool, int>);
}

}  // namespace
