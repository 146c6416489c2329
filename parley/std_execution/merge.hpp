// Sorts and merges for the backend.
#pragma once

#include <parley/algorithm/merge_runs.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>
#include <parley/algorithm/sort.hpp>
#include <parley/algorithm/stable_sort.hpp>
#include <parley/std_execution/in_parts.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail::std_execution {

// A leaf that holds nothing, but tags, copies elements and compares them. Parley's own merge does that without branches
// where copying an element is cheap.
template <class X, class Y, class Out, class Leaf>
concept copies_small_types =
    sizeof(Leaf) == 1 && std::contiguous_iterator<X> && std::contiguous_iterator<Y> && std::contiguous_iterator<Out> &&
    std::same_as<std::iter_value_t<X>, std::iter_value_t<Y>> && std::same_as<std::iter_value_t<X>, std::iter_value_t<Out>> &&
    moved_without_branches<std::iter_value_t<X>>;

// __parallel_merge: leaf(x range, y range, out) merges. The longer range is halved, and the other one where the middle
// element belongs. Of equal elements those of x come first.
template <class X, class Y, class Out, class Less, class Leaf>
struct merge_in_halves {
    void operator()(X x, X x_end, Y y, Y y_end, Out out, std::uint64_t parts) const {
        if (parts <= 1) return merge_serially(x, x_end, y, y_end, out);
        const auto [x_middle, y_middle] = middles(x, x_end, y, y_end);
        const std::uint64_t left = length_between(x, x_middle) + length_between(y, y_middle);
        const std::uint64_t all = length_between(x, x_end) + length_between(y, y_end);
        const std::uint64_t parts_left = std::clamp<std::uint64_t>(parts * left / all, 1, parts - 1);
        (void)fork_both(
            [&, xm = x_middle, ym = y_middle] { (*this)(x, xm, y, ym, out, parts_left); },
            [&, xm = x_middle, ym = y_middle] { (*this)(xm, x_end, ym, y_end, at(out, left), parts - parts_left); });
    }

    void merge_serially(X x, X x_end, Y y, Y y_end, Out out) const {
        if constexpr (copies_small_types<X, Y, Out, Leaf>) {
            using from = const std::iter_value_t<X>*;
            Less own = less;
            const detail::merge_of<from, decltype(plain(out))> whole{plain(x), plain(x_end), plain(y), plain(y_end),
                                                                     plain(out)};
            detail::merge_serially(whole, own);
        } else {
            leaf(x, x_end, y, y_end, out, less);
        }
    }

    // What a comparison throws ends the program here, too.
    std::pair<X, Y> middles(X x, X x_end, Y y, Y y_end) const noexcept {
        const std::uint64_t nx = length_between(x, x_end), ny = length_between(y, y_end);
        if (nx < ny) {
            const Y middle = at(y, ny / 2);
            return {std::upper_bound(x, x_end, *middle, less), middle};
        }
        const X middle = at(x, nx / 2);
        return {middle, std::lower_bound(y, y_end, *middle, less)};
    }

    const Less& less;
    const Leaf& leaf;
};

template <class X, class Y, class Out, class Less, class Leaf>
void merge_ranges(X x, X x_end, Y y, Y y_end, Out out, const Less& less, const Leaf& leaf) {
    const std::uint64_t parts = parts_of(length_between(x, x_end) + length_between(y, y_end), 32, 4096);
    if (parts == 1) leaf(x, x_end, y, y_end, out, less);
    else
        in_isolation(
            [&](threading::worker&) { merge_in_halves<X, Y, Out, Less, Leaf>{less, leaf}(x, x_end, y, y_end, out, parts); });
}

// Sorts by leaf(i, j), which also may put elements there first, and is called once for each part of the range. Only the
// first `wanted` elements need be the right ones, and in order; the others come behind them.
template <class Iterator, class Less, class Leaf>
struct sort_in_halves {
    void operator()(Iterator first, Iterator last, std::uint64_t parts) const {
        if (parts == 1) {
            leaf(first, last, less);
            return;
        }
        const Iterator middle = at(first, length_between(first, last) / 2);
        (void)fork_both([&] { (*this)(first, middle, parts / 2); }, [&] { (*this)(middle, last, parts - parts / 2); });
        put_together(first, middle, last);
    }

    // Both halves begin with their first `wanted`, in order.
    void put_together(Iterator first, Iterator middle, Iterator last) const {
        const std::uint64_t left = length_between(first, middle);
        const std::uint64_t right = std::min(wanted, length_between(middle, last));
        if (wanted >= left) return std::inplace_merge(first, middle, at(middle, right), less);
        const std::uint64_t taken = among_the_first(first, middle, right);
        const Iterator border = at(first, wanted - taken);
        std::swap_ranges(middle, at(middle, taken), border);
        std::inplace_merge(first, border, at(first, wanted), less);
    }

    // How many of the first `wanted` of both halves lie in the second one, which has `right` of its own.
    std::uint64_t among_the_first(Iterator first, Iterator middle, std::uint64_t right) const {
        Less own = less;
        std::uint64_t low = 0, high = right;
        while (low < high) {
            const std::uint64_t n = low + (high - low) / 2;  // are n + 1 of them there?
            if (own(*at(middle, n), *at(first, wanted - n - 1))) low = n + 1;
            else high = n;
        }
        return low;
    }

    const Less& less;
    const Leaf& leaf;
    std::uint64_t wanted;
};

// A leaf that holds nothing sorts what is there. Then Parley's own sorts do, which have no branches for small types.
template <class Iterator, class Less, class Leaf>
concept sorts_what_is_there =
    std::is_empty_v<Leaf> && sorts<Iterator, Less> && std::is_nothrow_move_constructible_v<std::iter_value_t<Iterator>> &&
    std::is_nothrow_move_assignable_v<std::iter_value_t<Iterator>>;

// std::sort asks for this function, too, and only the name of its leaf, which is written in it, says so. Compilers that
// do not tell that name sort stably, which is slower and never wrong.
template <class Leaf>
constexpr bool may_reorder_equal_elements() {
    const std::string_view name = __PRETTY_FUNCTION__;
    return name.find("__pattern_sort<") != name.npos && name.find("__pattern_stable_sort<") == name.npos;
}

inline constexpr std::uint64_t shortest_sort_in_parallel = 512;

// __parallel_stable_sort. `wanted` is 0 if all elements are.
template <class Iterator, class Less, class Leaf>
void sort_ranges(Iterator first, Iterator last, const Less& less, const Leaf& leaf, std::size_t wanted) {
    const std::uint64_t count = length_between(first, last);
    if (count <= shortest_sort_in_parallel) {
        leaf(first, last, less);
        return;
    }
    if constexpr (sorts_what_is_there<Iterator, Less, Leaf>)
        in_isolation([&](threading::worker&) {
            if constexpr (may_reorder_equal_elements<Leaf>()) parley::sort(first, last, less);
            else parley::stable_sort(first, last, less);
        });
    else
        in_isolation([&](threading::worker&) {
            sort_in_halves<Iterator, Less, Leaf>{less, leaf, wanted == 0 ? count : wanted}(
                first, last, parts_of(count, 4, shortest_sort_in_parallel));
        });
}

}  // namespace parley::inline v0::detail::std_execution
