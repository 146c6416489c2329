// find_if: the first element that a predicate holds for.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/channel/lowest.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// find(from, to): the first number in the block that is looked for, or `to`.
template <class Find>
struct search {
    struct state {};

    bool block(state&, std::uint64_t from, std::uint64_t to) {
        if (found.get() < from) return false;
        const std::uint64_t match = find(from, to);
        if (match == to) return true;
        found.lower_to(match);
        return false;
    }

    Find& find;
    channel::lowest found;
};

// The first number below count that is looked for, or count.
template <class Find>
std::uint64_t first_number(std::uint64_t count, Find find) {
    if (count == 0) return count;
    search<Find> all{find, channel::lowest(count)};
    in_worker([&](threading::worker& self) {
        ordered_run<search<Find>> loop(self, all, count);
        loop.run(self);
    });
    return all.found.get();
}

}  // namespace detail

// The first i in [first, last) with predicate(*i), or last, as std::find_if. At most last - first calls of
// predicate; elements right of the first match are looked at in part, until their workers learn of it, which
// takes them about a microsecond and one call. The first exception arrives here, even if there is a match left
// of it; then the others stop soon. Throws `cancelled`. Divided on demand.
template <class Iterator, class Predicate>
    requires std::random_access_iterator<Iterator> && std::predicate<Predicate&, std::iter_reference_t<Iterator>>
[[nodiscard]] Iterator find_if(Iterator first, Iterator last, Predicate predicate) {
    using call = detail::called_in_block<Predicate, std::iter_reference_t<Iterator>>;
    const std::uint64_t number = detail::first_number(
        detail::length_of(first, last),
        [&predicate, in = detail::plain(first)](std::uint64_t from, std::uint64_t to) -> std::uint64_t {
            call own = predicate;
            const auto match = std::find_if(detail::iterator_at(in, from), detail::iterator_at(in, to),
                                            [&](auto&& element) -> bool {
                                                return std::invoke(own, std::forward<decltype(element)>(element));
                                            });
            return static_cast<std::uint64_t>(match - in);
        });
    return detail::iterator_at(first, number);
}

// The first i in [first, last) with *i == value, found as by find_if().
template <class Iterator, class T>
    requires detail::element_equals<Iterator, T>
[[nodiscard]] Iterator find(Iterator first, Iterator last, const T& value) {
    return parley::find_if(first, last, [&value](auto&& element) -> bool {
        return std::forward<decltype(element)>(element) == value;
    });
}

}  // namespace parley::inline v0
