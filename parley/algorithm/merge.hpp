/// @file
/// Merges sorted ranges, stably: merge and inplace_merge.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/merge_runs.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>
#include <parley/algorithm/stable_sort.hpp>
#include <parley/detail/base/fp_control.hpp>
#include <parley/fork_join.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Copies the elements of two sorted runs. Long merges are divided by bisection.
template <class Left, class Right, class Out, class Less>
class merging_copies {
public:
    merging_copies(Left left, Right right, Out out, Less& less) : left_(left), right_(right), out_(out), less_(less) {}

    // Merges [i, i_end) of the left run and [j, j_end) of the right one.
    void operator()(std::uint64_t i, std::uint64_t i_end, std::uint64_t j, std::uint64_t j_end) {
        const std::uint64_t length = (i_end - i) + (j_end - j);
        if (length <= serial_up_to) return merge_serially(i, i_end, j, j_end);
        const std::uint64_t half = i + j + length / 2;  // the first result of the second half
        const std::uint64_t low = taken_from_left(left_, std::max(i, half - std::min(half, j_end)),
                                                  std::min(half - j, i_end), right_, half, less_);
        fork_join(
            [this, i, j, low, half] {
                const base::fp_in_place as_submitted(fp_);
                (*this)(i, low, j, half - low);
            },
            [this, i_end, j_end, low, half] {
                const base::fp_in_place as_submitted(fp_);
                (*this)(low, i_end, half - low, j_end);
            });
    }

private:
    static constexpr std::uint64_t serial_up_to = 8192;
    // Then no step throws but by less, and an element is assigned to one of its own type.
    static constexpr bool without_branches = std::same_as<Left, Right> && std::is_pointer_v<Left> &&
                                             std::same_as<Out, std::iter_value_t<Left>*> &&
                                             moved_without_branches<std::iter_value_t<Left>>;

    void merge_serially(std::uint64_t i, std::uint64_t i_end, std::uint64_t j, std::uint64_t j_end) {
        if constexpr (without_branches) {
            detail::merge_serially(
                merge_of<Left, Out>{left_ + i, left_ + i_end, right_ + j, right_ + j_end, iterator_at(out_, i + j)}, less_);
        } else {
            Out out = iterator_at(out_, i + j);
            while (i != i_end && j != j_end) {
                if (std::invoke(less_, element_at(right_, j), element_at(left_, i))) *out = element_at(right_, j++);
                else *out = element_at(left_, i++);
                ++out;
            }
            for (; i != i_end; ++out) *out = element_at(left_, i++);
            for (; j != j_end; ++out) *out = element_at(right_, j++);
        }
    }

    const Left left_;
    const Right right_;
    const Out out_;
    Less& less_;
    const base::fp_control fp_ = base::fp_control::now();  // docs/guide/inheritance.md
};

}  // namespace detail

/// Copies the elements of two ranges that are sorted by less to `out`, sorted. Equal elements keep their order, those of the
/// first range come first. Returns the end of what was written, as std::merge. What is written must not overlap with what
/// is read. O(n) calls of less. Merges longer than 8192 elements are divided, with a fork for each half.
///
/// The first exception is thrown here, with some elements assigned. Throws `cancelled` in this way, too.
template <class Iterator, class Other, class Out, class Less>
    requires detail::relates<Less, Other, Iterator> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out merge(Iterator first, Iterator last, Other other, Other other_last, Out out, Less less) {
    const std::uint64_t left = detail::length_of(first, last), right = detail::length_of(other, other_last);
    detail::in_worker([&](threading::worker&) {
        detail::merging_copies<decltype(detail::plain(first)), decltype(detail::plain(other)), decltype(detail::plain(out)),
                               Less>(detail::plain(first), detail::plain(other), detail::plain(out), less)(0, left, 0,
                                                                                                           right);
    });
    return detail::iterator_at(out, left + right);
}
/// Compares by `<`.
template <class Iterator, class Other, class Out>
    requires detail::relates<std::less<>, Other, Iterator> && detail::assigns_elements_of_both<Out, Iterator, Other>
Out merge(Iterator first, Iterator last, Other other, Other other_last, Out out) {
    return parley::merge(first, last, other, other_last, out, std::less<>{});
}

/// Merges [first, middle) and [middle, last), each sorted by less, in their place, as std::inplace_merge. Equal elements
/// keep their order. It has a buffer for as many elements as there are. Elements whose moves may throw are merged by
/// std::inplace_merge in the calling thread, and some may be lost if something throws.
///
/// The first exception of less is thrown here, when all workers have left the range. Each element is then still there, in
/// any order. Throws `cancelled` with this guarantee, and std::bad_alloc before anything has changed.
template <class Iterator, class Less>
    requires detail::sorts<Iterator, Less>
void inplace_merge(Iterator first, Iterator middle, Iterator last, Less less) {
    using value = std::iter_value_t<Iterator>;
    if (first == middle || middle == last || !std::invoke(less, *middle, middle[-1])) return;
    if constexpr (std::is_nothrow_move_constructible_v<value> && std::is_nothrow_move_assignable_v<value>)
        detail::in_worker([&](threading::worker&) {
            detail::merge_sort<decltype(detail::plain(first)), Less>(detail::plain(first), detail::length_of(first, last),
                                                                     less)
                .merge_two(detail::length_of(first, middle));
        });
    else std::inplace_merge(first, middle, last, std::ref(less));
}
/// Compares by `<`.
template <class Iterator>
    requires detail::sorts<Iterator, std::less<>>
void inplace_merge(Iterator first, Iterator middle, Iterator last) {
    parley::inplace_merge(first, middle, last, std::less<>{});
}

/// Takes ranges instead of pairs of iterators.
template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Other, class Out,
          class Less = std::less<>>
    requires detail::relates<Less, std::ranges::iterator_t<Other>, std::ranges::iterator_t<R>> &&
             detail::assigns_elements_of_both<Out, std::ranges::iterator_t<R>, std::ranges::iterator_t<Other>>
Out merge(R&& range, Other&& other, Out out, Less less = {}) {
    return parley::merge(detail::begin_of(range), detail::end_of(range), detail::begin_of(other), detail::end_of(other), out,
                         std::move(less));
}
/// Takes a range instead of its first and last iterators.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::sorts<std::ranges::iterator_t<R>, Less>
void inplace_merge(R&& range, std::ranges::iterator_t<R> middle, Less less = {}) {
    parley::inplace_merge(detail::begin_of(range), middle, detail::end_of(range), std::move(less));
}

}  // namespace parley::inline v0
