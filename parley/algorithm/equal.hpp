/// @file
/// Compares two ranges: mismatch and equal.
#pragma once

#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

/// Returns the first places where same(*i, *j) does not hold, or those where the shorter range ends, as std::mismatch.
/// Calls same at most once for each pair. Stops and throws as find_if() does.
template <class Iterator, class Other, class Same>
    requires detail::relates<Same, Iterator, Other>
[[nodiscard]] std::pair<Iterator, Other> mismatch(Iterator first, Iterator last, Other other, Other other_last, Same same) {
    const std::uint64_t at = detail::first_number(
        std::min(detail::length_of(first, last), detail::length_of(other, other_last)),
        [&same, left = detail::plain(first), right = detail::plain(other)](std::uint64_t from, std::uint64_t to) {
            detail::called_in_block<Same, std::iter_reference_t<Iterator>, std::iter_reference_t<Other>> own = same;
            for (; from != to; ++from)
                if (!std::invoke(own, detail::element_at(left, from), detail::element_at(right, from))) break;
            return from;
        });
    return {detail::iterator_at(first, at), detail::iterator_at(other, at)};
}
/// Compares by `==`.
template <class Iterator, class Other>
    requires detail::relates<std::equal_to<>, Iterator, Other>
[[nodiscard]] std::pair<Iterator, Other> mismatch(Iterator first, Iterator last, Other other, Other other_last) {
    return parley::mismatch(first, last, other, other_last, std::equal_to<>{});
}

/// Have both ranges the same length, and does same(*i, *j) hold for each pair? Calls nothing if the lengths differ.
template <class Iterator, class Other, class Same>
    requires detail::relates<Same, Iterator, Other>
[[nodiscard]] bool equal(Iterator first, Iterator last, Other other, Other other_last, Same same) {
    return detail::length_of(first, last) == detail::length_of(other, other_last) &&
           parley::mismatch(first, last, other, other_last, std::move(same)).first == last;
}
/// Compares by `==`.
template <class Iterator, class Other>
    requires detail::relates<std::equal_to<>, Iterator, Other>
[[nodiscard]] bool equal(Iterator first, Iterator last, Other other, Other other_last) {
    return parley::equal(first, last, other, other_last, std::equal_to<>{});
}

/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other,
          class Same = std::equal_to<>>
    requires detail::relates<Same, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
[[nodiscard]] std::pair<std::ranges::borrowed_iterator_t<R>, std::ranges::borrowed_iterator_t<Other>> mismatch(
    R&& range, Other&& other, Same same = {}) {
    return parley::mismatch(detail::begin_of(range), detail::end_of(range), detail::begin_of(other), detail::end_of(other),
                            std::move(same));
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other,
          class Same = std::equal_to<>>
    requires detail::relates<Same, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
[[nodiscard]] bool equal(R&& range, Other&& other, Same same = {}) {
    return parley::equal(detail::begin_of(range), detail::end_of(range), detail::begin_of(other), detail::end_of(other),
                         std::move(same));
}

}  // namespace parley::inline v0
