/// @file
/// Sets and multisets as sorted ranges: set_union, set_intersection, set_difference, set_symmetric_difference and includes.
#pragma once

#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/in_order.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/merge_runs.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Which elements are in the result? Each may have a partner, an equal one in the other set.
struct set_rule {
    bool left;   // those of the left set without a partner
    bool right;  // those of the right set without one
    bool both;   // those of the left set with one
};

// The numbers from 0 on are the places of a merge of both ranges. A place stands for all elements before it, and for those
// that are equal to the last of them. So equal elements are never divided.
template <set_rule Rule, class Left, class Right, class Out, class Less>
struct set_operation {
    struct cut {
        std::uint64_t at = 0;        // the place
        std::uint64_t i = 0, j = 0;  // how many elements of each range it stands for
    };
    using note = cut;  // the end of the block before
    // A copy must be callable both ways.
    using less_in_block =
        std::conditional_t<std::is_invocable_v<const Less&, std::iter_reference_t<Right>, std::iter_reference_t<Left>>,
                           called_in_block<Less, std::iter_reference_t<Left>, std::iter_reference_t<Right>>, Less&>;

    std::uint64_t write(note& last, std::uint64_t from, std::uint64_t to, std::uint64_t at) {
        const Out begin = iterator_at(out, at);
        Out target = begin;
        for_results(last, from, to, [&target](auto&& element) {
            *target = std::forward<decltype(element)>(element);
            ++target;
        });
        return at + static_cast<std::uint64_t>(target - begin);
    }
    std::uint64_t measure(note& last, std::uint64_t from, std::uint64_t to) {
        std::uint64_t length = 0;
        for_results(last, from, to, [&length](auto&&) { ++length; });
        return length;
    }
    void write_measured(const note&, std::uint64_t from, std::uint64_t to, std::uint64_t at) {
        cut last;
        (void)write(last, from, to, at);
    }

    template <class Result>
    void for_results(cut& last, std::uint64_t from, std::uint64_t to, Result result) {
        auto [at, i, j] = last.at == from ? last : cut_at(from);
        const Left l = left;
        const Right r = right;
        const std::uint64_t l_end = left_length, r_end = right_length;
        less_in_block own = less;
        const auto take_left = [&] {
            if constexpr (Rule.left) result(element_at(l, i));
            ++i;
        };
        const auto take_right = [&] {
            if constexpr (Rule.right) result(element_at(r, j));
            ++j;
        };
        const auto take_both = [&] {
            if constexpr (Rule.both) result(element_at(l, i));
            ++i;
            ++j;
        };
        while (i + j < to) {
            // A step takes at most one element of each range. So many steps need no look at the ends.
            const std::uint64_t steps = std::min({l_end - i, r_end - j, (to - i - j + 1) / 2});
            if (steps == 0) break;
            for (const std::uint64_t i_stop = i + steps, j_stop = j + steps; i != i_stop && j != j_stop;) {
                if (std::invoke(own, element_at(l, i), element_at(r, j))) take_left();
                else if (std::invoke(own, element_at(r, j), element_at(l, i))) take_right();
                else take_both();
            }
        }
        // Here one range is at its end, or nothing is left to do.
        while (i + j < to && i != l_end) take_left();
        while (i + j < to && j != r_end) take_right();
        // What is equal to the last one. Nothing that is left is less.
        const auto take_equals = [&](auto in, std::uint64_t n) {
            const auto left_is_equal = [&] { return i != l_end && !std::invoke(less, element_at(in, n), element_at(l, i)); };
            const auto right_is_equal = [&] {
                return j != r_end && !std::invoke(less, element_at(in, n), element_at(r, j));
            };
            while (left_is_equal() && right_is_equal()) take_both();
            while (left_is_equal()) take_left();
            while (right_is_equal()) take_right();
        };
        if (last_is_right(i, j)) take_equals(r, j - 1);
        else take_equals(l, i - 1);
        last = {to, i, j};
    }

    // Is the last one of the first i and the first j elements in the right range? There are some.
    bool last_is_right(std::uint64_t i, std::uint64_t j) {
        return i == 0 || (j != 0 && std::invoke(less, element_at(left, i - 1), element_at(right, j - 1)));
    }

    cut cut_at(std::uint64_t place) {
        if (place == 0) return {};
        const std::uint64_t i =
            taken_from_left(left, place - std::min(place, right_length), std::min(place, left_length), right, place, less);
        const std::uint64_t j = place - i;
        return last_is_right(i, j) ? behind_equals(place, i, j, right, j - 1) : behind_equals(place, i, j, left, i - 1);
    }

    // The last element is number n of `in`. Each call of less has it from there, because it may be made up for each.
    template <class In>
    cut behind_equals(std::uint64_t place, std::uint64_t i, std::uint64_t j, In in, std::uint64_t n) {
        const auto is_greater = [&](auto side) {
            return [this, side, in, n](std::uint64_t k) -> bool {
                return std::invoke(less, element_at(in, n), element_at(side, k));
            };
        };
        return {place, first_greater(i, left_length, is_greater(left)), first_greater(j, right_length, is_greater(right))};
    }

