/// @file
/// Does a predicate hold for all elements, for some, or for none: all_of, any_of and none_of.
#pragma once

#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>

#include <functional>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

/// Is there an i in [first, last) with predicate(*i)? Searches as find_if() does: at most last - first calls, and it stops
/// soon after the first match that somebody finds.
template <class Iterator, class Predicate>
    requires detail::judges<Predicate, Iterator>
[[nodiscard]] bool any_of(Iterator first, Iterator last, Predicate predicate) {
    return parley::find_if(first, last, std::move(predicate)) != last;
}
/// Does predicate hold for no element? Searches as find_if() does.
template <class Iterator, class Predicate>
    requires detail::judges<Predicate, Iterator>
[[nodiscard]] bool none_of(Iterator first, Iterator last, Predicate predicate) {
    return !parley::any_of(first, last, std::move(predicate));
}
/// Does predicate hold for all elements? Searches as find_if() does, for one that it does not hold for.
template <class Iterator, class Predicate>
    requires detail::judges<Predicate, Iterator>
[[nodiscard]] bool all_of(Iterator first, Iterator last, Predicate predicate) {
    return parley::none_of(first, last, std::not_fn(std::move(predicate)));
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Predicate>
    requires detail::judges<Predicate, std::ranges::iterator_t<R>>
[[nodiscard]] bool any_of(R&& range, Predicate predicate) {
    return parley::any_of(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Predicate>
    requires detail::judges<Predicate, std::ranges::iterator_t<R>>
[[nodiscard]] bool none_of(R&& range, Predicate predicate) {
    return parley::none_of(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Predicate>
    requires detail::judges<Predicate, std::ranges::iterator_t<R>>
[[nodiscard]] bool all_of(R&& range, Predicate predicate) {
    return parley::all_of(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}

}  // namespace parley::inline v0
