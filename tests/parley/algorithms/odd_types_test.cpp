// Types of elements that the standard's algorithms take: moved only, with operators of their own, and that no algorithm may
// move onto themselves.
#include "tests/parley/algorithms/odd_types.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace api_test;

template <class T>
void use_every_algorithm() {
    for (const int n : {1, 5, 30, 100, 2'000}) {
        SCOPED_TRACE(n);
        const auto original = shuffled<T>(n);
        auto sorted = original, stable = original, sums = original;
        parley::sort(sorted.begin(), sorted.end());
        parley::stable_sort(stable.begin(), stable.end());
        for (int i = 0; i < n; ++i) {
            ASSERT_EQ(sorted[static_cast<std::size_t>(i)].key, i);
            ASSERT_EQ(stable[static_cast<std::size_t>(i)].key, i);
        }
        const int total = n * (n - 1) / 2;
        EXPECT_EQ(parley::reduce(original.begin(), original.end(), T(0)).key, total);
        EXPECT_EQ(parley::reduce_deterministic(original.begin(), original.end(), T(0)).key, total);
        EXPECT_EQ(parley::reduce_index(0, n, T(0), std::plus<>{}, [](int i) { return T(i); }).key, total);
        EXPECT_EQ(parley::inclusive_scan(original.begin(), original.end(), sums.begin()), sums.end());
        EXPECT_EQ(sums.back().key, total);
        parley::exclusive_scan(original.begin(), original.end(), sums.begin(), T(7));
        EXPECT_EQ(sums.front().key, 7);
        parley::transform(original.begin(), original.end(), sums.begin(), sums.begin(), std::plus<>{});
        EXPECT_EQ(sums.front().key, 7);
        parley::for_each(sums.begin(), sums.end(), [](T& t) { t.key = 1; });
        EXPECT_EQ(parley::find(sums.begin(), sums.end(), T(1)), sums.begin());
        EXPECT_EQ(parley::min_element(original.begin(), original.end())->key, 0);
        EXPECT_EQ(parley::max_element(original.begin(), original.end())->key, n - 1);
        EXPECT_EQ(parley::minmax_element(original.begin(), original.end()).second->key, n - 1);
    }
}

// The numbers from 0 to n - 1, in order after each step.
template <class T>
void change_by_every_algorithm_in_order() {
    for (const int n : {1, 2, 5, 30, 100, 2'000, 10'000}) {
        SCOPED_TRACE(n);
        auto all = shuffled<T>(n);
        const auto first = all.begin(), last = all.end(), middle = first + n / 2;
        const auto is_small = [n](const T& t) { return t.key < n / 2; };
        const auto is_in_order = [&] {
            for (int i = 0; i < n; ++i)
                if (all[static_cast<std::size_t>(i)].key != i) return false;
            return true;
        };
        parley::partial_sort(first, last, last);
        ASSERT_TRUE(is_in_order());
        parley::reverse(first, last);
        parley::nth_element(first, middle, last);
        ASSERT_EQ(middle->key, n / 2);
        ASSERT_EQ(parley::partition(first, last, is_small), middle);
        parley::sort(first, last);
        ASSERT_EQ(parley::rotate(first, middle, last), first + (n - n / 2));
        ASSERT_EQ(parley::stable_partition(first, last, is_small), middle);
        ASSERT_TRUE(is_in_order());
        parley::rotate(first, middle, last);
        parley::rotate(first, last - n / 2, last);
        parley::inplace_merge(first, middle, last);
        parley::inplace_merge(first, last - n / 3, last, [](const T& a, const T& b) { return b < a && false; });
        ASSERT_TRUE(is_in_order());
        ASSERT_EQ(parley::unique(first, last, [](const T& a, const T& b) { return !(a < b || b < a); }), last);
        ASSERT_EQ(parley::remove_if(first, last, [](const T& t) { return t.key < 0; }), last);
        ASSERT_TRUE(parley::is_sorted(first, last));
        ASSERT_TRUE(is_in_order());
        const auto half = [](const T& a, const T& b) { return a.key / 2 == b.key / 2; };
        ASSERT_EQ(parley::unique(first, last, half) - first, (n + 1) / 2);
        ASSERT_EQ(all[static_cast<std::size_t>((n - 1) / 2)].key, (n - 1) / 2 * 2);
        ASSERT_EQ(parley::remove_if(first, first + (n + 1) / 2, is_small) - first, (n + 1) / 2 - (n / 2 + 1) / 2);
    }
}

template <class T>
void copy_by_every_algorithm() {
    for (const int n : {1, 5, 100, 10'000}) {
        std::vector<T> all(static_cast<std::size_t>(n)), out(2 * all.size());
        for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)].key = i;
        const auto first = all.begin(), last = all.end();
        const auto to = out.begin();
        EXPECT_EQ(parley::merge(first, last, first, last, to), out.end());
        EXPECT_EQ(out.back().key, n - 1);
        EXPECT_EQ(parley::set_union(first, last, first, last, to), to + n);
        EXPECT_EQ(parley::set_intersection(first, last, first, last, to), to + n);
        EXPECT_EQ(parley::set_difference(first, last, first, last, to), to);
        EXPECT_EQ(parley::set_symmetric_difference(first, last, first, last, to), to);
        EXPECT_TRUE(parley::includes(first, last, first, last));
        EXPECT_EQ(parley::copy_if(first, last, to, [](const T& t) { return t.key % 2 == 0; }), to + (n + 1) / 2);
        EXPECT_TRUE(parley::equal(first, last, first, last));
        EXPECT_EQ(parley::mismatch(first, last, to, to + 1).first, first + 1);
        EXPECT_EQ(parley::adjacent_find(first, last), last);
        EXPECT_EQ(parley::count(first, last, T(0)), 1);
        parley::fill(first, last, T(7));
        EXPECT_EQ(parley::count(first, last, T(7)), n);
        parley::generate(first, last, [] { return T(8); });
        EXPECT_EQ(parley::count(first, last, T(8)), n);
    }
}

