// Elements, values and calls that throw wherever they can: the exception arrives, and nothing is lost or left behind.
#include "tests/parley/api/support.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace api_test;

// Counts what may throw down to 0, and throws then, once.
std::atomic<long> until_throw{-1};
std::atomic<long> alive{0};
void may_throw() {
    if (until_throw.fetch_sub(1) == 1) throw boom{};
}

enum class throwing { copies, moves, swaps, calls };

// A number on the heap, whose copies, moves or swaps may throw. By copies alone it has no moves, as types older than C++11.
template <throwing What>
class fragile {
public:
    explicit fragile(int n) : number_(std::make_unique<int>(n)) { ++alive; }
    fragile(const fragile& other) : number_(copied(other)) { ++alive; }
    fragile(fragile&& other) noexcept(What != throwing::moves)
        requires(What != throwing::copies)
        : number_(moved(other)) {
        ++alive;
    }
    fragile& operator=(const fragile& other) {
        number_ = copied(other);
        return *this;
    }
    fragile& operator=(fragile&& other) noexcept(What != throwing::moves)
        requires(What != throwing::copies)
    {
        number_ = moved(other);
        return *this;
    }
    ~fragile() { --alive; }

    // 0 if it was moved from, which is valid.
    [[nodiscard]] int number() const { return number_ ? *number_ : 0; }

    friend bool operator<(const fragile& a, const fragile& b) {
        if constexpr (What == throwing::calls) may_throw();
        return a.number() < b.number();
    }
    friend bool operator==(const fragile& a, const fragile& b) {
        if constexpr (What == throwing::calls) may_throw();
        return a.number() == b.number();
    }
    friend fragile operator+(const fragile& a, const fragile& b) {
        if constexpr (What == throwing::calls) may_throw();
        return fragile(a.number() + b.number());
    }
    friend void swap(fragile& a, fragile& b) noexcept(What != throwing::swaps) {
        if constexpr (What == throwing::swaps) may_throw();
        a.number_.swap(b.number_);
    }

private:
    static std::unique_ptr<int> copied(const fragile& other) {
        if constexpr (What == throwing::copies || What == throwing::moves) may_throw();
        return std::make_unique<int>(other.number());
    }
    static std::unique_ptr<int> moved(fragile& other) noexcept(What != throwing::moves) {
        if constexpr (What == throwing::moves) may_throw();
        return std::move(other.number_);
    }
    std::unique_ptr<int> number_;
};

constexpr int count = 400;

