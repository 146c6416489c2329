/// @file
/// Moves elements to other places of their range: reverse and rotate.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ranges>

namespace parley::inline v0 {

namespace detail {

// Swaps the elements of two ranges of one length that do not overlap.
template <class Iterator>
void swap_with(Iterator first, Iterator other, std::uint64_t count) {
    for_blocks(count, [=](std::uint64_t from, std::uint64_t to) {
        std::swap_ranges(iterator_at(first, from), iterator_at(first, to), iterator_at(other, from));
    });
}

}  // namespace detail

/// Reverses the order of the elements, by (last - first) / 2 swaps. The first exception is thrown here; then the other
/// workers stop soon, and each element is still there. Throws `cancelled`. The range is divided on demand.
template <detail::permutes Iterator>
void reverse(Iterator first, Iterator last) {
    const std::uint64_t count = detail::length_of(first, last);
    detail::for_blocks(count / 2, [count, in = detail::plain(first)](std::uint64_t from, std::uint64_t to) {
        auto right = detail::iterator_at(in, count - from);
        const auto end = detail::iterator_at(in, to);
        for (auto left = detail::iterator_at(in, from); left != end; ++left) std::iter_swap(left, --right);
    });
}

/// Moves the elements of [middle, last) before those of [first, middle), and returns where `first`'s element is then, as
/// std::rotate. At most last - first swaps. Exceptions and cancellation are those of reverse().
///
/// As long as both parts are long, as much as is in the shorter one is swapped at once (D. Gries and H. Mills, "Swapping
/// Sections", 1981). What is left then is rotated by the calling thread.
template <detail::permutes Iterator>
Iterator rotate(Iterator first, Iterator middle, Iterator last) {
    constexpr std::uint64_t serial_up_to = 4096;
    const std::uint64_t count = detail::length_of(first, last);
    const std::uint64_t right_length = detail::length_of(middle, last);
    const auto in = detail::plain(first);
    // What is between `from` and `to` is still to be rotated around `border`.
    std::uint64_t from = 0, border = count - right_length, to = count;
    for (;;) {
        const std::uint64_t left = border - from, right = to - border;
        const std::uint64_t n = std::min(left, right);
        if (n <= serial_up_to) break;
        if (left <= right) {
            detail::swap_with(detail::iterator_at(in, from), detail::iterator_at(in, border), n);
            from += n;
            border = from + left;
            if (border == to) break;
        } else {
            detail::swap_with(detail::iterator_at(in, border - n), detail::iterator_at(in, border), n);
            to -= n;
            border = to - n;
        }
    }
    // std::rotate needs the category of an iterator, and iterators of some views have none that it takes.
    std::ranges::rotate(detail::iterator_at(in, from), detail::iterator_at(in, border), detail::iterator_at(in, to));
    return detail::iterator_at(first, right_length);
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R>
    requires detail::permutes<std::ranges::iterator_t<R>>
void reverse(R&& range) {
    parley::reverse(detail::begin_of(range), detail::end_of(range));
}
/// Takes a range instead of its first and last iterators.
template <detail::range_of_random_access_and_known_size R>
    requires detail::permutes<std::ranges::iterator_t<R>>
std::ranges::borrowed_iterator_t<R> rotate(R&& range, std::ranges::iterator_t<R> middle) {
    return parley::rotate(detail::begin_of(range), middle, detail::end_of(range));
}

}  // namespace parley::inline v0
