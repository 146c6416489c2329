// Elements and results become the type of a reduction or a scan by implicit conversions only, as in the standard's.
#include "tests/parley/api/support.hpp"

#include <concepts>
#include <cstddef>
#include <numeric>

namespace {

using namespace api_test;

// Takes vectors and elements. A vector made of an element would have as many places as its value says.
struct append {
    std::vector<int> operator()(std::vector<int> a, int b) const {
        a.push_back(b);
        return a;
    }
    std::vector<int> operator()(std::vector<int> a, const std::vector<int>& b) const {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }
};

template <class It>
struct element_of {
    It place;
    std::iter_reference_t<It> operator()(int) const { return *place; }
};

// Number of algorithms that take elements of It, values of T, op, and a map that leaves elements as they are.
template <class It, class T, class Op>
constexpr int reduced = int {
    requires(It i, T t, Op op) { parley::reduce(i, i, t, op); }  // namespace
}
+ int {
    requires(It i, T t, Op op) { parley::reduce(i, i, t, op, std::identity{}); }
}
+ int {
    requires(It i, T t, Op op) { parley::reduce_deterministic(i, i, t, op); }
}
+ int {
    requires(It i, T t, Op op) { parley::reduce_deterministic(i, i, t, op, std::identity{}); }
}
+ int {
    requires(It i, T t, Op op) { parley::reduce_index(0, 1, t, op, element_of<It>{i}); }
}
+ int {
    requires(It i, T t, Op op, T * out) { parley::inclusive_scan(i, i, out, op, t); }
}
+ int{requires(It i, T t, Op op, T* out){parley::exclusive_scan(i, i, out, t, op);
}  // namespace
}
;

TEST(Conversions, ElementsThatConvertExplicitlyOnlyAreRefused) {
    static_assert(reduced<int*, std::vector<int>, append> == 0);
    static_assert(reduced<std::vector<int>*, std::vector<int>, append> == 7);
    static_assert(reduced<int*, long, std::plus<>> == 7 && reduced<double*, int, std::plus<>> == 7);
}

struct explicitly {
    explicit explicitly(int) {}
};
struct to_something_else {
    int operator()(const explicitly&, const explicitly&) const { return 1; }
};

TEST(Conversions, ResultsThatConvertExplicitlyOnlyAreRefused) {
    static_assert(reduced<explicitly*, explicitly, to_something_else> == 0);
    static_assert(reduced<int*, int, std::equal_to<>> == 7);  // bool becomes int
}

// An int becomes one by way of long, as wherever no conversion is written.
struct by_way_of {
    long value = 0;
    bool was_explicit = false;
    explicit by_way_of(int i) : value(i), was_explicit(true) {}
    by_way_of(long l) : value(l) {}  // NOLINT
    friend by_way_of operator+(const by_way_of& a, const by_way_of& b) {
        by_way_of sum(a.value + b.value);
        sum.was_explicit = a.was_explicit || b.was_explicit;
        return sum;
    }
};
struct sum_as_int {
    int operator()(const by_way_of& a, const by_way_of& b) const { return static_cast<int>(a.value + b.value); }
};

TEST(Conversions, NoExplicitConstructorIsUsed) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<int> numbers(5'000);
            std::iota(numbers.begin(), numbers.end(), 0);
            const auto expect_right = [](const by_way_of& sum, long value) {
                EXPECT_EQ(sum.value, value);
                EXPECT_FALSE(sum.was_explicit);
            };
            const auto first = numbers.begin(), last = numbers.end();
            const long total = 5'000L * 4'999 / 2;
            expect_right(parley::reduce(first, last, by_way_of(1L)), total + 1);
            expect_right(parley::reduce(first, last, by_way_of(1L), sum_as_int{}), total + 1);
            expect_right(parley::reduce_deterministic(first, last, by_way_of(1L), sum_as_int{}), total + 1);
            expect_right(parley::reduce_index(0, 5'000, by_way_of(1L), sum_as_int{}, std::identity{}), total + 1);
            std::vector<by_way_of> sums(numbers.size(), by_way_of(0L));
            parley::inclusive_scan(first, last, sums.begin(), sum_as_int{}, by_way_of(1L));
            expect_right(sums.back(), total + 1);
            parley::exclusive_scan(first, last, sums.begin(), by_way_of(1L), sum_as_int{});
            expect_right(sums.back(), total + 1 - 4'999);
        });
    });
}

struct takes_numbers {
    takes_numbers& operator=(int i) {
        value = i;
        return *this;
    }
    int value = 0;
};

template <class It, class Out>
constexpr bool copied_to = requires(It i, Out o) { parley::copy_if(i, i, o, std::identity{}); };

// What is written is assigned, so an assignment decides.
TEST(Conversions, ElementsThatAreCopiedAreAssigned) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<int> numbers(5'000);
            parley::iota(numbers, short{0});
            std::vector<takes_numbers> out(10'000);
            EXPECT_EQ(parley::merge(numbers, numbers, out.begin()), out.end());
            EXPECT_EQ(out.back().value, 4'999);
            EXPECT_EQ(parley::copy_if(numbers, out.begin(), [](int i) { return i % 2; }) - out.begin(), 2'500);
            EXPECT_EQ(out[2'499].value, 4'999);
            EXPECT_EQ(parley::set_intersection(numbers, numbers, out.begin()) - out.begin(), 5'000);
            EXPECT_EQ(out[4'999].value, 4'999);
            parley::fill(out, 3);
            parley::generate(out, [] { return 4; });
            EXPECT_EQ(out.front().value, 4);
        });
    });
    static_assert(copied_to<int*, takes_numbers*> && !copied_to<const char**, takes_numbers*>);
}

template <class It, class T>
constexpr bool counted_on = requires(It i, T t) { parley::iota(i, i, t); };

TEST(Conversions, IotaCountsIntegersAndIteratorsOnly) {
    static_assert(counted_on<double*, int> && counted_on<int**, int*>);
    static_assert(!counted_on<bool*, bool> && !counted_on<double*, double> && !counted_on<int*, explicitly>);
}

template <class It, class BinOf>
constexpr bool put_in_bins = requires(It i, BinOf bin_of) { parley::histogram(i, i, 2, bin_of); };

TEST(Conversions, BinsAreNumbers) {
    static_assert(put_in_bins<int*, bool (*)(int)> && put_in_bins<int*, const char& (*)(double)>);
    static_assert(!put_in_bins<int*, double (*)(int)> && !put_in_bins<int*, int (*)(const char*)>);
}

// Numbers narrow, without a word, where std::reduce's do.
TEST(Conversions, NumbersNarrowToTheTypeOfTheFirstValue) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            const std::vector<double> halves(1'000, 0.5);
            EXPECT_EQ(parley::reduce(halves.begin(), halves.end(), 3), 3);
            const std::vector<int> numbers(1'000, 1);
            EXPECT_EQ(parley::reduce(numbers.begin(), numbers.end(), static_cast<unsigned char>(0)), 1'000 % 256);
            EXPECT_EQ(parley::reduce_index(0, 1'000, static_cast<short>(5), std::plus<>{}, [](int) { return 1L; }), 1'005);
        });
    });
}

}  // namespace
