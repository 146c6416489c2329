/// @file
/// Moves those elements together that stay: remove_if and unique.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Each part moves what it keeps to its own beginning. stays(end, i): does element i stay, if what has stayed of this part
// ends at `end`? The first element of a part stays for now without a call if FirstStays.
template <bool FirstStays, class In, class Stays>
struct keeping_some {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    struct state {
        std::uint64_t first = none;
        std::uint64_t end = none;
    };

    bool block(state& mine, std::uint64_t from, std::uint64_t to) {
        if (mine.first == none) {
            mine = {from, from};
            if constexpr (FirstStays) mine.end = ++from;
        }
        using value = std::iter_value_t<In>;
        const In i = in;
        std::uint64_t end = mine.end;
        Stays own = stays;
        // What is at its place already is not written.
        while (from != to && end == from) end += std::uint64_t{own(end, from++)};
        for (; from != to; ++from) {
            if constexpr (moved_without_branches<value>) {
                const value v = element_at(i, from);
                const bool it_stays = own(end, from);
                element_at(i, end) = v;
                end += it_stays ? 1 : 0;
            } else if (own(end, from)) {
                if (end != from) element_at(i, end) = std::move(element_at(i, from));
                ++end;
            }
        }
        mine.end = end;
        return true;
    }

    In in;
    Stays& stays;
};

// Returns how many elements stay. joins(last, next): does a part's first element stay beside the last one before it?
template <bool FirstStays, class In, class Stays, class Joins>
std::uint64_t keep_some(In in, std::uint64_t count, Stays stays, Joins joins) {
    if (count == 0) return 0;
    using work = keeping_some<FirstStays, In, Stays>;
    return in_worker([&](threading::worker& self) {
        work all{in, stays};
        ordered_run<work> loop(self, all, count);
        loop.run(self);
        std::uint64_t end = loop.leftmost().own.end;
        for (auto* p = loop.leftmost().next; p != nullptr; p = p->next) {
            auto [first, last] = p->own;
            if (first < last && end > 0 && !joins(end - 1, first)) ++first;
            if (first != end) std::move(iterator_at(in, first), iterator_at(in, last), iterator_at(in, end));
            end += last - first;
        }
        return end;
    });
}

}  // namespace detail

/// Moves the elements that predicate does not hold for to the beginning, in their order, and returns where they end, as
/// std::remove_if. What lies behind is valid, and may have been moved from. Calls predicate last - first times.
///
/// Each part of the range that another worker takes is done by itself. Then the calling thread moves what is left of the
/// parts together.
///
/// The first exception is thrown here, with some elements moved; then the other workers stop soon. Throws `cancelled` in
/// this way, too.
template <class Iterator, class Predicate>
    requires detail::permutes<Iterator> && detail::judges<Predicate, Iterator>
[[nodiscard]] Iterator remove_if(Iterator first, Iterator last, Predicate predicate) {
    const auto in = detail::plain(first);
    const std::uint64_t end = detail::keep_some<false>(
        in, detail::length_of(first, last),
        [&predicate, in](std::uint64_t, std::uint64_t i) -> bool {
            return !std::invoke(predicate, detail::element_at(in, i));
        },
        [](std::uint64_t, std::uint64_t) { return true; });
    return detail::iterator_at(first, end);
}

/// Keeps the first of each row of equal neighbours, moves these elements to the beginning, and returns where they end, as
/// std::unique. `same` must be an equivalence. Calls it last - first - 1 times. All else is as with remove_if().
template <class Iterator, class Same>
    requires detail::permutes<Iterator> && detail::compares<Same, Iterator>
[[nodiscard]] Iterator unique(Iterator first, Iterator last, Same same) {
    const auto in = detail::plain(first);
    const auto differ = [&same, in](std::uint64_t left, std::uint64_t right) -> bool {
        return !std::invoke(same, detail::element_at(in, left), detail::element_at(in, right));
    };
    const std::uint64_t end = detail::keep_some<true>(
        in, detail::length_of(first, last),
        [&differ](std::uint64_t kept, std::uint64_t i) -> bool {
            // Plain elements stay readable where they were. Then no comparison waits for the one before.
            if constexpr (detail::moved_without_branches<std::iter_value_t<Iterator>>) return differ(i - 1, i);
            else return differ(kept - 1, i);
        },
        differ);
    return detail::iterator_at(first, end);
}
/// Compares by `==`.
template <class Iterator>
    requires detail::permutes<Iterator> && detail::compares<std::equal_to<>, Iterator>
[[nodiscard]] Iterator unique(Iterator first, Iterator last) {
    return parley::unique(first, last, std::equal_to<>{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Predicate>
    requires detail::permutes<std::ranges::iterator_t<R>> && detail::judges<Predicate, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> remove_if(R&& range, Predicate predicate) {
    return parley::remove_if(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Same = std::equal_to<>>
    requires detail::permutes<std::ranges::iterator_t<R>> && detail::compares<Same, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> unique(R&& range, Same same = {}) {
    return parley::unique(detail::begin_of(range), detail::end_of(range), std::move(same));
}

}  // namespace parley::inline v0
