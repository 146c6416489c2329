// Types that the standard's algorithms take: moved only, with operators of their own, with proxies, and with comparisons
// and operations of every kind.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>

namespace {

using namespace api_test;

// Neither operator& nor the comma nor a new of its own concerns an algorithm. `Payload` makes it plain or not.
template <class Payload>
struct rude {
    int key = 0;
    Payload payload{};
    rude() = default;
    explicit rude(int k) : key(k) {}
    rude* operator&() = delete;
    const rude* operator&() const = delete;
    template <class T>
    friend void operator,(const rude&, T&&) = delete;
    template <class T>
    friend void operator,(T&&, const rude&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new(std::size_t, void*) = delete;
    friend bool operator<(const rude& a, const rude& b) { return a.key < b.key; }
    friend bool operator==(const rude& a, const rude& b) { return a.key == b.key; }
    friend rude operator+(const rude& a, const rude& b) { return rude(a.key + b.key); }
};

template <class T>
std::vector<T> shuffled(int n) {
    std::vector<T> all;
    for (int i = 0; i < n; ++i) all.emplace_back(static_cast<int>(i * 7'919LL % n));
    return all;
}

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

TEST(OddTypes, ElementsMayHaveOperatorsOfTheirOwn) {
    with_each_size([](parley::runtime& rt) {
        rt.run(use_every_algorithm<rude<int>>);
        rt.run(use_every_algorithm<rude<std::string>>);
    });
}

// Trivially copyable, although no copy can be made.
struct plain_token {
    int key;
    explicit plain_token(int k) : key(k) {}
    plain_token(plain_token&&) = default;
    plain_token& operator=(plain_token&&) = default;
    plain_token(const plain_token&) = delete;
    plain_token& operator=(const plain_token&) = delete;
    ~plain_token() = default;
    friend bool operator<(const plain_token& a, const plain_token& b) { return a.key < b.key; }
};

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

TEST(OddTypes, NoElementIsMovedOntoItself) {
    self_moves = 0;
    with_each_size([](parley::runtime& rt) {
        for (const int n : {2, 5, 9, 40, 100, 1'000, static_cast<int>(times(150'000))})
            for (int kind = 0; kind < 4; ++kind)
                for (const bool is_stable : {false, true}) {
                    std::vector<strict> all;
                    for (int i = 0; i < n; ++i)
                        all.emplace_back(kind == 0   ? static_cast<int>(i * 7'919LL % n)
                                         : kind == 1 ? i % 3
                                         : kind == 2 ? n - i / 2
                                                     : i ^ 5);
                    rt.run([&] {
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

TEST(OddTypes, BitsAreReadThroughTheirProxies) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<bool> bits(5'000);
            for (std::size_t i = 0; i < bits.size(); i += 5) bits[i] = true;
            bits[0] = false;
            EXPECT_EQ(parley::find(bits.begin(), bits.end(), true) - bits.begin(), 5);
            EXPECT_EQ(parley::find_if(bits.begin(), bits.end(), [](bool b) { return b; }) - bits.begin(), 5);
            EXPECT_EQ(parley::max_element(bits.begin(), bits.end()) - bits.begin(), 5);
            EXPECT_EQ(parley::min_element(bits.cbegin(), bits.cend()) - bits.cbegin(), 0);
            EXPECT_EQ(parley::minmax_element(bits.begin(), bits.end()).second - bits.begin(), 4'995);
            EXPECT_EQ(parley::reduce(bits.begin(), bits.end(), 0), 999);
            EXPECT_EQ(parley::reduce_deterministic(bits.begin(), bits.end(), 0L), 999);
            std::vector<int> numbers(bits.size());
            parley::transform(bits.begin(), bits.end(), numbers.begin(), [](bool b) { return b ? 2 : 0; });
            EXPECT_EQ(numbers[5], 2);
            parley::inclusive_scan(bits.begin(), bits.end(), numbers.begin(), std::plus<>{}, 0);
            EXPECT_EQ(numbers.back(), 999);
            std::atomic<int> ones{0};
            parley::for_each(bits.begin(), bits.end(), [&](bool b) { ones += b ? 1 : 0; });
            EXPECT_EQ(ones, 999);
        });
    });
}

template <class It, class Out>
constexpr int written = int {
    requires(It i, Out o) { parley::transform(i, i, o, std::identity{}); }  // namespace
}
+ int {
    requires(It i, Out o) { parley::transform(i, i, i, o, std::plus<>{}); }
}
+ int {
    requires(It i, Out o) { parley::inclusive_scan(i, i, o); }
}
+ int {
    requires(It i, Out o) { parley::inclusive_scan(i, i, o, std::plus<>{}, *i); }
}
+ int{requires(It i, Out o){parley::exclusive_scan(i, i, o, 1);
}  // namespace
}
;
template <class It>
constexpr bool sorted = requires(It i) { parley::sort(i, i); } || requires(It i) { parley::stable_sort(i, i); };

// Bits that share a word are one memory location, and no two workers may write it.
TEST(OddTypes, BitsAreNotWrittenInParallelAndProxiesAreNotSorted) {
    static_assert(written<int*, int*> == 5 && written<int*, std::deque<int>::iterator> == 5);
    static_assert(written<int*, std::vector<bool>::iterator> == 0);
    static_assert(written<int*, const int*> == 0 && written<int*, int**> == 0);
    static_assert(sorted<std::deque<int>::iterator> && !sorted<const int*> && !sorted<std::vector<bool>::iterator>);
}

TEST(OddTypes, ComparisonsMayTakeElementsByReferenceToWhatIsNotConst) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {2, 33, 5'000}) {
                const auto less = [](std::string& a, std::string& b) { return a < b; };
                const auto less_number = [](std::int64_t& a, std::int64_t& b) { return a < b; };
                std::vector<std::string> words;
                std::vector<std::int64_t> numbers;
                for (int i = 0; i < n; ++i) {
                    words.push_back(std::to_string(i * 7'919LL % n));
                    numbers.push_back(i * 7'919LL % n);
                }
                auto stable_words = words;
                auto stable_numbers = numbers;
                parley::sort(words.begin(), words.end(), less);
                parley::sort(numbers.begin(), numbers.end(), less_number);
                parley::stable_sort(stable_words.begin(), stable_words.end(), less);
                parley::stable_sort(stable_numbers.begin(), stable_numbers.end(), less_number);
                EXPECT_TRUE(std::is_sorted(words.begin(), words.end()) && words == stable_words);
                EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()) && numbers == stable_numbers);
                EXPECT_EQ(parley::max_element(words.begin(), words.end(), less), words.end() - 1);
                EXPECT_EQ(parley::minmax_element(words.begin(), words.end(), less).second, words.end() - 1);
                const auto is_last = [&](std::string& w) { return w == words.back(); };
                EXPECT_EQ(parley::find_if(words.begin(), words.end(), is_last), words.end() - 1);
            }
        });
    });
}

// Given by std::ref, itself cannot be copied.
struct counting_order {
    counting_order() = default;
    counting_order(const counting_order&) = delete;
    template <class T>
    bool operator()(const T& a, const T& b) {
        ++calls;
        return a < b;
    }
    std::atomic<long> calls{0};
};

TEST(OddTypes, ComparisonsByStdRefAreTheOnesThatAreCalled) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const int n : {9, 5'000}) {
                counting_order order;
                auto numbers = shuffled<int>(n);
                auto words = shuffled<rude<std::string>>(n);
                const auto calls_of = [&](auto call) {
                    order.calls = 0;
                    call();
                    return order.calls.load();
                };
                EXPECT_GE(calls_of([&] { parley::sort(numbers.begin(), numbers.end(), std::ref(order)); }), n - 1);
                EXPECT_GE(calls_of([&] { parley::stable_sort(words.begin(), words.end(), std::ref(order)); }), n - 1);
                EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()) && std::is_sorted(words.begin(), words.end()));
                EXPECT_EQ(calls_of([&] { (void)parley::min_element(words.begin(), words.end(), std::ref(order)); }), n - 1);
            }
        });
    });
}