    // Of the numbers in [low, high) the first one that is greater, or high. Mostly it is the first one.
    template <class IsGreater>
    static std::uint64_t first_greater(std::uint64_t low, std::uint64_t high, IsGreater is_greater) {
        for (std::uint64_t step = 1; low < high; step *= 2) {
            const std::uint64_t probe = low + std::min(step, high - low) - 1;
            if (is_greater(probe)) {
                high = probe;
                break;
            }
            low = probe + 1;
        }
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (is_greater(middle)) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    Left left;
    Right right;
    Out out;
    Less& less;
    std::uint64_t left_length, right_length;
};

template <class Less, class Iterator, class Other>
concept orders =
    relates<Less, Iterator, Other> && relates<Less, Other, Iterator> && compares<Less, Iterator> && compares<Less, Other>;

template <set_rule Rule, class Iterator, class Other, class Out, class Less>
Out set_result(Iterator first, Iterator last, Other other, Other other_last, Out out, Less& less) {
    set_operation<Rule, decltype(plain(first)), decltype(plain(other)), decltype(plain(out)), Less> all{
        plain(first), plain(other), plain(out), less, length_of(first, last), length_of(other, other_last)};
    return iterator_at(out, in_order<decltype(all)>::run(all, all.left_length + all.right_length));
}

inline constexpr set_rule in_either{true, true, true}, in_both{false, false, true}, in_left_only{true, false, false},
    in_one_only{true, true, false};

}  // namespace detail

/// Copies the elements that are in either of two ranges to `out`, sorted, and returns the end of what was written, as
/// std::set_union. Both ranges are sorted by less, a strict weak order. An element that is m times in the first range and n
/// times in the second one is max(m, n) times in the result. Elements that are in both come from the first one. What is
/// written must not overlap with what is read.
///
/// O(m + n) calls of less. It is one pass if nobody asks for work. Of parts that others take, the results are counted
/// first, and written when it is known how many come before. Equal elements are never divided among workers.
///
/// The first exception is thrown here, with some elements assigned; then the other workers stop soon. Throws `cancelled`
/// and std::bad_alloc in this way, too.
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_union(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_either>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_union(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_union(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_of_both<Out, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
Out set_union(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_union(detail::begin_of(range), detail::end_of(range), detail::begin_of(other), detail::end_of(other),
                             out, std::move(less));
}

/// Copies the elements of the first range that are in the second one, too: min(m, n) of each. All else is as with
/// set_union().
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_intersection(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_both>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_intersection(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_intersection(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_of_both<Out, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
Out set_intersection(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_intersection(detail::begin_of(range), detail::end_of(range), detail::begin_of(other),
                                    detail::end_of(other), out, std::move(less));
}

/// Copies the elements of the first range that are not in the second one: max(m - n, 0) of each. All else is as with
/// set_union().
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_difference(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_left_only>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_difference(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_difference(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_of_both<Out, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
Out set_difference(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_difference(detail::begin_of(range), detail::end_of(range), detail::begin_of(other),
                                  detail::end_of(other), out, std::move(less));
}

/// Copies the elements that are in one range only: |m - n| of each. All else is as with set_union().
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_symmetric_difference(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_one_only>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out set_symmetric_difference(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_symmetric_difference(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_of_both<Out, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
Out set_symmetric_difference(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_symmetric_difference(detail::begin_of(range), detail::end_of(range), detail::begin_of(other),
                                            detail::end_of(other), out, std::move(less));
}

/// Are all elements of the second range in the first one, as often? Both are sorted by less. O(m + n) calls of less. Stops
/// and throws as find_if() does.
template <class Iterator, class Other, class Less>
    requires detail::orders<Less, Iterator, Other>
[[nodiscard]] bool includes(Iterator first, Iterator last, Other other, Other other_last, Less less) {
    // Is there anything in the second range only?
    struct nowhere {};
    detail::set_operation<detail::in_left_only, decltype(detail::plain(other)), decltype(detail::plain(first)), nowhere,
                          Less>
        all{detail::plain(other),          detail::plain(first), {}, less, detail::length_of(other, other_last),
            detail::length_of(first, last)};
    const std::uint64_t places = all.left_length + all.right_length;
    return detail::first_number(places, [&all](std::uint64_t from, std::uint64_t to) {
               typename decltype(all)::note last_cut;
               return all.measure(last_cut, from, to) == 0 ? to : from;
           }) == places;
}
/// Compares by `<`.
template <class Iterator, class Other>
    requires detail::orders<std::less<>, Iterator, Other>
[[nodiscard]] bool includes(Iterator first, Iterator last, Other other, Other other_last) {
    return parley::includes(first, last, other, other_last, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
[[nodiscard]] bool includes(R&& range, Other&& other, Less less = {}) {
    return parley::includes(detail::begin_of(range), detail::end_of(range), detail::begin_of(other), detail::end_of(other),
                            std::move(less));
}

}  // namespace parley::inline v0
