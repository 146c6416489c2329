// Loops in two and three dimensions: bounds below and above, of any integer types.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

namespace {

using namespace api_test;
using parley::for_each_index;

using pairs = std::vector<std::array<long long, 2>>;
using triples = std::vector<std::array<long long, 3>>;

// What loop(body) calls its body with, sorted.
template <class Tuple, class Loop>
std::vector<Tuple> places_of(Loop loop) {
    std::vector<Tuple> seen;
    std::mutex mutex;
    loop([&](auto... i) -> void
             requires(sizeof...(i) == std::tuple_size_v<Tuple>)
         {
             const std::scoped_lock guard(mutex);
             seen.push_back({static_cast<long long>(i)...});
         });
    std::sort(seen.begin(), seen.end());
    return seen;
}

pairs rectangle(long long i0, long long j0, long long i1, long long j1) {
    pairs all;
    for (long long i = i0; i < i1; ++i)
        for (long long j = j0; j < j1; ++j) all.push_back({i, j});
    return all;
}

// Calls the loop over a rectangle whose four bounds are given.
template <class A, class B, class C, class D>
pairs places_between(A i0, B j0, C i1, D j1) {
    return places_of<std::array<long long, 2>>([&](const auto& body) { for_each_index({i0, j0}, {i1, j1}, body); });
}

TEST(LoopBox, CallsEachPairBetweenTheBoundsOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            EXPECT_EQ(places_between(1, 1, 4, 3), rectangle(1, 1, 4, 3));
            EXPECT_EQ(places_between(-3, 7, 2, 8), rectangle(-3, 7, 2, 8));
            EXPECT_EQ(places_between(-30, -200, 37, 41), rectangle(-30, -200, 37, 41));
        });
    });
}

TEST(LoopBox, CallsEachTripleBetweenTheBoundsOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            triples expected;
            for (long long i = -2; i < 9; ++i)
                for (long long j = 3; j < 10; ++j)
                    for (long long k = 0; k < 13; ++k) expected.push_back({i, j, k});
            const auto seen = [](auto loop) { return places_of<std::array<long long, 3>>(loop); };
            EXPECT_EQ(seen([](const auto& body) { for_each_index({-2, 3, 0}, {9, 10, 13}, body); }), expected);
            EXPECT_EQ(seen([](const auto& body) { for_each_index({-2, 3, 0}, {9U, 10U, 13U}, body); }), expected);
            EXPECT_EQ(seen([](const auto& body) { for_each_index({-2L, 3, 0}, {9, std::size_t{10}, 13}, body); }), expected);
        });
    });
}

TEST(LoopBox, CallsNothingIfADimensionIsEmptyOrReversed) {
    EXPECT_EQ(places_between(1, 1, 1, 9), pairs{});
    EXPECT_EQ(places_between(1, 1, 9, 1), pairs{});
    EXPECT_EQ(places_between(1U, 1U, -5, 9), pairs{});
    EXPECT_EQ(places_between(1, std::size_t{1}, 9, -5L), pairs{});
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    for_each_index({most, most, std::uint64_t{0}}, [](auto...) { ADD_FAILURE(); });
}

TEST(LoopBox, BoundsCountByTheirValuesWhateverTheirTypes) {
    const std::vector<int> v(6);
    EXPECT_EQ(places_between(-2, -1, 3U, 2U), rectangle(-2, -1, 3, 2));
    EXPECT_EQ(places_between(-2, 1, 3, v.size()), rectangle(-2, 1, 3, 6));
    EXPECT_EQ(places_between(-2, std::size_t{1}, 3U, 4L), rectangle(-2, 1, 3, 4));
    EXPECT_EQ(places_between('a', static_cast<short>(-3), 'c', u'\2'), rectangle('a', -3, 'c', 2));
    const auto lengths = [&](auto... n) {
        return places_of<std::array<long long, 2>>([&](const auto& body) { for_each_index({n...}, body); });
    };
    EXPECT_EQ(lengths(3, v.size()), rectangle(0, 0, 3, 6));
    EXPECT_EQ(lengths(-3, v.size()), pairs{});
    EXPECT_EQ(lengths(std::size_t{2}, static_cast<unsigned char>(3)), rectangle(0, 0, 2, 3));
    std::atomic<int> calls{0};
    for_each_index({2, v.size(), 3L}, [&](auto, auto, auto) { ++calls; });
    EXPECT_EQ(calls, 36);
}

