// Serial sorts for short ranges, and for those that quicksort does badly. If less throws, no element is lost.
#pragma once

#include <parley/algorithm/inner_loop.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail {

// Small plain objects are moved without branches, because nobody can predict to which side they go. A wrong guess costs
// as much as moving ten of them. A trivially copyable type may still have deleted its copies.
template <class T>
inline constexpr bool moved_without_branches =
    std::is_trivially_copyable_v<T> && std::is_trivially_copy_constructible_v<T> && std::is_trivially_copy_assignable_v<T> &&
    std::is_nothrow_default_constructible_v<T> && sizeof(T) <= 16;

// Puts the value into the gap that it has left, while an exception passes. If this throws, too, the first exception
// counts.
template <class T, class Iterator>
[[gnu::noinline, gnu::cold]] void put_back(T& value, Iterator gap) noexcept {
    try {
        *gap = std::move(value);
    } catch (...) {
        return;
    }
}

// Sorts by insertion. Stable.
template <class Iterator, class Less>
void insertion_sort(Iterator first, Iterator last, Less& less) {
    if (first == last) return;
    for (Iterator next = first + 1; next != last; ++next) {
        if (!std::invoke(less, *next, next[-1])) continue;
        // The value is out of its place while others move. It goes back into the gap even if an exception passes; a
        // move may throw then.
        std::iter_value_t<Iterator> taken_out(std::move(*next));
        Iterator gap = next;
        try {
            do {
                *gap = std::move(gap[-1]);
                --gap;
            } while (gap != first && std::invoke(less, taken_out, gap[-1]));
            *gap = std::move(taken_out);
        } catch (...) {
            put_back(taken_out, gap);
            throw;
        }
    }
}

// Swaps a and b if that is wanted. Compilers make a branch of the plain form.
template <class T>
[[gnu::always_inline]] inline void swap_if(bool wanted, T& a, T& b) noexcept {
    if constexpr (sizeof(T) == sizeof(std::uint64_t) || sizeof(T) == sizeof(std::uint32_t)) {
        using bits = std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
        const bits in_a = std::bit_cast<bits>(a), in_b = std::bit_cast<bits>(b);
        const bits difference = (in_a ^ in_b) & (bits{0} - bits{wanted});
        a = std::bit_cast<T>(in_a ^ difference);
        b = std::bit_cast<T>(in_b ^ difference);
    } else {
        const std::array<T, 2> both{a, b};
        a = both[wanted ? 1 : 0];
        b = both[wanted ? 0 : 1];
    }
}

// Sorts by odd-even transposition: in each of n rounds neighbours in the wrong order change places, so it is stable.
// The exchanges of a round do not wait for each other. It is unrolled, so that all of it happens in registers.
template <std::size_t N, class Iterator, class Less>
void transposition_sort(Iterator first, Less& less) {
    using value = std::iter_value_t<Iterator>;
    const auto exchange = [&less](value& a, value& b)
                              __attribute__((always_inline)) { swap_if(std::invoke(less, b, a), a, b); };
    std::array<value, N> v;
    const auto all_rounds = [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        (static_cast<void>(v[I] = element_at(first, I)), ...);
        // The place of exchange number i. Every two rounds have N - 1 exchanges.
        const auto place = [](std::size_t i) {
            const std::size_t n = i % (N - 1);
            return n < N / 2 ? 2 * n : 2 * (n - N / 2) + 1;
        };
        [&]<std::size_t... E>(std::index_sequence<E...>) __attribute__((always_inline)) {
            (exchange(v[place(E)], v[place(E) + 1]), ...);
        }(std::make_index_sequence<N / 2 * (N - 1) + (N % 2) * (N / 2)>{});
        (static_cast<void>(element_at(first, I) = v[I]), ...);
    };
    all_rounds(std::make_index_sequence<N>{});
}

inline constexpr std::uint64_t small_sort_up_to = 32;

// Merges [first, middle) and the rest, which has as many elements or one more, stably and from both ends at once. A
// step waits for the one before it at its own end only. False: less is no order, so the ends do not meet, and nothing
// has changed.
template <class Iterator, class Less>
bool merge_halves(Iterator first, std::uint64_t n, Less& less) {
    using value = std::iter_value_t<Iterator>;
    using difference = std::iter_difference_t<Iterator>;
    std::array<value, small_sort_up_to> merged;
    Iterator left = first, right = iterator_at(first, n / 2);
    Iterator left_back = right - 1, right_back = iterator_at(first, n - 1);
    for (std::uint64_t i = 0; i < n / 2; ++i) {
        const bool from_right = std::invoke(less, *right, *left);
        merged[i] = *(from_right ? right : left);
        right += difference{from_right};
        left += difference{!from_right};
        const bool back_from_left = std::invoke(less, *right_back, *left_back);
        merged[n - 1 - i] = *(back_from_left ? left_back : right_back);
        left_back -= difference{back_from_left};
        right_back -= difference{!back_from_left};
    }
    if (n % 2 != 0) {
        const bool from_left = left == left_back;
        merged[n / 2] = *(from_left ? left : right);
        left += from_left ? 1 : 0;
        right += from_left ? 0 : 1;
    }
    if (left != left_back + 1 || right != right_back + 1) return false;
    std::copy_n(merged.begin(), n, first);
    return true;
}

// Sorts up to small_sort_up_to elements. Stable.
template <class Iterator, class Less>
void small_sort(Iterator first, Iterator last, Less& less) {
    if constexpr (!moved_without_branches<std::iter_value_t<Iterator>>) {
        insertion_sort(first, last, less);
    } else {
        const std::uint64_t n = length_of(first, last);
        switch (n) {
            case 0:
            case 1: return;
            case 2: return transposition_sort<2>(first, less);
            case 3: return transposition_sort<3>(first, less);
            case 4: return transposition_sort<4>(first, less);
            case 5: return transposition_sort<5>(first, less);
            case 6: return transposition_sort<6>(first, less);
            case 7: return transposition_sort<7>(first, less);
            case 8: return transposition_sort<8>(first, less);
            default: break;
        }
        const Iterator middle = iterator_at(first, n / 2);
        small_sort(first, middle, less);
        small_sort(middle, last, less);
        if (!merge_halves(first, n, less)) insertion_sort(first, last, less);
    }
}

// Sorts by a heap: O(n log n) for every input.
template <class Iterator, class Less>
void heap_sort(Iterator first, Iterator last, Less& less) {
    using difference = std::iter_difference_t<Iterator>;
    const difference n = last - first;
    const auto sift_down = [&](difference at, difference end) {
        for (difference child = 2 * at + 1; child < end; at = child, child = 2 * at + 1) {
            if (child + 1 < end && std::invoke(less, first[child], first[child + 1])) ++child;
            if (!std::invoke(less, first[at], first[child])) return;
            std::iter_swap(first + at, first + child);
        }
    };
    for (difference at = n / 2; at-- > 0;) sift_down(at, n);
    for (difference end = n; --end > 0;) {
        std::iter_swap(first, first + end);
        sift_down(0, end);
    }
}

}  // namespace parley::inline v0::detail
