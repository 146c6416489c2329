/// @file
/// A reduction that puts elements into values in place, for values that are large: reduce_into.
#pragma once

#include <parley/algorithm/index_range.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

namespace parley::inline v0 {

namespace detail {

template <class T, class Plain, class Make, class Accumulate>
struct accumulation {
    using state = std::optional<T>;
    using reference = decltype(element_at(std::declval<Plain>(), 0));

    bool block(state& mine, std::uint64_t from, std::uint64_t to) {
        called_in_block<Accumulate, T&, reference> own = accumulate;
        if (!mine) mine.emplace(make());
        for (T& into = *mine; from != to; ++from) std::invoke(own, into, element_at(in, from));
        return true;
    }

    Plain in;
    Make& make;
    Accumulate& accumulate;
};

template <class Plain, class Make, class Accumulate, class Merge>
made_by<Make> reduce_into(Plain in, std::uint64_t count, Make& make, Accumulate& accumulate, Merge& merge) {
    using T = made_by<Make>;
    if (count == 0) return make();
    using work = accumulation<T, Plain, Make, Accumulate>;
    return in_worker([&](threading::worker& self) -> T {
        work sum{in, make, accumulate};
        ordered_run<work> loop(self, sum, count);
        loop.run(self);
        T result = std::move(*loop.leftmost().own);
        for (auto* p = loop.leftmost().next; p != nullptr; p = p->next) std::invoke(merge, result, std::move(*p->own));
        return result;
    });
}

}  // namespace detail

/// Puts all elements of [first, last) into a value that make() makes, by accumulate(value, element), and returns it.
///
/// Each part of the range that another worker takes gets a value of its own. merge(left, right) puts such a value,
/// given as an rvalue, into that of the part left of it. Elements and parts keep their order and are grouped in any
/// way. So merge need only be associative, with a fresh value as its neutral one.
///
/// accumulate is called n times, make once for each part, and merge once less than that. Several workers call make and
/// accumulate at once; the calling thread calls merge. Values are moved, never copied. Results of accumulate and merge
/// are ignored, except that a T by value is refused. The first exception is thrown here; then the other workers stop
/// soon. Throws `cancelled`. The range is divided on demand.
template <class Iterator, class Make, class Accumulate, class Merge>
    requires std::random_access_iterator<Iterator> &&
             detail::accumulates<Make, Accumulate, Merge, std::iter_reference_t<Iterator>>
[[nodiscard]] detail::made_by<Make> reduce_into(Iterator first, Iterator last, Make make, Accumulate accumulate,
                                                Merge merge) {
    return detail::reduce_into(detail::plain(first), detail::length_of(first, last), make, accumulate, merge);
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Make, class Accumulate, class Merge>
    requires detail::accumulates<Make, Accumulate, Merge, detail::element_of<R>>
[[nodiscard]] detail::made_by<Make> reduce_into(R&& range, Make make, Accumulate accumulate, Merge merge) {
    return parley::reduce_into(detail::begin_of(range), detail::end_of(range), std::move(make), std::move(accumulate),
                               std::move(merge));
}

/// Takes the integers of [first, last) as elements. The bounds may differ in type, as those of for_each_index().
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last, class Make, class Accumulate,
          class Merge>
    requires detail::accumulates<Make, Accumulate, Merge, detail::index_between<First, Last>>
[[nodiscard]] detail::made_by<Make> reduce_index_into(First first, Last last, Make make, Accumulate accumulate,
                                                      Merge merge) {
    const detail::counting<detail::index_between<First, Last>> in{static_cast<std::uint64_t>(first)};
    return detail::reduce_into(in, detail::count_between(first, last), make, accumulate, merge);
}

}  // namespace parley::inline v0
