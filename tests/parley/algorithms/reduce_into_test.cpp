// reduce_into and reduce_index_into: order, how many values are made, types, exceptions.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;
using parley::reduce_into;

using sequence = std::vector<int>;

constexpr auto make_sequence = [] { return sequence{}; };
constexpr auto append_one = [](sequence& s, int i) { s.push_back(i); };
constexpr auto append_all = [](sequence& s, const sequence& other) { s.insert(s.end(), other.begin(), other.end()); };

sequence counted_up(std::size_t n) {
    sequence all(n);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TEST(ReduceInto, KeepsTheOrder) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 8U, 64U, 65U, 1'000U, 30'011U}) {
                const sequence all = counted_up(n);
                for (std::size_t round = 0; round < times(10); ++round)
                    ASSERT_EQ(reduce_into(all.begin(), all.end(), make_sequence, append_one, append_all), all);
            }
        });
    });
}

TEST(ReduceInto, ElementsThatTakeLongReachOtherWorkersAndStayInOrder) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        const sequence all = counted_up(500);
        std::atomic<bool> other{false};
        const auto here = std::this_thread::get_id();
        const auto slow = [&](sequence& s, int i) {
            if (std::this_thread::get_id() != here) other = true;
            else if (i == 0) poll_until([&] { return other.load(); });
            fib(8);
            s.push_back(i);
        };
        EXPECT_EQ(rt.run([&] { return reduce_into(all.begin(), all.end(), make_sequence, slow, append_all); }), all);
        EXPECT_TRUE(other);
    }
}

std::uint64_t splits_in(const parley::runtime& rt) {
    std::uint64_t sum = 0;
    for (const auto& c : rt.counters()) sum += c.splits;
    return sum;
}

// As many as there are parts, and not for each element or block.
TEST(ReduceInto, MakesOneValueForEachPartAndMergesAllButOne) {
    with_each_size([](parley::runtime& rt) {
        const sequence all = counted_up(20'000);
        std::atomic<std::uint64_t> made{0}, merged{0}, put{0};
        const std::uint64_t before = splits_in(rt);
        const int sum = rt.run([&] {
            return reduce_into(
                all.begin(), all.end(), [&] { return ++made, 0; },
                [&](int& s, int i) {
                    ++put;
                    s += i;
                    fib(3);
                },
                [&](int& s, int other) {
                    ++merged;
                    s += other;
                });
        });
        EXPECT_EQ(sum, 20'000 / 2 * 19'999);
        EXPECT_EQ(put, all.size());
        EXPECT_EQ(made, splits_in(rt) - before + 1);
        EXPECT_EQ(merged, made - 1);
    });
}

// It can be moved, but neither copied nor assigned nor made from nothing.
class moved_sum {
public:
    explicit moved_sum(long start) : value(std::make_unique<long>(start)) {}
    moved_sum(moved_sum&&) = default;
    moved_sum& operator=(moved_sum&&) = delete;
    ~moved_sum() = default;
    std::unique_ptr<long> value;
};

TEST(ReduceInto, ValuesNeedNothingButToBeMoved) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const sequence all = counted_up(5'000);
            const moved_sum sum = reduce_into(
                all.begin(), all.end(), [] { return moved_sum(0); }, [](moved_sum& s, int i) { *s.value += i; },
                [](moved_sum& s, moved_sum other) { *s.value += *other.value; });
            EXPECT_EQ(*sum.value, 5'000 / 2 * 4'999);
        });
    });
}

TEST(ReduceInto, OfNothingIsWhatMakeReturns) {
    const sequence none;
    EXPECT_EQ(reduce_into(
                  none.begin(), none.end(), [] { return std::string("made"); }, [](std::string&, int) {},
                  [](std::string&, const std::string&) {}),
              "made");
}