TEST(OddTypes, ElementsThatArePickedAndMovedMayHaveOperatorsOfTheirOwn) {
    with_each_size([](parley::runtime& rt) {
        rt.run(change_by_every_algorithm_in_order<rude<int>>);
        rt.run(change_by_every_algorithm_in_order<rude<std::string>>);
        rt.run(copy_by_every_algorithm<rude<int>>);
        rt.run(copy_by_every_algorithm<rude<std::string>>);
    });
}

TEST(OddTypes, ElementsMayHaveOperatorsOfTheirOwn) {
    with_each_size([](parley::runtime& rt) {
        rt.run(use_every_algorithm<rude<int>>);
        rt.run(use_every_algorithm<rude<std::string>>);
    });
}

TEST(OddTypes, PlainElementsThatCanOnlyBeMovedAreSorted) {
    static_assert(std::is_trivially_copyable_v<plain_token>);
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {2, 8, 33, 3'000}) {
                auto a = shuffled<plain_token>(n), b = shuffled<plain_token>(n);
                parley::sort(a.begin(), a.end());
                parley::stable_sort(b.begin(), b.end());
                EXPECT_TRUE(std::is_sorted(a.begin(), a.end()) && std::is_sorted(b.begin(), b.end()));
                EXPECT_EQ(parley::max_element(a.begin(), a.end()), a.end() - 1);
            }
        });
    });
}

// Its moves are its own, so it has no place in a register.
struct heavy_token {
    int key;
    explicit heavy_token(int k) : key(k) {}
    heavy_token(heavy_token&& other) noexcept : key(std::exchange(other.key, -1)) {}
    heavy_token& operator=(heavy_token&& other) noexcept {
        key = std::exchange(other.key, -1);
        return *this;
    }
    ~heavy_token() = default;
    friend bool operator<(const heavy_token& a, const heavy_token& b) { return a.key < b.key; }
};
// Its moves may throw.
struct careless_token : heavy_token {
    using heavy_token::heavy_token;
    careless_token(careless_token&& other) noexcept(false) : heavy_token(std::move(other)) {}
    careless_token& operator=(careless_token&& other) noexcept(false) {
        heavy_token::operator=(std::move(other));
        return *this;
    }
    ~careless_token() = default;
};

TEST(OddTypes, ElementsThatCanOnlyBeMovedAreMovedByEveryAlgorithm) {
    with_each_size([](parley::runtime& rt) {
        rt.run(change_by_every_algorithm_in_order<plain_token>);
        rt.run(change_by_every_algorithm_in_order<heavy_token>);
        rt.run(change_by_every_algorithm_in_order<careless_token>);
    });
}

