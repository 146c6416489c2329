/// @file
/// Finds the first element that a predicate holds for: find_if and find.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/detail/sync/lowest.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// find(from, to) returns the first wanted number in the block, or `to`.
template <class Find>
struct search {
    struct state {};
    static constexpr bool may_stop = true;  // how long it took the last time tells nothing

    bool block(state&, std::uint64_t from, std::uint64_t to) {
        if (found.get() < from) return false;
        const std::uint64_t match = find(from, to);
        if (match == to) return true;
        found.lower_to(match);
        return false;
    }

    Find& find;
    sync::lowest found;
};

// Returns the first wanted number below count, or count.
template <class Find>
std::uint64_t first_number(std::uint64_t count, Find find) {
    if (count == 0) return count;
    search<Find> all{find, sync::lowest(count)};
    in_worker([&](threading::worker& self) {
        ordered_run<search<Find>> loop(self, all, count);
        loop.run(self);
    });
    return all.found.get();
}

// std::find_if looks at four elements a round, and takes two thirds of the time of std::ranges::find_if. But it needs
// the category of an iterator, and iterators of some views do not have one.
template <class Plain, class Predicate>
Plain find_if_serially(Plain first, Plain last, Predicate predicate) {
    if constexpr (requires { typename std::iterator_traits<Plain>::iterator_category; })
        if constexpr (std::derived_from<typename std::iterator_traits<Plain>::iterator_category, std::forward_iterator_tag>)
            return std::find_if(first, last, predicate);
    return std::ranges::find_if(first, last, predicate);
}

}  // namespace detail

/// Returns the first i in [first, last) with predicate(*i), or last, as std::find_if. Calls predicate at most last -
/// first times. Workers right of the first match go on until they learn of it, about a microsecond and one call. The
/// first exception is thrown here, even if there is a match left of it; then the other workers stop soon. Throws
/// `cancelled`. The range is divided on demand.
template <class Iterator, class Predicate>
    requires std::random_access_iterator<Iterator> && std::predicate<Predicate&, std::iter_reference_t<Iterator>>
[[nodiscard]] Iterator find_if(Iterator first, Iterator last, Predicate predicate) {
    using call = detail::called_in_block<Predicate, std::iter_reference_t<Iterator>>;
    const std::uint64_t number = detail::first_number(
        detail::length_of(first, last),
        [&predicate, in = detail::plain(first)](std::uint64_t from, std::uint64_t to) -> std::uint64_t {
            call own = predicate;
            const auto match = detail::find_if_serially(
                detail::iterator_at(in, from), detail::iterator_at(in, to),
                [&](auto&& element) -> bool { return std::invoke(own, std::forward<decltype(element)>(element)); });
            return static_cast<std::uint64_t>(match - in);
        });
    return detail::iterator_at(first, number);
}

/// Returns the first i in [first, last) with *i == value, found as by find_if(). The value may have any type that
/// elements can be compared with.
template <class Iterator, class T>
    requires detail::element_equals<Iterator, T>
[[nodiscard]] Iterator find(Iterator first, Iterator last, const T& value) {
    return parley::find_if(first, last,
                           [&value](auto&& element) -> bool { return std::forward<decltype(element)>(element) == value; });
}

/// Takes a range instead of two iterators. Returns std::ranges::dangling for a temporary whose iterators do not outlive
/// it.
template <detail::range_of_random_access_and_known_size R, class Predicate>
    requires std::predicate<Predicate&, detail::element_of<R>>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> find_if(R&& range, Predicate predicate) {
    return parley::find_if(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class T>
    requires detail::element_equals<std::ranges::iterator_t<R>, T>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> find(R&& range, const T& value) {
    return parley::find(detail::begin_of(range), detail::end_of(range), value);
}

}  // namespace parley::inline v0
