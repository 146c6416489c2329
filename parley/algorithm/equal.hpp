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

namespace detail {

// These two are function objects. Otherwise calls with two ranges and a relation, after `using namespace parley`, would find
// the standard's functions for two iterators and a third one, too. These fit better if both ranges have one type.
struct mismatch_call {
    template <class Iterator, class Other, class Same = std::equal_to<>>
        requires relates<Same, Iterator, Other>
    [[nodiscard]] std::pair<Iterator, Other> operator()(Iterator first, Iterator last, Other other, Other other_last,
                                                        Same same = {}) const {
        const std::uint64_t at =
            first_number(std::min(length_of(first, last), length_of(other, other_last)),
                         [&same, left = plain(first), right = plain(other)](std::uint64_t from, std::uint64_t to) {
                             called_in_block<Same, std::iter_reference_t<Iterator>, std::iter_reference_t<Other>> own = same;
                             for (; from != to; ++from)
                                 if (!std::invoke(own, element_at(left, from), element_at(right, from))) break;
                             return from;
                         });
        return {iterator_at(first, at), iterator_at(other, at)};
    }

    template <range_of_random_access_and_known_size R, range_of_random_access_and_known_size Other,
              class Same = std::equal_to<>>
        requires relates<Same, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
    [[nodiscard]] std::pair<std::ranges::borrowed_iterator_t<R>, std::ranges::borrowed_iterator_t<Other>> operator()(
        R&& range, Other&& other, Same same = {}) const {
        return (*this)(begin_of(range), end_of(range), begin_of(other), end_of(other), std::move(same));
    }
};

struct equal_call {
    template <class Iterator, class Other, class Same = std::equal_to<>>
        requires relates<Same, Iterator, Other>
    [[nodiscard]] bool operator()(Iterator first, Iterator last, Other other, Other other_last, Same same = {}) const {
        return length_of(first, last) == length_of(other, other_last) &&
               mismatch_call{}(first, last, other, other_last, std::move(same)).first == last;
    }

    template <range_of_random_access_and_known_size R, range_of_random_access_and_known_size Other,
              class Same = std::equal_to<>>
        requires relates<Same, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
    [[nodiscard]] bool operator()(R&& range, Other&& other, Same same = {}) const {
        return (*this)(begin_of(range), end_of(range), begin_of(other), end_of(other), std::move(same));
    }
};

}  // namespace detail

/// Returns the first places where same(*i, *j) does not hold, or those where the shorter range ends, as std::mismatch.
/// Calls same at most once for each pair; without one it compares by `==`. Stops and throws as find_if() does.
///
/// The arguments are first, last, other, other_last and same, or two ranges and same.
inline constexpr detail::mismatch_call mismatch{};

/// Have both ranges the same length, and does same(*i, *j) hold for each pair? Calls nothing if the lengths differ. All else
/// is as with mismatch().
inline constexpr detail::equal_call equal{};

}  // namespace parley::inline v0
