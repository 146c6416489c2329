// find_if: the first element that a predicate holds for.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/channel/lowest.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace parley::inline v0 {

namespace detail {

template <class Plain, class Predicate>
struct search {
    struct state {};

    bool block(state&, std::uint64_t from, std::uint64_t to) {
        if (found.get() < from) return false;
        called_in_block<Predicate, std::iter_reference_t<Plain>> own = predicate;
        const Plain end = iterator_at(in, to);
        const Plain match = std::find_if(iterator_at(in, from), end,
                                         [&](auto&& element) -> bool { return std::invoke(own, element); });
        if (match == end) return true;
        found.lower_to(static_cast<std::uint64_t>(match - in));
        return false;
    }

    Plain in;
    Predicate& predicate;
    channel::lowest found;
};

}  // namespace detail

// The first i in [first, last) with predicate(*i), or last, as std::find_if. At most last - first calls of
// predicate; elements right of the first match are looked at in part, until their workers learn of it, which
// takes them about a microsecond and one call. The first exception arrives here, even if there is a match left
// of it; then the others stop soon. Throws `cancelled`. Divided on demand.
template <std::random_access_iterator Iterator, class Predicate>
    requires std::predicate<Predicate&, std::iter_reference_t<Iterator>>
[[nodiscard]] Iterator find_if(Iterator first, Iterator last, Predicate predicate) {
    const std::uint64_t count = detail::length_of(first, last);
    if (count == 0) return last;
    using work = detail::search<decltype(detail::plain(first)), Predicate>;
    work all{detail::plain(first), predicate, channel::lowest(count)};
    detail::in_worker([&](threading::worker& self) {
        detail::ordered_run<work> loop(self, all, count);
        loop.run(self);
    });
    return detail::iterator_at(first, all.found.get());
}

// The first element equal to `value`, in the same way.
template <std::random_access_iterator Iterator, class T>
    requires std::equality_comparable_with<std::iter_reference_t<Iterator>, const T&>
[[nodiscard]] Iterator find(Iterator first, Iterator last, const T& value) {
    return parley::find_if(first, last, [&value](const auto& element) -> bool { return element == value; });
}

}  // namespace parley::inline v0