TEST(ReduceInto, MakesHistogramsAndMaps) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const sequence all = counted_up(10'000);
            const auto digits = reduce_into(
                all, [] { return std::vector<long>(10); }, [](std::vector<long>& h, int i) { ++h[std::size_t(i % 10)]; },
                [](std::vector<long>& h, const std::vector<long>& other) {
                    std::transform(h.begin(), h.end(), other.begin(), h.begin(), std::plus<>{});
                });
            EXPECT_EQ(digits, std::vector<long>(10, 1'000));
            using index = std::map<std::size_t, sequence>;
            const index by_length = reduce_into(
                all, [] { return index{}; }, [](index& m, int i) { m[std::to_string(i).size()].push_back(i); },
                [](index& m, const index& other) {
                    for (const auto& [length, numbers] : other) append_all(m[length], numbers);
                });
            ASSERT_EQ(by_length.size(), 4U);
            EXPECT_EQ(by_length.at(1), counted_up(10));
            EXPECT_EQ(by_length.at(4).front(), 1'000);
            EXPECT_TRUE(std::is_sorted(by_length.at(4).begin(), by_length.at(4).end()));
        });
    });
}

TEST(ReduceInto, TakesElementsByReferenceAndThroughProxies) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<std::string> words(2'000, "word");
            const auto moved = reduce_into(
                words, [] { return std::deque<std::string>{}; },
                [](std::deque<std::string>& d, std::string& w) { d.push_back(std::move(w)); },
                [](std::deque<std::string>& d, std::deque<std::string>&& other) {
                    std::move(other.begin(), other.end(), std::back_inserter(d));
                });
            EXPECT_EQ(moved, std::deque<std::string>(2'000, "word"));
            std::vector<bool> bits(3'000);
            bits[5] = bits[2'999] = true;
            const auto ones = reduce_into(
                bits.begin(), bits.end(), [] { return 0; }, [](int& n, bool b) { n += b ? 1 : 0; },
                [](int& n, int other) { n += other; });
            EXPECT_EQ(ones, 2);
        });
    });
}

TEST(ReduceInto, OfIntegersPutsEachInOrderWhateverTheTypesOfTheBounds) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            using wide_numbers = std::vector<long long>;
            const auto between = [](auto first, auto last) {
                return parley::reduce_index_into(
                    first, last, [] { return wide_numbers{}; },
                    [](wide_numbers& s, auto i) { s.push_back(static_cast<long long>(i)); },
                    [](wide_numbers& s, const wide_numbers& other) { s.insert(s.end(), other.begin(), other.end()); });
            };
            wide_numbers expected(3'005);
            std::iota(expected.begin(), expected.end(), -5);
            EXPECT_EQ(between(-5, 3'000U), expected);
            EXPECT_EQ(between(5, -5L), wide_numbers{});
            EXPECT_EQ(between(static_cast<unsigned char>(253), static_cast<unsigned char>(255)), (wide_numbers{253, 254}));
        });
    });
}