template <class T>
std::vector<T> all_numbers() {
    std::vector<T> all;
    all.reserve(count);
    for (int i = 0; i < count; ++i) all.emplace_back(i * 7'919 % count + 1);
    return all;
}

template <class T>
bool holds_every_number(const std::vector<T>& all) {
    std::vector<int> seen;
    for (const T& t : all) seen.push_back(t.number());
    std::sort(seen.begin(), seen.end());
    for (int i = 0; i < count; ++i)
        if (seen[static_cast<std::size_t>(i)] != i + 1) return false;
    return true;
}

// Calls algorithm(elements) with a throw at many places; returns how many of these exceptions arrived. `keeps`: no
// element is lost.
template <class T, class Algorithm>
int thrown_by(Algorithm algorithm, bool keeps) {
    int thrown = 0;
    for (const unsigned workers : {1U, 3U}) {
        parley::runtime rt{{.workers = workers, .complain_after = parley_tests::complain_after}};
        for (long at = 1; at < 6'000; at += at / (is_sanitized ? 2 : 8) + 1) {
            auto all = all_numbers<T>();
            rt.run([&] {
                until_throw = at;
                try {
                    algorithm(all);
                } catch (const boom&) {
                    ++thrown;
                }
                until_throw = -1;
            });
            EXPECT_EQ(alive, count) << at;
            EXPECT_TRUE(!keeps || holds_every_number(all)) << at;
        }
    }
    EXPECT_EQ(alive, 0);
    return thrown;
}

const auto by_sort = [](auto& all) { parley::sort(all.begin(), all.end()); };
const auto by_stable_sort = [](auto& all) { parley::stable_sort(all.begin(), all.end()); };

TEST(ThrowingElements, ACopyThatThrowsLeavesSortAndNoElementIsLost) {
    EXPECT_GT(thrown_by<fragile<throwing::copies>>(by_sort, true), 0);
    EXPECT_GT(thrown_by<fragile<throwing::copies>>(by_stable_sort, false), 0);
}

TEST(ThrowingElements, AMoveThatThrowsLeavesSort) {
    EXPECT_GT(thrown_by<fragile<throwing::moves>>(by_sort, false), 0);
    EXPECT_GT(thrown_by<fragile<throwing::moves>>(by_stable_sort, false), 0);
}

TEST(ThrowingElements, ASwapThatThrowsLeavesSortAndNoElementIsLost) {
    EXPECT_GT(thrown_by<fragile<throwing::swaps>>(by_sort, true), 0);
    thrown_by<fragile<throwing::swaps>>(by_stable_sort, true);  // swaps where the range is reversed only
}

TEST(ThrowingElements, AComparisonThatThrowsLeavesSortAndNoElementIsLost) {
    EXPECT_GT(thrown_by<fragile<throwing::calls>>(by_sort, true), 0);
    EXPECT_GT(thrown_by<fragile<throwing::calls>>(by_stable_sort, true), 0);
}

template <class T>
bool is_odd_number(const T& t) {
    if constexpr (std::is_same_v<T, fragile<throwing::calls>>) may_throw();
    return t.number() % 2 == 1;
}
const auto by_partition = [](auto& all) { (void)parley::partition(all, [](const auto& t) { return is_odd_number(t); }); };
const auto by_stable_partition = [](auto& all) {
    (void)parley::stable_partition(all, [](const auto& t) { return is_odd_number(t); });
};
const auto by_remove_if = [](auto& all) { (void)parley::remove_if(all, [](const auto& t) { return is_odd_number(t); }); };
const auto by_unique = [](auto& all) { (void)parley::unique(all); };
const auto by_nth_element = [](auto& all) { parley::nth_element(all, all.begin() + count / 3); };
const auto by_partial_sort = [](auto& all) { parley::partial_sort(all, all.begin() + count / 3); };
const auto by_reverse = [](auto& all) { parley::reverse(all); };
const auto by_rotate = [](auto& all) { parley::rotate(all, all.begin() + count / 3); };
const auto by_inplace_merge = [](auto& all) {
    const auto by_number = [](const auto& a, const auto& b) { return a.number() < b.number(); };
    std::sort(all.begin(), all.begin() + count / 2, by_number);
    std::sort(all.begin() + count / 2, all.end(), by_number);
    parley::inplace_merge(all, all.begin() + count / 2);
};

TEST(ThrowingElements, ACallThatThrowsLeavesWhatMovesElementsAndNoneIsLost) {
    using T = fragile<throwing::calls>;
    EXPECT_GT(thrown_by<T>(by_partition, true), 0);
    EXPECT_GT(thrown_by<T>(by_stable_partition, true), 0);
    EXPECT_GT(thrown_by<T>(by_nth_element, true), 0);
    EXPECT_GT(thrown_by<T>(by_partial_sort, true), 0);
    EXPECT_GT(thrown_by<T>(by_inplace_merge, true), 0);
    EXPECT_GT(thrown_by<T>(by_remove_if, false), 0);
    EXPECT_GT(thrown_by<T>(by_unique, false), 0);
}

TEST(ThrowingElements, ASwapThatThrowsLeavesWhatSwapsAndNoElementIsLost) {
    using T = fragile<throwing::swaps>;
    EXPECT_GT(thrown_by<T>(by_partition, true), 0);
    EXPECT_GT(thrown_by<T>(by_nth_element, true), 0);
    EXPECT_GT(thrown_by<T>(by_partial_sort, true), 0);
    EXPECT_GT(thrown_by<T>(by_reverse, true), 0);
    EXPECT_GT(thrown_by<T>(by_rotate, true), 0);
    thrown_by<T>(by_stable_partition, true);
    thrown_by<T>(by_inplace_merge, true);
}

template <class T>
void leaves_what_moves() {
    EXPECT_GT(thrown_by<T>(by_stable_partition, false), 0);
    EXPECT_GT(thrown_by<T>(by_inplace_merge, false), 0);
    EXPECT_GT(thrown_by<T>(by_remove_if, false), 0);
}

TEST(ThrowingElements, AMoveOrACopyThatThrowsLeavesWhatMoves) {
    leaves_what_moves<fragile<throwing::moves>>();
    leaves_what_moves<fragile<throwing::copies>>();
}

TEST(ThrowingElements, AnAssignmentThatThrowsLeavesWhatCopies) {
    using T = fragile<throwing::copies>;
    const auto into_others = [](auto copy) {
        return [copy](auto& all) {
            std::vector<T> out;
            out.reserve(2 * count);
            for (int i = 0; i < 2 * count; ++i) out.emplace_back(0);
            const auto& elements = all;
            copy(elements, out.begin());
        };
    };
    // These two need what is sorted, and nothing throws before they have it.
    const auto into_others_sorted = [&](auto copy) {
        return [copy_sorted = into_others(copy)](auto& all) {
            const long at = until_throw.exchange(-1);
            std::sort(all.begin(), all.end());
            until_throw = at;
            copy_sorted(all);
        };
    };
    EXPECT_GT(thrown_by<T>(into_others_sorted([](auto& all, auto out) { parley::merge(all, all, out); }), true), 0);
    EXPECT_GT(thrown_by<T>(into_others_sorted([](auto& all, auto out) { parley::set_union(all, all, out); }), true), 0);
    EXPECT_GT(thrown_by<T>(into_others([](auto& all, auto out) { parley::copy_if(all, out, is_odd_number<T>); }), true), 0);
    EXPECT_GT(thrown_by<T>(into_others([](auto& all, auto out) { parley::fill(out, out + count, all[0]); }), true), 0);
}

// Plain numbers, but what they are assigned to is not.
TEST(ThrowingElements, AnAssignmentThatThrowsLeavesAMergeOfPlainNumbers) {
    struct refuses_some {
        refuses_some& operator=(int i) { return i >= 700 ? throw boom{i} : *this; }
    };
    with_each_size([](parley::runtime& rt) {
        std::vector<int> numbers(1'000);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
        std::vector<refuses_some> out(2'000);
        EXPECT_THROW(rt.run([&] { parley::merge(numbers, numbers, out.begin()); }), boom);
        EXPECT_THROW(rt.run([&] { parley::set_union(numbers, numbers, out.begin()); }), boom);
        EXPECT_THROW(rt.run([&] { parley::copy_if(numbers, out.begin(), [](int) { return true; }); }), boom);
    });
}

// The exception that passes is the first one, even if no move works any more while an element goes back.
TEST(ThrowingElements, ElementsWhoseMovesFailForEverEndNothing) {
    struct broken {
        int number;
        bool* fails;
        std::string text = "makes its moves matter";
        broken(int n, bool* f) : number(n), fails(f) {}
        broken(broken&& other) : number(other.number), fails(other.fails), text(std::move(other.text)) { check(); }
        broken& operator=(broken&& other) {
            check();
            number = other.number;
            text = std::move(other.text);
            return *this;
        }
        ~broken() = default;
        void check() const {
            if (*fails) throw boom{2};
        }
    };
    for (long at = 1; at < 200; at += 3) {
        bool fails = false;
        std::vector<broken> all;
        all.reserve(30);
        for (int i = 0; i < 30; ++i) all.emplace_back(i * 7 % 30, &fails);
        long calls = 0;
        const auto less = [&](const broken& a, const broken& b) {
            if (++calls < at) return a.number < b.number;
            fails = true;
            throw boom{1};
        };
        int arrived = 0;
        try {
            parley::sort(all.begin(), all.end(), less);
        } catch (const boom& b) {
            arrived = b.number;
        }
        ASSERT_EQ(arrived, calls < at ? 0 : 1);
    }
}

template <class T>
void with_each_reduction_and_scan() {
    const auto no_change = [](auto call) {
        return [call](auto& all) {
            const auto& elements = all;
            call(elements.begin(), elements.end());
        };
    };
    EXPECT_GT(thrown_by<T>(no_change([](auto i, auto j) { (void)parley::reduce(i, j, T(0)); }), true), 0);
    EXPECT_GT(thrown_by<T>(no_change([](auto i, auto j) { (void)parley::reduce_deterministic(i, j, T(0)); }), true), 0);
    const auto in_place = [](auto scan) { return [scan](auto& all) { scan(all.begin(), all.end(), all.begin()); }; };
    EXPECT_GT(thrown_by<T>(in_place([](auto i, auto j, auto out) { parley::inclusive_scan(i, j, out); }), false), 0);
    EXPECT_GT(thrown_by<T>(
                  in_place([](auto i, auto j, auto out) { parley::inclusive_scan(i, j, out, std::plus<>{}, T(0)); }), false),
              0);
    EXPECT_GT(thrown_by<T>(in_place([](auto i, auto j, auto out) { parley::exclusive_scan(i, j, out, T(0)); }), false), 0);
    EXPECT_GT(
        thrown_by<T>(in_place([](auto i, auto j, auto out) { parley::transform(i, j, i, out, std::plus<>{}); }), false), 0);
}

TEST(ThrowingElements, WhatThrowsInAReductionOrAScanArrivesAndNothingIsLeftBehind) {
    with_each_reduction_and_scan<fragile<throwing::copies>>();
    with_each_reduction_and_scan<fragile<throwing::moves>>();
    with_each_reduction_and_scan<fragile<throwing::calls>>();
}

TEST(ThrowingElements, AComparisonThatThrowsLeavesASearch) {
    using T = fragile<throwing::calls>;
    EXPECT_GT(thrown_by<T>([](auto& all) { (void)parley::find(all.begin(), all.end(), all.back()); }, true), 0);
    EXPECT_GT(thrown_by<T>([](auto& all) { (void)parley::min_element(all.begin(), all.end()); }, true), 0);
    EXPECT_GT(thrown_by<T>([](auto& all) { (void)parley::max_element(all.begin(), all.end()); }, true), 0);
    EXPECT_GT(thrown_by<T>([](auto& all) { (void)parley::minmax_element(all.begin(), all.end()); }, true), 0);
}

// A result that is returned, moved and thrown away by a fork.
TEST(ThrowingElements, AResultWhoseMoveThrowsLeavesForkJoin) {
    using T = fragile<throwing::moves>;
    const auto forks = [](auto&) {
        for (int i = 0; i < 2'000; ++i)
            (void)parley::fork_join([] { return T(1); }, [] { return T(2); }, [] { return T(3); });
    };
    EXPECT_GT(thrown_by<T>(forks, true), 0);
}

}  // namespace