struct length {
    std::size_t of;
    bool is_even = false;
    [[nodiscard]] length plus(const length& other) const { return {of + other.of, false}; }
    [[nodiscard]] bool below(const length& other) const { return of < other.of; }
};
bool operator==(const std::string& word, const length& l) { return word.size() == l.of; }

TEST(OddTypes, MembersMayBeOperationsComparisonsAndPredicates) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<length> all(1'000);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = {(i + 500) % 1'000, i == 700};
            EXPECT_EQ(parley::reduce(all.begin(), all.end(), length{1}, &length::plus).of, 499'501U);
            EXPECT_EQ(parley::reduce_deterministic(all.begin(), all.end(), length{1}, &length::plus).of, 499'501U);
            EXPECT_EQ(parley::reduce(all.begin(), all.end(), std::size_t{1}, std::plus<>{}, &length::of), 499'501U);
            EXPECT_EQ(parley::find_if(all.begin(), all.end(), &length::is_even) - all.begin(), 700);
            EXPECT_EQ(parley::max_element(all.begin(), all.end(), &length::below) - all.begin(), 499);
            parley::sort(all.begin(), all.end(), &length::below);
            EXPECT_EQ(all[700].of, 700U);
        });
    });
}

template <class It, class T>
constexpr bool found = requires(It i, const T& value) { parley::find(i, i, value); };

// There is one operator==, from left to right, and no common type.
TEST(OddTypes, FindNeedsNothingButAnEquality) {
    const std::vector<std::string> words{"a", "bc", "def"};
    EXPECT_EQ(parley::find(words.begin(), words.end(), length{2}) - words.begin(), 1);
    EXPECT_EQ(parley::find(words.begin(), words.end(), "def") - words.begin(), 2);
    static_assert(found<std::string*, length> && !found<std::string*, plain_token>);
}

}  // namespace
