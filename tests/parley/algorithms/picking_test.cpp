// copy_if, remove_if, unique, partition, stable_partition: as the standard's, however the range is divided.
#include "tests/parley/algorithms/taking_part.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>

namespace {

using namespace api_test;

constexpr int number_ranges[] = {1, 2, 10, 1'000'000};

std::vector<int> some_numbers(std::size_t n, int below) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::vector<int> all(n);
    for (int& i : all) i = static_cast<int>(random() % static_cast<unsigned>(below));
    return all;
}

// Calls check(runtime, numbers) inside of runtimes.
template <class Check>
void on_many_inputs(Check check) {
    with_each_size([&](parley::runtime& rt) {
        rt.run([&] {
            for (const std::size_t n : many_lengths)
                for (const int below : number_ranges) check(rt, some_numbers(n, below));
        });
    });
}

const auto is_odd = [](int i) { return i % 2 == 1; };

TEST(CopyIf, CopiesTheSameElementsInTheSameOrder) {
    on_many_inputs([](parley::runtime& rt, const std::vector<int>& v) {
        taking_part both(rt, v.size());
        std::vector<int> out(v.size()), expected(v.size());
        const auto end = parley::copy_if(v.begin(), v.end(), out.begin(), both(is_odd));
        ASSERT_EQ(end - out.begin(), std::copy_if(v.begin(), v.end(), expected.begin(), is_odd) - expected.begin());
        ASSERT_EQ(out, expected);
    });
}

TEST(CopyIf, CallsThePredicateOnceForEachElement) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::atomic<int>> calls(20'000);
        std::vector<const std::atomic<int>*> in, out(calls.size());
        for (const auto& c : calls) in.push_back(&c);
        rt.run([&] {
            taking_part both(rt, in.size());
            const auto end = parley::copy_if(in, out.begin(), both([&](const std::atomic<int>* c) {
                                                 return ++calls[static_cast<std::size_t>(c - calls.data())] == 1;
                                             }));
            EXPECT_EQ(end, out.end());
        });
        for (const auto& c : calls) ASSERT_EQ(c, 1);
        EXPECT_EQ(in, out);
    });
}

TEST(CopyIf, AnExceptionArrivesAndTheRestIsLeft) {
    with_each_size([](parley::runtime& rt) {
        std::vector<int> in(20'000), out(20'000);
        in[11'000] = 1;
        EXPECT_THROW(rt.run([&] {
            taking_part both(rt, in.size());
            (void)parley::copy_if(in, out.begin(), both([](int i) { return i == 1 ? throw boom{} : true; }));
        }),
                     boom);
    });
}

TEST(RemoveIf, KeepsTheSameElementsInTheSameOrder) {
    on_many_inputs([](parley::runtime& rt, std::vector<int> v) {
        auto expected = v;
        taking_part both(rt, v.size());
        v.erase(parley::remove_if(v.begin(), v.end(), both(is_odd)), v.end());
        expected.erase(std::remove_if(expected.begin(), expected.end(), is_odd), expected.end());
        ASSERT_EQ(v, expected);
    });
}

TEST(RemoveIf, MovesElementsThatCannotBeCopied) {
    with_each_size([](parley::runtime& rt) {
        rt.run([&] {
            std::deque<std::unique_ptr<int>> v;
            for (int i = 0; i < 5'000; ++i) v.push_back(std::make_unique<int>(i));
            taking_part both(rt, v.size());
            v.erase(parley::remove_if(v, both([](const std::unique_ptr<int>& p) { return *p % 3 != 0; })), v.end());
            ASSERT_EQ(v.size(), 1'667U);
            for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(*v[i], 3 * static_cast<int>(i));
        });
    });
}

TEST(Unique, KeepsTheFirstOfEqualNeighboursAlsoWherePartsMeet) {
    on_many_inputs([](parley::runtime& rt, std::vector<int> v) {
        auto expected = v;
        taking_part both(rt, v.size());
        v.erase(parley::unique(v.begin(), v.end(), both(std::equal_to<>{})), v.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        ASSERT_EQ(v, expected);
    });
}

TEST(Partition, HasTheSameBorderAndLosesNothing) {
    on_many_inputs([](parley::runtime& rt, std::vector<int> v) {
        auto expected = v;
        taking_part both(rt, v.size());
        const auto border = parley::partition(v.begin(), v.end(), both(is_odd));
        ASSERT_EQ(border - v.begin(), std::partition(expected.begin(), expected.end(), is_odd) - expected.begin());
        ASSERT_TRUE(std::all_of(v.begin(), border, is_odd) && std::none_of(border, v.end(), is_odd));
        std::sort(v.begin(), v.end());
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(v, expected);
    });
}

TEST(StablePartition, AsTheStandardDoes) {
    on_many_inputs([](parley::runtime& rt, std::vector<int> v) {
        auto expected = v;
        taking_part both(rt, v.size());
        const auto border = parley::stable_partition(v.begin(), v.end(), both(is_odd));
        ASSERT_EQ(border - v.begin(), std::stable_partition(expected.begin(), expected.end(), is_odd) - expected.begin());
        ASSERT_EQ(v, expected);
    });
}

// On all three ways: with a place for each element, in a buffer, and by the standard's.
template <class T>
struct Partitions : testing::Test {};
struct moves_may_throw {
    moves_may_throw(int i) : text(std::to_string(i)) {}  // NOLINT: as an int
    moves_may_throw(moves_may_throw&& other) noexcept(false) : text(std::move(other.text)) {}
    moves_may_throw& operator=(moves_may_throw&& other) noexcept(false) {
        text = std::move(other.text);
        return *this;
    }
    ~moves_may_throw() = default;
    friend int number_of(const moves_may_throw& m) { return std::stoi(m.text); }
    std::string text;
};
struct on_the_heap {
    on_the_heap(int i) : number(std::make_unique<int>(i)) {}  // NOLINT: as an int
    friend int number_of(const on_the_heap& o) { return *o.number; }
    std::unique_ptr<int> number;
};
int number_of(int i) { return i; }
using kinds = testing::Types<int, on_the_heap, moves_may_throw>;
TYPED_TEST_SUITE(Partitions, kinds);

TYPED_TEST(Partitions, NoElementIsLostIfThePredicateThrows) {
    with_each_size([](parley::runtime& rt) {
        constexpr int n = 3'000;
        for (const int at : {0, 1, 700, 1'500, n - 1})
            for (const bool stable : {false, true}) {
                std::vector<TypeParam> v;
                v.reserve(n);
                for (int i = 0; i < n; ++i) v.emplace_back(i);
                const bool in_one_thread = stable && !std::is_nothrow_move_constructible_v<TypeParam>;
                taking_part both(rt, in_one_thread ? 0 : v.size());
                const auto odd = [&](const TypeParam& t) {
                    const int number = number_of(t);
                    if (number == at) throw boom{};
                    return number % 2 == 1;
                };
                const auto goes_left = both([&](const TypeParam& t) { return odd(t); });
                EXPECT_THROW(rt.run([&] {
                    if (stable) parley::stable_partition(v, goes_left);
                    else parley::partition(v, goes_left);
                }),
                             boom);
                if (in_one_thread) continue;  // the standard promises nothing
                std::vector<int> left;
                for (const TypeParam& t : v) left.push_back(number_of(t));
                std::sort(left.begin(), left.end());
                for (int i = 0; i < n; ++i) ASSERT_EQ(left[static_cast<std::size_t>(i)], i);
            }
    });
}

}  // namespace
