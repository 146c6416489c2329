// Ranges as arguments of algorithms, which work on two iterators of one type.
#pragma once

#include <iterator>
#include <ranges>

namespace parley::inline v0::detail {

// The end of such a range is found from its beginning without a walk.
template <class R>
concept range_of_random_access_and_known_size = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

template <class R>
using element_of = std::ranges::range_reference_t<R>;

template <range_of_random_access_and_known_size R>
auto begin_of(R& range) {
    return std::ranges::begin(range);
}

// Returns an iterator, even if the range has a sentinel of another type.
template <range_of_random_access_and_known_size R>
auto end_of(R& range) {
    return std::ranges::begin(range) + static_cast<std::ranges::range_difference_t<R>>(std::ranges::size(range));
}

}  // namespace parley::inline v0::detail
