/// @file
/// Sorts in place, not stably: sort.
#pragma once

#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/partition_in_parts.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>
#include <parley/detail/base/fp_control.hpp>
#include <parley/detail/base/rng.hpp>
#include <parley/fork_join.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

template <class Iterator, class Less>
class quick_sort {
public:
    using value = std::iter_value_t<Iterator>;

    quick_sort(Less& l, unsigned workers) : less_(l), workers_(workers) {}

    // `leftmost`: nothing lies before the range. Otherwise no element before it is greater than any in it. O(n log n):
    // after `bad_left` partitions that were far from even, heapsort takes over.
    void operator()(Iterator first, Iterator last, unsigned bad_left, bool leftmost) {
        for (;;) {
            const std::uint64_t n = length_of(first, last);
            if (n <= small_sort_up_to) return small_sort(first, last, less_);
            if (bad_left == 0) return heap_sort(first, last, less_);
            swap_unless_same(first, pivot_of(first, n));
            if (!leftmost && !std::invoke(less_, first[-1], *first)) {
                first = after_equals(first, last);
                continue;
            }
            const Iterator middle = partition_around_first(first, last);
            if (far_from_even(length_of(first, middle), n)) --bad_left;
            if (n > serial_up_to) {
                fork_join(
                    [this, first, middle, bad_left, leftmost] {
                        const base::fp_in_place as_submitted(fp_);
                        (*this)(first, middle, bad_left, leftmost);
                    },
                    [this, middle, last, bad_left] {
                        const base::fp_in_place as_submitted(fp_);
                        (*this)(middle + 1, last, bad_left, false);
                    });
                return;
            }
            (*this)(first, middle, bad_left, leftmost);
            first = middle + 1;
            leftmost = false;
        }
    }

    // Puts the element at `nth` that is there in the sorted range, all before it that are less, and all after it that are
    // greater.
    void select(Iterator first, Iterator nth, Iterator last, unsigned bad_left) {
        for (bool leftmost = true;;) {
            const std::uint64_t n = length_of(first, last);
            if (n <= small_sort_up_to) return small_sort(first, last, less_);
            if (bad_left == 0) return heap_sort(first, last, less_);
            swap_unless_same(first, pivot_of(first, n));
            if (!leftmost && !std::invoke(less_, first[-1], *first)) {
                first = after_equals(first, last);
                if (nth < first) return;
                continue;
            }
            const Iterator middle = partition_around_first(first, last);
            if (far_from_even(length_of(first, middle), n)) --bad_left;
            if (nth == middle) return;
            if (nth < middle) {
                last = middle;
            } else {
                first = middle + 1;
                leftmost = false;
            }
        }
    }

private:
    // It takes a few microseconds, which a thief can wait, and a fork costs nothing compared with it.
    static constexpr std::uint64_t serial_up_to = 512;
    static constexpr std::uint64_t partitioned_in_parallel_from = 1U << 17;

    static bool far_from_even(std::uint64_t left, std::uint64_t n) noexcept { return std::min(left, n - left) < n / 8; }

    // The standard's algorithms move no element onto itself, so types need not allow it.
    static void swap_unless_same(Iterator a, Iterator b) {
        if (a != b) std::iter_swap(a, b);
    }

    Iterator median(Iterator a, Iterator b, Iterator c) {
        const bool ab = std::invoke(less_, *a, *b);
        if (ab != std::invoke(less_, *b, *c)) return ab == std::invoke(less_, *a, *c) ? c : a;
        return b;
    }
    // Takes 3^levels elements, one at a random place of each part, so no pattern of the input meets them.
    Iterator median_of_medians(Iterator first, std::uint64_t n, unsigned levels, base::rng& random) {
        if (levels == 0) return iterator_at(first, random.next() % n);
        const std::uint64_t third = n / 3;
        const Iterator a = median_of_medians(first, third, levels - 1, random);
        const Iterator b = median_of_medians(iterator_at(first, third), third, levels - 1, random);
        return median(a, b, median_of_medians(iterator_at(first, 2 * third), third, levels - 1, random));
    }
    Iterator pivot_of(Iterator first, std::uint64_t n) {
        base::rng random(n);
        return median_of_medians(first, n, n < 128 ? 1 : n < 4096 ? 2 : n < 1U << 20 ? 3 : 4, random);
    }

