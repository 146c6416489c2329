/// @file
/// Looks at neighbours: adjacent_find, is_sorted_until and is_sorted.
#pragma once

#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Returns the first i with related(element i, element i + 1), or the number of neighbours.
template <class Iterator, class Relation>
std::uint64_t first_pair(Iterator first, std::uint64_t count, Relation related) {
    return first_number(count == 0 ? 0 : count - 1, [&related, in = plain(first)](std::uint64_t from, std::uint64_t to) {
        for (; from != to; ++from)
            if (related(element_at(in, from), element_at(in, from + 1))) break;
        return from;
    });
}

}  // namespace detail

/// Returns the first i with related(*i, *(i + 1)), or last if there is none, as std::adjacent_find. Calls related at most
/// last - first - 1 times, for neighbours in any order. Stops and throws as find_if() does.
template <class Iterator, class Relation>
    requires detail::compares<Relation, Iterator>
[[nodiscard]] Iterator adjacent_find(Iterator first, Iterator last, Relation related) {
    const std::uint64_t count = detail::length_of(first, last);
    const std::uint64_t at = detail::first_pair(first, count, [&related](auto&& left, auto&& right) -> bool {
        return std::invoke(related, std::forward<decltype(left)>(left), std::forward<decltype(right)>(right));
    });
    return at + 1 < count ? detail::iterator_at(first, at) : last;
}
/// Finds the first of two equal neighbours.
template <class Iterator>
    requires detail::compares<std::equal_to<>, Iterator>
[[nodiscard]] Iterator adjacent_find(Iterator first, Iterator last) {
    return parley::adjacent_find(first, last, std::equal_to<>{});
}

/// Returns the end of the longest part from `first` on that is sorted by less, as std::is_sorted_until. Calls less at most
/// last - first - 1 times. Stops and throws as find_if() does.
template <class Iterator, class Less>
    requires detail::compares<Less, Iterator>
[[nodiscard]] Iterator is_sorted_until(Iterator first, Iterator last, Less less) {
    const std::uint64_t count = detail::length_of(first, last);
    const std::uint64_t at = detail::first_pair(first, count, [&less](auto&& left, auto&& right) -> bool {
        return std::invoke(less, std::forward<decltype(right)>(right), std::forward<decltype(left)>(left));
    });
    return at + 1 < count ? detail::iterator_at(first, at + 1) : last;
}
/// Compares by `<`.
template <class Iterator>
    requires detail::compares<std::less<>, Iterator>
[[nodiscard]] Iterator is_sorted_until(Iterator first, Iterator last) {
    return parley::is_sorted_until(first, last, std::less<>{});
}
/// Is the range sorted by less? Looks as is_sorted_until() does.
template <class Iterator, class Less>
    requires detail::compares<Less, Iterator>
[[nodiscard]] bool is_sorted(Iterator first, Iterator last, Less less) {
    return parley::is_sorted_until(first, last, std::move(less)) == last;
}
/// Compares by `<`.
template <class Iterator>
    requires detail::compares<std::less<>, Iterator>
[[nodiscard]] bool is_sorted(Iterator first, Iterator last) {
    return parley::is_sorted(first, last, std::less<>{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Relation = std::equal_to<>>
    requires detail::compares<Relation, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> adjacent_find(R&& range, Relation related = {}) {
    return parley::adjacent_find(detail::begin_of(range), detail::end_of(range), std::move(related));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::compares<Less, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& range, Less less = {}) {
    return parley::is_sorted_until(detail::begin_of(range), detail::end_of(range), std::move(less));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::compares<Less, std::ranges::iterator_t<R>>
[[nodiscard]] bool is_sorted(R&& range, Less less = {}) {
    return parley::is_sorted(detail::begin_of(range), detail::end_of(range), std::move(less));
}

}  // namespace parley::inline v0
