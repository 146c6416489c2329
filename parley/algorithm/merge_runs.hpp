// Merges two sorted runs into another place, stably.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/small_sort.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace parley::inline v0::detail {

// Of the first `place` results of a stable merge, how many come from the left run? From `low` to `high`, and the others from
// the right run. Bisection: O(log(high - low)) (the merge path of S. Odeh, O. Green et al., 2012).
template <class Left, class Right, class Less>
std::uint64_t taken_from_left(Left left, std::uint64_t low, std::uint64_t high, Right right, std::uint64_t place,
                              Less& less) {
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (std::invoke(less, element_at(right, place - middle - 1), element_at(left, middle))) high = middle;
        else low = middle + 1;
    }
    return low;
}

// One merge, as far as it is not done yet. Of equal elements the left ones come first.
template <class From, class Out>
struct merge_of {
    From left, left_end, right, right_end;
    Out out;

    [[nodiscard]] std::uint64_t left_length() const { return length_of(left, left_end); }
    [[nodiscard]] std::uint64_t right_length() const { return length_of(right, right_end); }
    [[nodiscard]] std::uint64_t length() const { return left_length() + right_length(); }
    // A step takes one element, so neither run is empty before any of this many steps: nobody need check.
    [[nodiscard]] std::uint64_t safe_steps() const { return std::min(left_length(), right_length()); }

    // Merges one element. If less throws, nothing has changed.
    template <class Less>
    [[gnu::always_inline]] void step(Less& less) {
        const bool from_right = std::invoke(less, *right, *left);
        if constexpr (moved_without_branches<std::iter_value_t<From>>) {
            *out = *(from_right ? right : left);
            right += from_right ? 1 : 0;
            left += from_right ? 0 : 1;
        } else if (from_right) {
            *out = std::move(*right);
            ++right;
        } else {
            *out = std::move(*left);
            ++left;
        }
        ++out;
    }

    // Moves the left run and then the right one. They are in order if one of them is empty.
    void move_rest() noexcept {
        out = std::move(left, left_end, out);
        out = std::move(right, right_end, out);
        left = left_end;
        right = right_end;
    }

    // Splits off the second half of the result.
    template <class Less>
    merge_of split_off_half(Less& less) {
        const std::uint64_t half = length() / 2;
        const std::uint64_t low =
            taken_from_left(left, half - std::min(half, right_length()), std::min(half, left_length()), right, half, less);
        merge_of second = *this;
        left_end = second.left = iterator_at(left, low);
        right_end = second.right = iterator_at(right, half - low);
        second.out = iterator_at(out, half);
        return second;
    }
};

// Does four merges at once. A step of one merge waits for its step before, so the processor does steps of the others
// meanwhile.
template <class From, class Out, class Less>
void merge_in_four(merge_of<From, Out>& whole, Less& less) {
    std::array<merge_of<From, Out>, 4> parts{whole, whole, whole, whole};
    std::size_t known = 1;
    try {
        parts[1] = parts[0].split_off_half(less);
        known = 2;
        parts[2] = parts[1].split_off_half(less);
        known = 3;
        parts[3] = parts[0].split_off_half(less);
        known = 4;
        for (;;) {
            std::uint64_t steps = parts[0].safe_steps();
            for (const auto& part : parts) steps = std::min(steps, part.safe_steps());
            if (steps == 0) break;
            auto [a, b, c, d] = parts;
            for (; steps > 0; --steps) {
                a.step(less);
                b.step(less);
                c.step(less);
                d.step(less);
            }
            parts = {a, b, c, d};
        }
        for (auto& part : parts)
            for (std::uint64_t steps = part.safe_steps(); steps > 0; steps = part.safe_steps())
                for (; steps > 0; --steps) part.step(less);
    } catch (...) {
        for (std::size_t i = 0; i < known; ++i) parts[i].move_rest();
        throw;
    }
    for (auto& part : parts) part.move_rest();
}

inline constexpr std::uint64_t worth_four = 64;

// Does all of it. If less throws, all elements have been moved, in any order.
template <class From, class Out, class Less>
void merge_serially(merge_of<From, Out> whole, Less& less) {
    if constexpr (moved_without_branches<std::iter_value_t<From>>)
        if (whole.length() >= worth_four) return merge_in_four(whole, less);
    try {
        while (whole.left != whole.left_end && whole.right != whole.right_end) whole.step(less);
    } catch (...) {
        whole.move_rest();
        throw;
    }
    whole.move_rest();
}

}  // namespace parley::inline v0::detail