// Ranges that are no longer than the largest difference.
template <class T>
class short_steps {
public:
    using difference_type = std::int8_t;
    using value_type = T;
    using reference = T&;
    using pointer = T*;
    using iterator_category = std::random_access_iterator_tag;
    short_steps() = default;
    explicit short_steps(T* at) : at_(at) {}
    T& operator*() const { return *at_; }
    T& operator[](difference_type n) const { return at_[n]; }
    short_steps& operator++() { return *this += difference_type{1}; }
    short_steps& operator--() { return *this -= difference_type{1}; }
    short_steps operator++(int) { return short_steps(at_++); }
    short_steps operator--(int) { return short_steps(at_--); }
    short_steps& operator+=(difference_type n) {
        at_ += n;
        return *this;
    }
    short_steps& operator-=(difference_type n) {
        at_ -= n;
        return *this;
    }
    friend short_steps operator+(short_steps i, difference_type n) { return short_steps(i.at_ + n); }
    friend short_steps operator+(difference_type n, short_steps i) { return short_steps(i.at_ + n); }
    friend short_steps operator-(short_steps i, difference_type n) { return short_steps(i.at_ - n); }
    friend difference_type operator-(short_steps i, short_steps j) { return static_cast<difference_type>(i.at_ - j.at_); }
    friend auto operator<=>(const short_steps&, const short_steps&) = default;

private:
    T* at_ = nullptr;
};

template <class T>
void change_in_short_steps() {
    constexpr int n = 127;
    auto all = shuffled<T>(n);
    const short_steps<T> first(all.data()), last(all.data() + n), middle = first + std::int8_t{63};
    const auto is_odd_key = [](const T& t) { return t.key % 2 == 1; };
    parley::partial_sort(first, last, last);
    EXPECT_TRUE(parley::is_sorted(first, last));
    EXPECT_EQ(parley::count_if(first, last, is_odd_key), 63);
    EXPECT_TRUE(parley::all_of(first, last, [](const T& t) { return t.key >= 0; }));
    parley::reverse(first, last);
    EXPECT_EQ(parley::is_sorted_until(first, last) - first, 1);
    parley::nth_element(first, middle, last);
    EXPECT_EQ((*middle).key, 63);
    EXPECT_EQ(parley::partition(first, last, is_odd_key) - first, 63);
    parley::sort(first, last);
    EXPECT_EQ(parley::rotate(first, middle, last) - first, 64);
    parley::inplace_merge(first, first + std::int8_t{64}, last);
    EXPECT_EQ(parley::stable_partition(first, last, is_odd_key) - first, 63);
    EXPECT_EQ((*(last - std::int8_t{1})).key, 126);
    EXPECT_EQ(parley::remove_if(first, last, is_odd_key) - first, 64);
    EXPECT_EQ(parley::unique(first, middle, [](const T& a, const T& b) { return a.key / 4 == b.key / 4; }) - first, 32);
}

TEST(OddTypes, DifferencesOfIteratorsMayBeSmall) {
    with_each_size([](parley::runtime& rt) {
        rt.run(change_in_short_steps<plain_token>);
        rt.run(change_in_short_steps<heavy_token>);
        rt.run([] {
            std::vector<int> numbers(120), out(120);
            std::iota(numbers.begin(), numbers.end(), 0);
            const short_steps<int> first(numbers.data()), middle(numbers.data() + 60), last(numbers.data() + 120);
            const short_steps<int> to(out.data()), to_end(out.data() + 120);
            EXPECT_EQ(parley::merge(middle, last, first, middle, to), to_end);
            EXPECT_TRUE(parley::equal(first, last, to, to_end));
            EXPECT_EQ(parley::set_union(first, last, middle, last, to), to_end);
            EXPECT_EQ(parley::set_difference(first, last, middle, last, to) - to, 60);
            EXPECT_TRUE(parley::includes(first, last, middle, last));
            EXPECT_EQ(parley::copy_if(first, last, to, [](int i) { return i >= 60; }) - to, 60);
            EXPECT_EQ(parley::mismatch(first, last, to, to_end).first, first);
            EXPECT_EQ(parley::adjacent_find(first, last), last);
            EXPECT_EQ(parley::histogram(first, last, 120, std::identity{}), std::vector<std::uint64_t>(120, 1));
            parley::fill(to, to_end, 3);
            parley::iota(to, to_end, 0);
            EXPECT_EQ(out, numbers);
        });
    });
}

