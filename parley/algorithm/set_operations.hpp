/// @file
/// Sets and multisets as sorted ranges: set_union, set_intersection, set_difference, set_symmetric_difference and includes.
#pragma once

#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/in_order.hpp>
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

// Which elements are in the result: those of the left set that have no partner in the right one, those of the right one
// that have none in the left one, and those of the left one that have one?
struct set_rule {
    bool left, right, both;
};

// The numbers from 0 on are the places of a merge of both ranges. A place stands for all elements before it, less those that
// are equal to the next one. So equal elements are never divided.
template <set_rule Rule, class Left, class Right, class Out, class Less>
struct set_operation {
    struct cut {
        std::uint64_t at = 0;        // the place
        std::uint64_t i = 0, j = 0;  // how many elements of each range lie before it
    };
    using note = cut;  // the end of the block before

    std::uint64_t write(note& last, std::uint64_t from, std::uint64_t to, std::uint64_t at) {
        const Out target = out;
        for_results(last, from, to,
                    [&at, target](auto&& element) { element_at(target, at++) = std::forward<decltype(element)>(element); });
        return at;
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
        auto [at, i, j] = last.at == from ? last : cut_at(from, {});
        last = cut_at(to, {from, i, j});
        const auto [end, i_end, j_end] = last;
        called_in_block<Less, std::iter_reference_t<Left>, std::iter_reference_t<Right>> own = less;
        while (i != i_end && j != j_end) {
            if (std::invoke(own, element_at(left, i), element_at(right, j))) {
                if constexpr (Rule.left) result(element_at(left, i));
                ++i;
            } else if (std::invoke(own, element_at(right, j), element_at(left, i))) {
                if constexpr (Rule.right) result(element_at(right, j));
                ++j;
            } else {
                if constexpr (Rule.both) result(element_at(left, i));
                ++i;
                ++j;
            }
        }
        if constexpr (Rule.left)
            for (; i != i_end; ++i) result(element_at(left, i));
        if constexpr (Rule.right)
            for (; j != j_end; ++j) result(element_at(right, j));
    }

    // `before` is a cut further left.
    cut cut_at(std::uint64_t place, cut before) {
        if (place == left_length + right_length) return {place, left_length, right_length};
        // Bisection, as in merge_of::split_off_half().
        std::uint64_t low = std::max(before.i, place - std::min(place, right_length));
        std::uint64_t high = std::min(place - before.j, left_length);
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (std::invoke(less, element_at(right, place - middle - 1), element_at(left, middle))) high = middle;
            else low = middle + 1;
        }
        const std::uint64_t i = low, j = place - low;
        const bool next_is_right =
            i == left_length || (j != right_length && std::invoke(less, element_at(right, j), element_at(left, i)));
        return next_is_right ? back_to_equals(place, i, j, before, element_at(right, j))
                             : back_to_equals(place, i, j, before, element_at(left, i));
    }

    template <class Element>
    cut back_to_equals(std::uint64_t place, std::uint64_t i, std::uint64_t j, cut before, Element&& next) {
        return {place,
                first_not_less(before.i, i, [&](std::uint64_t k) { return std::invoke(less, element_at(left, k), next); }),
                first_not_less(before.j, j, [&](std::uint64_t k) { return std::invoke(less, element_at(right, k), next); })};
    }

    // Of the numbers in [low, high) the first one that is not less, or high. Mostly the last one is less.
    template <class IsLess>
    static std::uint64_t first_not_less(std::uint64_t low, std::uint64_t high, IsLess is_less) {
        for (std::uint64_t step = 1; low < high; step *= 2) {
            const std::uint64_t probe = high - std::min(step, high - low);
            if (is_less(probe)) {
                low = probe + 1;
                break;
            }
            high = probe;
        }
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (is_less(middle)) low = middle + 1;
            else high = middle;
        }
        return high;
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
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_union(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_either>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_union(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_union(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_from<Out, detail::element_of<R>> &&
             detail::assigns_elements_from<Out, detail::element_of<Other>>
Out set_union(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_union(detail::begin_of(range), detail::end_of(range), detail::begin_of(other), detail::end_of(other),
                             out, std::move(less));
}

/// Copies the elements of the first range that are in the second one, too: min(m, n) of each. All else is as with
/// set_union().
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_intersection(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_both>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_intersection(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_intersection(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_from<Out, detail::element_of<R>> &&
             detail::assigns_elements_from<Out, detail::element_of<Other>>
Out set_intersection(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_intersection(detail::begin_of(range), detail::end_of(range), detail::begin_of(other),
                                    detail::end_of(other), out, std::move(less));
}

/// Copies the elements of the first range that are not in the second one: max(m - n, 0) of each. All else is as with
/// set_union().
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_difference(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_left_only>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_difference(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_difference(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_from<Out, detail::element_of<R>> &&
             detail::assigns_elements_from<Out, detail::element_of<Other>>
Out set_difference(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::set_difference(detail::begin_of(range), detail::end_of(range), detail::begin_of(other),
                                  detail::end_of(other), out, std::move(less));
}

/// Copies the elements that are in one range only: |m - n| of each. All else is as with set_union().
template <class Iterator, class Other, class Out, class Less>
    requires detail::orders<Less, Iterator, Other> && detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_symmetric_difference(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    return detail::set_result<detail::in_one_only>(first, last, other, other_last, out, less);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::orders<std::less<>, Iterator, Other> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>> &&
             detail::assigns_elements_from<Out, std::iter_reference_t<Other>>
Out set_symmetric_difference(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::set_symmetric_difference(first, last, other, other_last, out, std::less<>{});
}
/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::orders<Less, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>> &&
             detail::assigns_elements_from<Out, detail::element_of<R>> &&
             detail::assigns_elements_from<Out, detail::element_of<Other>>
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