TEST(ReduceInto, ExceptionsOfMakeAndAccumulateArriveAndNothingLeaks) {
    with_each_size([](parley::runtime& rt) {
        tally alive{0};
        const sequence all = counted_up(5'000);
        std::atomic<int> left{0};
        const auto put_in = [&](std::vector<counted>& v, int) {
            if (left-- == 0) throw boom{};
            v.emplace_back(alive);
        };
        const auto join = [](std::vector<counted>& v, const std::vector<counted>& other) {
            for (const counted& c : other) v.push_back(c);
        };
        for (const int after : {0, 1, 100, 4'000}) {
            left = after;
            EXPECT_THROW((void)rt.run([&] { return reduce_into(all, [] { return std::vector<counted>{}; }, put_in, join); }),
                         boom);
            EXPECT_EQ(alive, 0);
        }
        EXPECT_THROW(
            (void)rt.run([&] { return reduce_into(all, []() -> std::vector<counted> { throw boom{}; }, put_in, join); }),
            boom);
        EXPECT_EQ(alive, 0);
    });
}

TEST(ReduceInto, ExceptionsOfMakeAndMergeAreThoseOfAPartThatAnotherWorkerHas) {
    for (const unsigned n : several) {
        parley::runtime rt{{.workers = n}};
        tally alive{0};
        for (const bool in_make : {false, true}) {
            std::atomic<int> made{0};
            const auto make = [&] {
                if (++made > 1 && in_make) throw boom{1};
                return std::vector<counted>{};
            };
            const auto put_in = [&](std::vector<counted>& v, int i) {
                v.emplace_back(alive);
                if (i == 0) poll_until([&] { return made.load() > 1; });
            };
            const auto join = [](std::vector<counted>&, const std::vector<counted>&) { throw boom{2}; };
            try {
                (void)rt.run([&] { return parley::reduce_index_into(0, 1'000, make, put_in, join); });
                ADD_FAILURE() << "nothing was thrown";
            } catch (const boom& b) {
                EXPECT_EQ(b.number, in_make ? 1 : 2);
            }
            EXPECT_EQ(alive, 0);
        }
    }
}

TEST(ReduceInto, CanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        const sequence all = counted_up(1'000);
        EXPECT_THROW(rt.run([&] {
            for (;;) (void)reduce_into(all, [] { return 0; }, [&](int&, int) { rt.cancel(); }, [](int&, int) {});
        }),
                     parley::cancelled);
    });
}

TEST(ReduceInto, OutsideAnyRuntimeAndInsideTasks) {
    const sequence all = counted_up(3'000);
    EXPECT_EQ(reduce_into(all, make_sequence, append_one, append_all), all);
    with_each_size([&](parley::runtime& rt) {
        const auto row = [&](sequence& s, int) {
            append_all(s, reduce_into(all.begin(), all.begin() + 100, make_sequence, append_one, append_all));
        };
        EXPECT_EQ(rt.run([&] { return reduce_into(all.begin(), all.begin() + 50, make_sequence, row, append_all); }).size(),
                  5'000U);
    });
}

template <class Make, class Accumulate, class Merge>
constexpr bool reduces_into = requires(int* i, Make make, Accumulate accumulate, Merge merge) {
    reduce_into(i, i, make, accumulate, merge);
} && requires(Make make, Accumulate accumulate, Merge merge) { parley::reduce_index_into(0, 1, make, accumulate, merge); };

struct cannot_be_moved {
    cannot_be_moved() = default;
    cannot_be_moved(const cannot_be_moved&) = delete;
};

TEST(ReduceInto, MergeGetsTheOtherValueAsAnRvalue) {
    using make = std::string (*)();
    using put = void (*)(std::string&, int);
    static_assert(reduces_into<make, put, void (*)(std::string&, std::string&&)>);
    static_assert(reduces_into<make, put, void (*)(std::string&, const std::string&)>);
    static_assert(!reduces_into<make, put, void (*)(std::string&, std::string&)>);
}

// std::plus<> would leave the value as it was.
TEST(ReduceInto, WhatChangesNothingInPlaceDoesNotCompile) {
    using make = long (*)();
    using put = void (*)(long&, int);
    using join = void (*)(long&, long);
    static_assert(reduces_into<make, put, join>);
    static_assert(reduces_into<make, bool (*)(long&, int), long& (*)(long&, const long&)>);
    static_assert(!reduces_into<make, std::plus<>, join> && !reduces_into<make, put, std::plus<>>);
    static_assert(!reduces_into<make, long (*)(const long&, int), join> && !reduces_into<make, void (*)(long&), join>);
    static_assert(!reduces_into<void (*)(), put, join> && !reduces_into<long& (*)(), put, join>);
    static_assert(!reduces_into<cannot_be_moved (*)(), void (*)(cannot_be_moved&, int),
                                void (*)(cannot_be_moved&, const cannot_be_moved&)>);
}

}  // namespace
