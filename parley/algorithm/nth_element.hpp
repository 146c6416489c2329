/// @file
/// Sorts only what is asked for: nth_element and partial_sort.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/sort.hpp>

#include <bit>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

/// Puts the element at `nth` that would be there if [first, last) were sorted by less. No element before it is greater, and
/// none after it is less, as with std::nth_element. Does nothing if nth is last.
///
/// It is quickselect: O(n) calls of less and swaps on average, O(n log n) at worst. Long partitions are made in parallel.
/// The first exception of less is thrown here. Each element is then still there, unless a move throws, too. Throws
/// `cancelled` and std::bad_alloc with this guarantee.
template <class Iterator, class Less>
    requires detail::sorts<Iterator, Less>
void nth_element(Iterator first, Iterator nth, Iterator last, Less less) {
    const std::uint64_t n = detail::length_of(first, last);
    if (n < 2 || nth == last) return;
    detail::in_worker([&](threading::worker& self) {
        const auto begin = detail::plain(first);
        detail::quick_sort<decltype(detail::plain(first)), Less> sorter(less, self.home().size());
        sorter.select(begin, begin + (nth - first), detail::iterator_at(begin, n), static_cast<unsigned>(std::bit_width(n)));
    });
}
/// Compares by `<`.
template <class Iterator>
    requires detail::sorts<Iterator, std::less<>>
void nth_element(Iterator first, Iterator nth, Iterator last) {
    parley::nth_element(first, nth, last, std::less<>{});
}

/// Sorts the smallest middle - first elements of [first, last) into [first, middle), as std::partial_sort. The others come
/// behind them, in any order. It is nth_element() and sort(), with what they cost, throw and guarantee.
template <class Iterator, class Less>
    requires detail::sorts<Iterator, Less>
void partial_sort(Iterator first, Iterator middle, Iterator last, Less less) {
    if (first == middle) return;
    parley::nth_element(first, middle, last, std::ref(less));
    parley::sort(first, middle, std::ref(less));
}
/// Compares by `<`.
template <class Iterator>
    requires detail::sorts<Iterator, std::less<>>
void partial_sort(Iterator first, Iterator middle, Iterator last) {
    parley::partial_sort(first, middle, last, std::less<>{});
}

/// Takes a range instead of its first and last iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::sorts<std::ranges::iterator_t<R>, Less>
void nth_element(R&& range, std::ranges::iterator_t<R> nth, Less less = {}) {
    parley::nth_element(detail::begin_of(range), nth, detail::end_of(range), std::move(less));
}
/// Takes a range instead of its first and last iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::sorts<std::ranges::iterator_t<R>, Less>
void partial_sort(R&& range, std::ranges::iterator_t<R> middle, Less less = {}) {
    parley::partial_sort(detail::begin_of(range), middle, detail::end_of(range), std::move(less));
}

}  // namespace parley::inline v0
