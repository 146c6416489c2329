/// @file
/// Finds the smallest and the largest elements: min_element, max_element and minmax_element.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Keeps one element of each part. By `better(candidate, best)` it is better than all before it, and none after it is
// better.
template <class Plain, class Better>
struct selection {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    struct state {
        std::uint64_t best = none;
    };

    bool block(state& mine, std::uint64_t from, std::uint64_t to) {
        called_in_block<Better, std::iter_reference_t<Plain>, std::iter_reference_t<Plain>> own = better;
        Plain best = iterator_at(in, mine.best == none ? from++ : mine.best);
        const Plain end = iterator_at(in, to);
        for (Plain i = iterator_at(in, from); i != end; ++i)
            if (std::invoke(own, *i, *best)) best = i;
        mine.best = static_cast<std::uint64_t>(best - in);
        return true;
    }

    Plain in;
    Better& better;
};

template <class Iterator, class Better>
Iterator select(Iterator first, Iterator last, Better better) {
    const std::uint64_t count = length_of(first, last);
    if (count == 0) return last;
    using work = selection<decltype(plain(first)), Better>;
    const std::uint64_t number = in_worker([&](threading::worker& self) {
        work all{plain(first), better};
        ordered_run<work> loop(self, all, count);
        loop.run(self);
        std::uint64_t best = loop.leftmost().own.best;
        for (auto* p = loop.leftmost().next; p != nullptr; p = p->next)
            if (std::invoke(better, element_at(first, p->own.best), element_at(first, best))) best = p->own.best;
        return best;
    });
    return iterator_at(first, number);
}

}  // namespace detail

/// Returns the first of the smallest elements of [first, last), as std::min_element, or last if there is none. Calls
/// less last - first - 1 times; less must be a strict weak order. The first exception is thrown here; then the other
/// workers stop soon. Throws `cancelled`. The range is divided on demand.
template <class Iterator, class Less>
    requires detail::compares<Less, Iterator>
[[nodiscard]] Iterator min_element(Iterator first, Iterator last, Less less) {
    return detail::select(first, last, std::move(less));
}
/// Compares by `<`.
template <class Iterator>
    requires detail::compares<std::less<>, Iterator>
[[nodiscard]] Iterator min_element(Iterator first, Iterator last) {
    return parley::min_element(first, last, std::less<>{});
}

/// Returns the first of the largest elements, as std::max_element.
template <class Iterator, class Less>
    requires detail::compares<Less, Iterator>
[[nodiscard]] Iterator max_element(Iterator first, Iterator last, Less less) {
    return detail::select(first, last, [&less](auto&& candidate, auto&& best) -> bool {
        return std::invoke(less, std::forward<decltype(best)>(best), std::forward<decltype(candidate)>(candidate));
    });
}
/// Compares by `<`.
template <class Iterator>
    requires detail::compares<std::less<>, Iterator>
[[nodiscard]] Iterator max_element(Iterator first, Iterator last) {
    return parley::max_element(first, last, std::less<>{});
}

/// Returns the first of the smallest and the last of the largest elements, as std::minmax_element. Makes one pass after
/// the other, with 2 (last - first - 1) calls of less.
template <class Iterator, class Less>
    requires detail::compares<Less, Iterator>
[[nodiscard]] std::pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last, Less less) {
    return {detail::select(first, last, std::ref(less)),
            detail::select(first, last, [&less](auto&& candidate, auto&& best) -> bool {
                return !std::invoke(less, std::forward<decltype(candidate)>(candidate), std::forward<decltype(best)>(best));
            })};
}
/// Compares by `<`.
template <class Iterator>
    requires detail::compares<std::less<>, Iterator>
[[nodiscard]] std::pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last) {
    return parley::minmax_element(first, last, std::less<>{});
}

/// Takes a range instead of two iterators. Returns std::ranges::dangling for a temporary whose iterators do not outlive
/// it.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::compares<Less, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> min_element(R&& range, Less less = {}) {
    return parley::min_element(detail::begin_of(range), detail::end_of(range), std::move(less));
}
/// Takes a range instead of two iterators. Returns std::ranges::dangling when min_element() does.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::compares<Less, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> max_element(R&& range, Less less = {}) {
    return parley::max_element(detail::begin_of(range), detail::end_of(range), std::move(less));
}
/// Takes a range instead of two iterators. Returns std::ranges::dangling when min_element() does.
template <detail::range_of_random_access_and_known_size R, class Less = std::less<>>
    requires detail::compares<Less, std::ranges::iterator_t<R>>
[[nodiscard]] std::pair<std::ranges::borrowed_iterator_t<R>, std::ranges::borrowed_iterator_t<R>> minmax_element(
    R&& range, Less less = {}) {
    return parley::minmax_element(detail::begin_of(range), detail::end_of(range), std::move(less));
}

}  // namespace parley::inline v0
