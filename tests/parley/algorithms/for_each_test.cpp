// for_each and transform: what they call and assign, and what exceptions do.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>

namespace {

using namespace api_test;

constexpr std::size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1'000, 30'011};

TEST(ForEach, VisitsEachElementOnce) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                std::vector<int> calls(n);
                parley::for_each(calls.begin(), calls.end(), [](int& c) { ++c; });
                EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), std::ptrdiff_t(n));
                std::deque<int> in_segments(n);
                parley::for_each(in_segments.begin(), in_segments.end(), [](int& c) { ++c; });
                EXPECT_EQ(std::count(in_segments.begin(), in_segments.end(), 1), std::ptrdiff_t(n));
            }
        });
    });
}

TEST(ForEach, CallsTheFunctionItselfWhereItKeepsState) {
    parley::runtime one{{.workers = 1}};
    const std::vector<int> numbers(1'000, 2);
    auto sum = [s = 0](int i) mutable { return s += i; };
    one.run([&] { parley::for_each(numbers.begin(), numbers.end(), sum); });
    EXPECT_EQ(sum(0), 2'000);
}

TEST(ForEach, CallsMembers) {
    std::vector<std::string> words(100, "word");
    parley::for_each(words.begin(), words.end(), &std::string::clear);
    for (const std::string& w : words) EXPECT_TRUE(w.empty());
}

TEST(ForEach, TheFirstExceptionArrivesAndNoElementIsVisitedTwice) {
    with_each_size([](parley::runtime& rt) {
        for (std::size_t round = 0; round < times(20); ++round) {
            std::vector<std::atomic<int>> calls(5'000);
            EXPECT_THROW(rt.run([&] {
                parley::for_each(calls.begin(), calls.end(), [&](std::atomic<int>& c) {
                    ++c;
                    if ((&c - calls.data()) % 1'000 == 999) throw boom{};
                });
            }),
                         boom);
            for (const auto& c : calls) ASSERT_LE(c, 1);
        }
    });
}

TEST(ForEach, CanBeCancelledAndUsedAgain) {
    with_each_size([](parley::runtime& rt) {
        std::vector<int> numbers(1'000);
        EXPECT_THROW(rt.run([&] {
            for (;;)
                parley::for_each(numbers.begin(), numbers.end(), [&](int& i) {
                    ++i;
                    if (&i == &numbers[500]) rt.cancel();
                });
        }),
                     parley::cancelled);
        rt.run([&] { parley::for_each(numbers.begin(), numbers.end(), [](int& i) { i = 1; }); });
        EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 1), 1'000);
    });
}

TEST(ForEach, NestsInTasksAndInItself) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::vector<int>> rows(40, std::vector<int>(300));
        const auto fill = [](std::vector<int>& row) { parley::for_each(row.begin(), row.end(), [](int& i) { ++i; }); };
        rt.run([&] {
            parley::for_each(rows.begin(), rows.end(), fill);
            parley::scope s;
            for (auto& row : rows) s.spawn([&] { fill(row); });
            s.wait();
        });
        for (const auto& row : rows) EXPECT_EQ(std::count(row.begin(), row.end(), 2), 300);
    });
}

TEST(Transform, AssignsAsTheStandardDoesAndReturnsTheEnd) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                std::vector<int> in(n), other(n), out(n + 1, -1), expected(n + 1, -1);
                std::iota(in.begin(), in.end(), 5);
                std::iota(other.begin(), other.end(), 100);
                const auto square = [](int i) { return i * i % 1'000; };
                std::transform(in.begin(), in.end(), expected.begin(), square);
                EXPECT_EQ(parley::transform(in.begin(), in.end(), out.begin(), square), out.end() - 1);
                EXPECT_EQ(out, expected);
                const auto subtract = [](int i, int j) { return i - 2 * j; };
                std::transform(in.begin(), in.end(), other.begin(), expected.begin(), subtract);
                EXPECT_EQ(parley::transform(in.begin(), in.end(), other.begin(), out.begin(), subtract), out.end() - 1);
                EXPECT_EQ(out, expected);
                std::deque<std::string> words(n);
                parley::transform(in.begin(), in.end(), words.begin(), [](int i) { return std::to_string(i); });
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(words[i], std::to_string(in[i]));
            }
        });
    });
}

// Compiled with all warnings: a function has no size.
int one_more(int i) { return i + 1; }
void add_one(int& i) { ++i; }

TEST(ForEach, AFunctionGoesByItsName) {
    std::vector<int> numbers(1'000, 1);
    parley::for_each(numbers.begin(), numbers.end(), add_one);
    parley::transform(numbers.begin(), numbers.end(), numbers.begin(), one_more);
    EXPECT_EQ(numbers, std::vector<int>(1'000, 3));
}

TEST(Transform, InPlaceAndOfMoveOnlyElements) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::unique_ptr<int>> boxes(3'000);
        rt.run([&] {
            parley::transform(boxes.begin(), boxes.end(), boxes.begin(),
                              [](std::unique_ptr<int>& p) { return p == nullptr ? std::make_unique<int>(3) : nullptr; });
        });
        for (const auto& b : boxes) ASSERT_EQ(*b, 3);
    });
}

TEST(Transform, TheFirstExceptionArrives) {
    with_each_size([](parley::runtime& rt) {
        std::vector<int> in(10'000), out(10'000, 7);
        in[4'321] = 1;
        const auto f = [](int i) { return i == 1 ? throw boom{i} : i; };
        EXPECT_THROW(rt.run([&] { parley::transform(in.begin(), in.end(), out.begin(), f); }), boom);
        EXPECT_EQ(out[4'321], 7);
    });
}

}  // namespace
