// find_if, find, min_element, max_element, minmax_element: which element, and how many are looked at.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>

namespace {

using namespace api_test;

constexpr std::size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 64, 65, 1'000, 30'011};

TEST(FindIf, FindsTheFirstMatchWhereverItIs) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            for (const std::size_t n : lengths) {
                std::vector<int> v(n);
                const auto is_set = [](int i) { return i != 0; };
                EXPECT_EQ(parley::find_if(v.begin(), v.end(), is_set), v.end());
                for (std::size_t at = 0; at < n; at = at * 2 + 1) {
                    for (std::size_t i = at; i < n; i += 1 + i / 5) v[i] = 1;
                    ASSERT_EQ(parley::find_if(v.begin(), v.end(), is_set) - v.begin(), std::ptrdiff_t(at));
                    ASSERT_EQ(parley::find(v.begin(), v.end(), 1) - v.begin(), std::ptrdiff_t(at));
                    std::fill(v.begin(), v.end(), 0);
                }
            }
        });
    });
}

// Equal to its number, and to a text.
struct numbered {
    int number;
    friend bool operator==(const numbered& n, int i) { return n.number == i; }
    friend bool operator==(std::string_view text, const numbered& n) { return text == std::to_string(n.number); }
};

TEST(FindIf, ValuesMayBeOfAnotherType) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::vector<std::string> words(1'000, "word");
            words[700] = "another";
            EXPECT_EQ(parley::find(words.begin(), words.end(), "another") - words.begin(), 700);
            EXPECT_EQ(parley::find(words, std::string_view("another")) - words.begin(), 700);
            std::vector<numbered> all;
            for (int i = 0; i < 1'000; ++i) all.push_back({i});
            EXPECT_EQ(parley::find(all, 300) - all.begin(), 300);
            EXPECT_EQ(parley::find(all, "300") - all.begin(), 300);
            std::vector<std::unique_ptr<int>> owners(1'000);
            for (std::size_t i = 0; i < 500; ++i) owners[i] = std::make_unique<int>(0);
            EXPECT_EQ(parley::find(owners, nullptr) - owners.begin(), 500);
            const std::vector<long> numbers(1'000, 1L << 40);
            EXPECT_EQ(parley::find(numbers, 0), numbers.end());
        });
    });
}

TEST(FindIf, LooksAtEachElementAtMostOnce) {
    with_each_size([](parley::runtime& rt) {
        std::vector<std::atomic<int>> looks(20'000);
        const auto found = rt.run([&] {
            return parley::find_if(looks.begin(), looks.end(),
                                   [&](std::atomic<int>& l) { return ++l == 1 && &l == &looks[15'000]; });
        });
        EXPECT_EQ(found - looks.begin(), 15'000);
        for (std::size_t i = 0; i < looks.size(); ++i) {
            ASSERT_LE(looks[i], 1);
            ASSERT_TRUE(looks[i] == 1 || i > 15'000);
        }
    });
}

// The numbers from 0 on are their own elements: as many as there are.
class numbers {
public:
    using value_type = std::int64_t;
    using difference_type = std::int64_t;
    using iterator_category = std::random_access_iterator_tag;
    using reference = std::int64_t;
    using pointer = void;
    numbers() = default;
    explicit numbers(std::int64_t n) : at_(n) {}
    std::int64_t operator*() const { return at_; }
    std::int64_t operator[](std::int64_t n) const { return at_ + n; }
    numbers& operator++() {
        ++at_;
        return *this;
    }
    numbers operator++(int) { return numbers(at_++); }
    numbers& operator--() {
        --at_;
        return *this;
    }
    numbers operator--(int) { return numbers(at_--); }
    numbers& operator+=(std::int64_t n) {
        at_ += n;
        return *this;
    }
    numbers& operator-=(std::int64_t n) {
        at_ -= n;
        return *this;
    }
    [[maybe_unused]] friend numbers operator+(numbers i, std::int64_t n) { return numbers(i.at_ + n); }
    [[maybe_unused]] friend numbers operator+(std::int64_t n, numbers i) { return numbers(i.at_ + n); }
    [[maybe_unused]] friend numbers operator-(numbers i, std::int64_t n) { return numbers(i.at_ - n); }
    friend std::int64_t operator-(numbers a, numbers b) { return a.at_ - b.at_; }
    friend auto operator<=>(const numbers&, const numbers&) = default;

private:
    std::int64_t at_ = 0;
};

TEST(FindIf, StopsSoonAfterAMatchInARangeThatNobodyCouldSearchThrough) {
    with_each_size([](parley::runtime& rt) {
        const numbers last(std::int64_t{1} << 60);
        const auto found =
            rt.run([&] { return parley::find_if(numbers(0), last, [](std::int64_t n) { return n % 10'007 == 10'006; }); });
        EXPECT_EQ(*found, 10'006);
    });
}

TEST(FindIf, ExceptionsArriveAndItCanBeCancelled) {
    with_each_size([](parley::runtime& rt) {
        const numbers last(std::int64_t{1} << 60);
        EXPECT_THROW((void)rt.run([&] {
            return parley::find_if(numbers(0), last, [](std::int64_t n) { return n == 5'000 ? throw boom{} : false; });
        }),
                     boom);
        EXPECT_THROW((void)rt.run([&] {
            return parley::find_if(numbers(0), last, [&](std::int64_t n) {
                if (n == 5'000) rt.cancel();
                return false;
            });
        }),
                     parley::cancelled);
    });
}

TEST(MinElement, FindsTheFirstSmallestAndTheFirstLargest) {
    with_each_size([](parley::runtime& rt) {
        rt.run([] {
            std::mt19937 random(3);
            for (const std::size_t n : lengths)
                for (const int kinds : {1, 2, 10, 1'000'000}) {
                    std::vector<int> v(n);
                    for (int& i : v) i = std::uniform_int_distribution<>(0, kinds - 1)(random);
                    ASSERT_EQ(parley::min_element(v.begin(), v.end()), std::min_element(v.begin(), v.end()));
                    ASSERT_EQ(parley::max_element(v.begin(), v.end()), std::max_element(v.begin(), v.end()));
                    ASSERT_EQ(parley::minmax_element(v.begin(), v.end()), std::minmax_element(v.begin(), v.end()));
                    const std::greater<> more;
                    ASSERT_EQ(parley::min_element(v.begin(), v.end(), more), std::min_element(v.begin(), v.end(), more));
                    ASSERT_EQ(parley::minmax_element(v.begin(), v.end(), more),
                              std::minmax_element(v.begin(), v.end(), more));
                }
        });
    });
}

TEST(MinElement, OfElementsThatCannotBeCopied) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 1'000; ++i) v.push_back(std::make_unique<int>(i * 7 % 1'000));
    const auto by_value = [](const auto& a, const auto& b) { return *a < *b; };
    EXPECT_EQ(**parley::min_element(v.begin(), v.end(), by_value), 0);
    EXPECT_EQ(**parley::max_element(v.begin(), v.end(), by_value), 999);
}

TEST(MinElement, ExceptionsArrive) {
    with_each_size([](parley::runtime& rt) {
        const std::vector<int> v(5'000);
        std::atomic<int> left{3'000};
        EXPECT_THROW((void)rt.run([&] {
            return parley::min_element(v.begin(), v.end(), [&](int a, int b) { return left-- == 0 ? throw boom{} : a < b; });
        }),
                     boom);
    });
}

}  // namespace
