// Sorting serially what is short, or what quicksort does badly. If less throws, each element is still there.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace parley::inline v0::detail {

inline constexpr std::uint64_t insertion_sort_up_to = 24;

// Stable.
template <class Iterator, class Less>
void insertion_sort(Iterator first, Iterator last, Less& less) {
    if (first == last) return;
    for (Iterator next = first + 1; next != last; ++next) {
        if (!std::invoke(less, *next, next[-1])) continue;
        // Out of its place while others move: it goes back into the gap, by an exception, too.
        struct taken_out {
            std::iter_value_t<Iterator> value;
            Iterator gap;
            ~taken_out() { *gap = std::move(value); }
        } here{std::move(*next), next};
        do {
            *here.gap = std::move(here.gap[-1]);
            --here.gap;
        } while (here.gap != first && std::invoke(less, here.value, here.gap[-1]));
    }
}

// O(n log n) for every input.
template <class Iterator, class Less>
void heap_sort(Iterator first, Iterator last, Less& less) {
    using difference = std::iter_difference_t<Iterator>;
    const difference n = last - first;
    const auto sift_down = [&](difference at, difference end) {
        for (difference child = 2 * at + 1; child < end; at = child, child = 2 * at + 1) {
            if (child + 1 < end && std::invoke(less, first[child], first[child + 1])) ++child;
            if (!std::invoke(less, first[at], first[child])) return;
            std::iter_swap(first + at, first + child);
        }
    };
    for (difference at = n / 2; at-- > 0;) sift_down(at, n);
    for (difference end = n; --end > 0;) {
        std::iter_swap(first, first + end);
        sift_down(0, end);
    }
}

}  // namespace parley::inline v0::detail