TEST(LoopBox, GoesUpToTheEndsOfEachType) {
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    using tiny = signed char;
    EXPECT_EQ(places_between(tiny{-128}, tiny{120}, tiny{127}, tiny{127}), rectangle(-128, 120, 127, 127));
    EXPECT_EQ(places_between(lowest, highest - 2, lowest + 2, highest), rectangle(lowest, highest - 2, lowest + 2, highest));
}

template <class I, class... Others>
constexpr bool all_are = (std::same_as<I, Others> && ...);

TEST(LoopBox, IndicesHaveTheTypeThatALoopBetweenSuchBoundsGivesThem) {
    for_each_index({0, 0}, {1, 1}, [](auto i, auto j) { static_assert(all_are<int, decltype(i), decltype(j)>); });
    for_each_index({0, 0}, {1L, 1L}, [](auto i, auto j) { static_assert(all_are<long, decltype(i), decltype(j)>); });
    for_each_index({0, 0}, {1U, 1U}, [](auto i, auto j) { static_assert(all_are<std::int64_t, decltype(i), decltype(j)>); });
    for_each_index({0, 0, 0}, {std::size_t{1}, std::size_t{1}, std::size_t{1}}, [](auto i, auto j, auto k) {
        static_assert(all_are<std::size_t, decltype(i), decltype(j), decltype(k)>);
    });
}

TEST(LoopBox, IndicesAreSignedWithin64BitsIfBoundsInOneBraceDifferInType) {
    for_each_index({1, std::size_t{1}},
                   [](auto i, auto j) { static_assert(all_are<std::int64_t, decltype(i), decltype(j)>); });
    constexpr auto top = std::numeric_limits<std::uint64_t>::max();
    std::atomic<int> right{0};
    for_each_index({0, top - 2}, {2, top},
                   [&](std::int64_t i, auto j) { right += i < 2 && static_cast<std::uint64_t>(j) >= top - 2 ? 1 : 0; });
    EXPECT_EQ(right, 4);
}

TEST(LoopBox, MorePlacesThanCanBeCountedAreAnError) {
    const auto nothing = [](auto...) {};
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    constexpr auto top = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THROW(for_each_index({lowest, lowest}, {highest, highest}, nothing), parley::usage_error);
    EXPECT_THROW(for_each_index({lowest, std::int64_t{0}}, {top, top}, nothing), parley::usage_error);
    EXPECT_THROW(for_each_index({-1, 0U}, {1, top}, nothing), parley::usage_error);
    EXPECT_THROW(for_each_index({0U, -1}, {1, top}, nothing), parley::usage_error);
    EXPECT_THROW(for_each_index({1L << 31, 1L << 31, 4L}, nothing), parley::usage_error);
}

TEST(LoopBox, TheFirstExceptionArrivesAndNoPlaceIsCalledTwice) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::atomic<int>> calls(100 * 100);
        EXPECT_THROW(rt.run([&] {
            for_each_index({1, 1}, {100, 100}, [&](int i, int j) {
                ++calls[static_cast<std::size_t>(100 * i + j)];
                if (i == 50 && j > 90) throw boom{};
            });
        }),
                     boom);
        for (const auto& c : calls) ASSERT_LE(c, 1);
    });
}

template <class A, class B>
constexpr bool loops_between = requires(A a, B b) { for_each_index({a, b}, {b, a}, [](auto, auto) {}); } ||
                               requires(A a, B b) { for_each_index({a, b}, [](auto, auto) {}); };
TEST(LoopBox, WhatCannotBeCountedDoesNotCompile) {
    static_assert(loops_between<int, int> && loops_between<int, unsigned> && loops_between<char16_t, long>);
    static_assert(!loops_between<double, double> && !loops_between<int, double> && !loops_between<bool, int>);
}

}  // namespace
