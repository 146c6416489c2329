// The bounds of loops over indices: types that differ, signs that differ, and bodies that change their index.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

namespace {

using namespace api_test;

// Both kinds of loops over [first, last), each index as a long long.
template <class First, class Last>
std::vector<long long> indices_of_loop(First first, Last last) {
    std::vector<long long> seen;
    std::mutex mutex;
    parley::for_each_index(first, last, [&](auto i) {
        const std::scoped_lock guard(mutex);
        seen.push_back(static_cast<long long>(i));
    });
    std::sort(seen.begin(), seen.end());
    return seen;
}
template <class First, class Last>
std::vector<long long> indices_of_reduction(First first, Last last) {
    return parley::reduce_index(
        first, last, std::vector<long long>{},
        [](std::vector<long long> a, const std::vector<long long>& b) {
            a.insert(a.end(), b.begin(), b.end());
            return a;
        },
        [](auto i) { return std::vector<long long>{static_cast<long long>(i)}; });
}

template <class First, class Last>
void expect_indices(First first, Last last, long long from, long long to) {
    SCOPED_TRACE(testing::Message() << "from " << from << " to " << to);
    std::vector<long long> expected;
    for (; from < to; ++from) expected.push_back(from);
    EXPECT_EQ(indices_of_loop(first, last), expected);
    EXPECT_EQ(indices_of_reduction(first, last), expected);
}

TEST(LoopBounds, CountByTheirValuesWhateverTheirTypes) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            constexpr int lowest = std::numeric_limits<int>::min();
            constexpr long long highest = std::numeric_limits<long long>::max();
            expect_indices(-5, 10U, -5, 10);
            expect_indices(static_cast<signed char>(-5), static_cast<unsigned char>(10), -5, 10);
            expect_indices(static_cast<short>(-5), char32_t{10}, -5, 10);
            expect_indices(-5L, 10U, -5, 10);
            expect_indices(0, -1, 0, -1);
            expect_indices(10U, -5, 10, -5);
            expect_indices(std::size_t{10}, -5L, 10, -5);
            expect_indices(lowest, lowest + 5, lowest, lowest + 5LL);
            expect_indices(4'294'967'290U, 4'294'967'295LL, 4'294'967'290LL, 4'294'967'295LL);
            expect_indices(static_cast<unsigned char>(250), 300, 250, 300);
            expect_indices(static_cast<short>(-32'768), static_cast<short>(-32'760), -32'768, -32'760);
            expect_indices(highest - 3, highest, highest - 3, highest);
            expect_indices(5, static_cast<std::uint64_t>(20), 5, 20);
            expect_indices('a', 'f', 'a', 'f');
            expect_indices(u8'a', L'f', 'a', 'f');
        });
    });
}

TEST(LoopBounds, ABodyThatTakesASignedIntegerGetsNegativeIndicesBesideASize) {
    expect_indices(-1, std::size_t{3}, -1, 3);
    std::atomic<int> sum{0};
    parley::for_each_index(-3, std::size_t{0}, [&](auto i) { sum += static_cast<int>(i); });
    EXPECT_EQ(sum, -6);
}

TEST(LoopBounds, TheIndexHoldsANegativeBoundBesideAnUnsignedOne) {
    std::atomic<int> right{0};
    parley::for_each_index(-5, 10U, [&](auto i) {
        static_assert(std::same_as<decltype(i), std::int64_t>);
        right += i >= -5 && i < 10 ? 1 : 0;
    });
    EXPECT_EQ(right, 15);
}

TEST(LoopBounds, TheIndexHasTheirCommonTypeOtherwise) {
    parley::for_each_index(0, std::size_t{1}, [](auto i) { static_assert(std::same_as<decltype(i), std::size_t>); });
    parley::for_each_index(0, 1L, [](auto i) { static_assert(std::same_as<decltype(i), long>); });
    parley::for_each_index(0U, 1U, [](auto i) { static_assert(std::same_as<decltype(i), unsigned>); });
    parley::for_each_index('a', 'b', [](auto i) { static_assert(std::same_as<decltype(i), char>); });
}

TEST(LoopBounds, MoreIndicesThanCanBeCountedAreAnError) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THROW(parley::for_each_index(lowest, highest, [](std::uint64_t) {}), parley::usage_error);
    EXPECT_THROW(parley::for_each_index(-1, highest, [](std::uint64_t) {}), parley::usage_error);
    const auto one = [](std::uint64_t) { return 1; };
    EXPECT_THROW((void)parley::reduce_index(lowest, highest, 0, std::plus<>{}, one), parley::usage_error);
}

TEST(LoopBounds, ABodyThatChangesItsIndexDoesNotChangeTheLoop) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::atomic<int> line{0}, plane{0}, room{0};
            parley::for_each_index(0, 1'000, [&](auto&& i) {
                ++line;
                i += 7;
            });
            parley::for_each_index({20, 30}, [&](auto&& i, auto&& j) {
                plane += i < 20 && j < 30 ? 1 : 0;
                i = j = 100;
            });
            parley::for_each_index({5, 6, 7}, [&](auto&& i, auto&& j, auto&& k) {
                room += i < 5 && j < 6 && k < 7 ? 1 : 0;
                i = j = k = 100;
            });
            EXPECT_EQ(line, 1'000);
            EXPECT_EQ(plane, 20 * 30);
            EXPECT_EQ(room, 5 * 6 * 7);
        });
    });
}

struct any_body {
    template <class... Indices>
    void operator()(Indices...) const {}
};
template <class First, class Last, class Body = any_body>
constexpr bool loops = requires(First first, Last last, Body body) { parley::for_each_index(first, last, body); };
template <class Index>
constexpr bool reduces = requires(Index i) { parley::reduce_index(i, i, 0, std::plus<>{}, [](auto) { return 1; }); };
template <class Index>
constexpr bool loops_over_places = requires(const Index (&lengths)[2]) { parley::for_each_index(lengths, any_body{}); };

__extension__ using wide = __int128;

TEST(LoopBounds, WhatCannotBeCountedDoesNotCompile) {
    static_assert(loops<int, int> && reduces<int> && loops_over_places<int>);
    static_assert(loops<char8_t, char8_t> && reduces<wchar_t> && loops_over_places<char16_t>);
    static_assert(!loops<bool, bool> && !loops<bool, int> && !reduces<bool> && !loops_over_places<bool>);
    static_assert(!loops<wide, wide> && !loops<int, wide> && !reduces<wide> && !loops_over_places<wide>);
    static_assert(!loops<double, double> && !loops<int, double>);
}

// The index is a temporary, as the elements of std::views::iota are.
TEST(LoopBounds, ABodyThatTakesItsIndexByReferenceToWhatIsNotConstDoesNotCompile) {
    static_assert(loops<int, int, void (*)(const int&)> && loops<int, int, void (*)(int&&)>);
    static_assert(!loops<int, int, void (*)(int&)>);
}

}  // namespace