using owner = std::unique_ptr<int>;

TEST(OddTypes, ValuesThatCanOnlyBeMovedAreReducedAndScanned) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<int> numbers(5'000);
            std::iota(numbers.begin(), numbers.end(), 0);
            const auto made = [](int i) { return std::make_unique<int>(i); };
            const auto sum = [](const owner& a, const owner& b) { return std::make_unique<int>(*a + *b); };
            const int total = 5'000 * 4'999 / 2;
            EXPECT_EQ(*parley::reduce(numbers.begin(), numbers.end(), made(0), sum, made), total);
            EXPECT_EQ(*parley::reduce_deterministic(numbers.begin(), numbers.end(), made(0), sum, made), total);
            EXPECT_EQ(*parley::reduce_index(0, 5'000, made(0), sum, made), total);
            std::vector<owner> owners(numbers.size());
            parley::transform(numbers.begin(), numbers.end(), owners.begin(), made);
            EXPECT_EQ(*owners.back(), 4'999);
        });
    });
}

// Moved onto itself it is lost, which std::sort's requirements allow.
std::atomic<long> self_moves{0};
class strict {
public:
    explicit strict(int k) : text_("a text that is long enough for the heap"), key_(k) {}
    strict(strict&&) noexcept = default;
    strict& operator=(strict&& other) noexcept {
        if (this == &other) ++self_moves;
        text_ = std::move(other.text_);
        key_ = other.key_;
        return *this;
    }
    ~strict() = default;
    friend bool operator<(const strict& a, const strict& b) { return a.key_ < b.key_; }
    [[nodiscard]] bool is_whole() const { return text_.starts_with("a text"); }

private:
    std::string text_;
    int key_;
};

void move_all_of(std::vector<strict>& all, bool is_stable) {
    const auto first = all.begin(), middle = first + static_cast<std::ptrdiff_t>(all.size() / 2), last = all.end();
    const strict border(static_cast<int>(all.size() / 3));
    const auto goes_left = [&](const strict& s) { return border < s; };
    if (is_stable) {
        (void)parley::stable_partition(first, last, goes_left);
        parley::stable_sort(first, middle);
        parley::stable_sort(middle, last);
        parley::inplace_merge(first, middle, last);
        parley::rotate(first, middle, last);
    } else {
        parley::reverse(first, last);
        parley::nth_element(first, middle, last);
        parley::partial_sort(first, middle, last);
        (void)parley::partition(first, last, goes_left);
    }
    EXPECT_EQ(parley::unique(first, last, [](const strict&, const strict&) { return false; }), last);
    EXPECT_EQ(parley::remove_if(first, last, [](const strict&) { return false; }), last);
}

TEST(OddTypes, NoElementIsMovedOntoItself) {
    self_moves = 0;
    with_each_size([](parley::runtime& rt) {
        for (const int n : {2, 5, 9, 40, 100, 1'000, 20'000, static_cast<int>(times(150'000))})
            for (int kind = 0; kind < 4; ++kind)
                for (const bool is_stable : {false, true}) {
                    std::vector<strict> all;
                    for (int i = 0; i < n; ++i)
                        all.emplace_back(kind == 0   ? static_cast<int>(i * 7'919LL % n)
                                         : kind == 1 ? i % 3
                                         : kind == 2 ? n - i / 2
                                                     : i ^ 5);
                    rt.run([&] {
                        if (n <= 20'000) move_all_of(all, is_stable);
                        if (is_stable) parley::stable_sort(all.begin(), all.end());
                        else parley::sort(all.begin(), all.end());
                    });
                    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
                    ASSERT_TRUE(std::all_of(all.begin(), all.end(), [](const strict& s) { return s.is_whole(); }));
                }
    });
    EXPECT_EQ(self_moves, 0);
}

// So many elements that an order which is none makes heapsort take over do not move onto themselves, either.
TEST(OddTypes, HeapSortMovesNoElementOntoItself) {
    self_moves = 0;
    auto all = shuffled<strict>(1'000);
    std::less<> less;
    parley::detail::heap_sort(all.begin(), all.end(), less);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    EXPECT_EQ(self_moves, 0);
}

}  // namespace
