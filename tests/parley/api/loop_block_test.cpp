// for_each_block: which blocks, how many, and what is refused.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

namespace {

using namespace api_test;
using parley::for_each_block;

template <class First, class Last>
std::vector<std::pair<long long, long long>> blocks_between(First first, Last last) {
    std::vector<std::pair<long long, long long>> seen;
    std::mutex mutex;
    for_each_block(first, last, [&](auto from, auto to) {
        const std::scoped_lock guard(mutex);
        seen.emplace_back(static_cast<long long>(from), static_cast<long long>(to));
    });
    std::sort(seen.begin(), seen.end());
    return seen;
}

template <class First, class Last>
void expect_to_make_up(First first, Last last, long long from, long long to) {
    SCOPED_TRACE(testing::Message() << "from " << from << " to " << to);
    for (const auto& [begin, end] : blocks_between(first, last)) {
        ASSERT_EQ(begin, from);
        ASSERT_LT(begin, end);
        from = end;
    }
    ASSERT_EQ(from, to);
}

TEST(LoopBlocks, MakeUpTheRange) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {1, 2, 3, 7, 8, 9, 64, 65, 1'000, 2'047, 2'048, 2'049, 100'003}) {
                expect_to_make_up(0, n, 0, n);
                expect_to_make_up(-5, n, -5, n);
            }
        });
    });
}

TEST(LoopBlocks, OfAnEmptyOrReversedRangeThereAreNone) {
    EXPECT_TRUE(blocks_between(5, 5).empty());
    EXPECT_TRUE(blocks_between(5, 4).empty());
    EXPECT_TRUE(blocks_between(10U, -5).empty());
}

TEST(LoopBlocks, BoundsCountByTheirValuesUpToTheEndsOfTheirTypes) {
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            expect_to_make_up(-5, 10U, -5, 10);
            expect_to_make_up(-1, std::size_t{3'000}, -1, 3'000);
            expect_to_make_up(static_cast<unsigned char>(0), static_cast<unsigned char>(255), 0, 255);
            expect_to_make_up(static_cast<signed char>(-128), static_cast<signed char>(127), -128, 127);
            expect_to_make_up(highest - 5'000, highest, highest - 5'000, highest);
            expect_to_make_up(lowest, lowest + 5'000, lowest, lowest + 5'000);
        });
    });
    for_each_block(-5, 10U, [](auto from, auto to) {
        static_assert(std::same_as<decltype(from), std::int64_t> && std::same_as<decltype(to), std::int64_t>);
    });
}

// A block whose body takes long before it begins is not shortened to one index.
TEST(LoopBlocks, AreFewWhateverABodyDoesFirst) {
    with_each_size([](parley::runtime& rt) {
        std::atomic<std::size_t> blocks{0};
        std::atomic<std::uint64_t> indices{0};
        rt.run([&] {
            for_each_block(0, 1'000'000, [&](int from, int to) {
                ++blocks;
                indices += static_cast<std::uint64_t>(to - from) + serial_fib(15) - 610;
            });
        });
        EXPECT_EQ(indices, 1'000'000U);
        EXPECT_LE(blocks, 2'048U * rt.workers() + 1);
    });
}

// Nobody could run through it, but for bodies that do not.
TEST(LoopBlocks, MakeUpTheLongestRange) {
    constexpr auto top = std::numeric_limits<std::uint64_t>::max();
    with_each_size([&](parley::runtime& rt) {
        std::atomic<std::uint64_t> sum{0};
        rt.run([&] {
            for_each_block(std::uint64_t{0}, top, [&](std::uint64_t from, std::uint64_t to) {
                EXPECT_LT(from, to);
                sum += to - from;
            });
        });
        EXPECT_EQ(sum, top);
    });
    EXPECT_THROW(for_each_block(-1, top, [](std::uint64_t, std::uint64_t) {}), parley::usage_error);
}

TEST(LoopBlocks, TheFirstExceptionArrivesAndNoBlockIsBegunTwice) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::atomic<int>> calls(50'000);
        EXPECT_THROW(rt.run([&] {
            for_each_block(0, calls.size(), [&](std::size_t from, std::size_t to) {
                for (std::size_t i = from; i != to; ++i) ++calls[i];
                if (to > 10'000) throw boom{};
            });
        }),
                     boom);
        for (const auto& c : calls) ASSERT_LE(c, 1);
    });
}

TEST(LoopBlocks, CanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        EXPECT_THROW(rt.run([&] {
            for (;;) for_each_block(0, 1'000, [&](int, int) { rt.cancel(); });
        }),
                     parley::cancelled);
    });
}

TEST(LoopBlocks, ReachOtherWorkers) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        std::atomic<bool> other{false};
        rt.run([&] {
            const auto here = std::this_thread::get_id();
            for_each_block(0, 1'000, [&](int from, int) {
                if (std::this_thread::get_id() != here) other = true;
                else if (from == 0) poll_until([&] { return other.load(); });
            });
        });
        EXPECT_TRUE(other);
    }
}

template <class Bound, class Body>
constexpr bool takes_blocks = requires(Bound b, Body body) { for_each_block(b, b, body); };

TEST(LoopBlocks, BodiesThatTakeNoBlockAndBoundsThatAreNoIntegersDoNotCompile) {
    static_assert(takes_blocks<int, void (*)(int, int)> &&
                  takes_blocks<std::size_t, void (*)(std::size_t, const std::size_t&)>);
    static_assert(!takes_blocks<int, void (*)(int)> && !takes_blocks<int, void (*)(int&, int&)>);
    static_assert(!takes_blocks<double, void (*)(double, double)> && !takes_blocks<bool, void (*)(bool, bool)>);
}

}  // namespace