    template <class GoesLeft>
    Iterator partition(Iterator first, Iterator last, GoesLeft goes_left) {
        const std::uint64_t n = length_of(first, last);
        if (workers_ > 1 && n >= partitioned_in_parallel_from)
            return partition_in_parallel(first, last, std::min<std::uint64_t>(4 * workers_, n >> 14), goes_left);
        return partition_serially(first, last, goes_left);
    }

    // Partitions around the pivot, which lies in front. Returns where the pivot belongs and has been put.
    Iterator partition_around_first(Iterator first, Iterator last) {
        const Iterator border = partition(first + 1, last, less_than_pivot{*first, less_});
        swap_unless_same(first, border - 1);
        return border - 1;
    }
    // No element of the range is less than the one in front. Returns where greater ones begin. So few partitions are
    // needed if many elements are equal (O. Peters, "Pattern-defeating Quicksort", 2021).
    Iterator after_equals(Iterator first, Iterator last) {
        return partition(first + 1, last, not_above_pivot{*first, less_});
    }

    // These hold copies if no program can notice that, so the loop over the elements keeps them in registers. Less is
    // called with what the iterators refer to, as by std::sort. So it may take elements by reference to non-const.
    using reference = std::iter_reference_t<Iterator>;
    using pivot_held = std::conditional_t<moved_without_branches<value>, std::remove_reference_t<reference>, reference>;
    using less_held = std::remove_const_t<called_in_block<Less, reference, reference>>;
    struct less_than_pivot {
        pivot_held pivot;
        less_held less;
        bool operator()(reference v) { return std::invoke(less, v, pivot); }
    };
    struct not_above_pivot {
        pivot_held pivot;
        less_held less;
        bool operator()(reference v) { return !std::invoke(less, pivot, v); }
    };

    Less& less_;
    const unsigned workers_;
    const base::fp_control fp_ = base::fp_control::now();  // docs/guide/inheritance.md
};

// Sorts a range that is in order or in strictly descending order. False: it is neither. Mostly a look at the beginning
// is enough.
template <class Iterator, class Less>
bool sort_what_is_in_order(Iterator first, std::uint64_t n, Less& less) {
    const bool descends = std::invoke(less, first[1], first[0]);
    const std::uint64_t in_order = first_number(n - 1, [&](std::uint64_t from, std::uint64_t to) {
        for (; from != to; ++from)
            if (std::invoke(less, element_at(first, from + 1), element_at(first, from)) != descends) break;
        return from;
    });
    if (in_order != n - 1) return false;
    if (descends)
        for_blocks(n / 2, [=](std::uint64_t from, std::uint64_t to) {
            for (; from != to; ++from) std::iter_swap(iterator_at(first, from), iterator_at(first, n - 1 - from));
        });
    return true;
}

}  // namespace detail

/// Sorts [first, last) by less, a strict weak order. Equal elements may come in any order. O(n log n) calls of less and
/// swaps.
///
/// It is quicksort with a fork after each partition. It works in place except for O(workers) numbers, and without
/// branches for small plain types. Long partitions are made in parallel. A sorted or reversed range is recognised.
///
/// The first exception of less is thrown here, when all workers have left the range. Each element is then still there,
/// in any order, unless a move throws, too. Throws `cancelled` and std::bad_alloc with this guarantee.
template <class Iterator, class Less>
    requires detail::sorts<Iterator, Less>
void sort(Iterator first, Iterator last, Less less) {
    const std::uint64_t n = detail::length_of(first, last);
    if (n < 2) return;
    detail::in_worker([&](threading::worker& self) {
        const auto begin = detail::plain(first);
        if (detail::sort_what_is_in_order(begin, n, less)) return;
        detail::quick_sort<decltype(detail::plain(first)), Less> sorter(less, self.home().size());
        sorter(begin, detail::iterator_at(begin, n), static_cast<unsigned>(std::bit_width(n)), true);
    });
}

/// Sorts by `<`.
template <class Iterator>
    requires detail::sorts<Iterator, std::less<>>
void sort(Iterator first, Iterator last) {
    parley::sort(first, last, std::less<>{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::sorts<std::ranges::iterator_t<R>, Less>
void sort(R&& range, Less less = {}) {
    parley::sort(detail::begin_of(range), detail::end_of(range), std::move(less));
}

}  // namespace parley::inline v0
