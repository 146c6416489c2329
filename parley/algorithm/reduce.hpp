/// @file
/// Combines the elements of a range by an associative operation: reduce and reduce_index.
#pragma once

#include <parley/algorithm/index_range.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/ordered_run.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/loop.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// value := op(value, map of each of [from, to)), from left to right. Floating-point numbers are combined in fours
// first, so that an operation need not wait for the one before it. libstdc++'s std::reduce does so, too; compilers do
// not regroup by themselves.
template <class T, class Plain, class Op, class Map>
[[gnu::always_inline]] inline void fold(T& value, Plain in, std::uint64_t from, std::uint64_t to, Op& op, Map& map) {
    // The result is a value, because what map returns may be its argument, which may be a temporary of this call.
    [[maybe_unused]] const auto mapped = [&](std::uint64_t i) { return invoke_as<T>(map, element_at(in, i)); };
    T sum = std::move(value);  // not in memory that the calls might change
    if constexpr (std::is_floating_point_v<T>)
        for (; to - from >= 4; from += 4)
            sum = invoke_as<T>(op, std::move(sum),
                               invoke_as<T>(op, invoke_as<T>(op, mapped(from), mapped(from + 1)),
                                            invoke_as<T>(op, mapped(from + 2), mapped(from + 3))));
    for (; from != to; ++from) sum = invoke_as<T>(op, std::move(sum), std::invoke(map, element_at(in, from)));
    value = std::move(sum);
}

template <class T, class Plain, class Op, class Map>
struct reduction {
    using state = std::optional<T>;
    using reference = decltype(element_at(std::declval<Plain>(), 0));
    using op_in_block =
        std::conditional_t<std::is_invocable_v<const Op&, T, mapped_to<Map, reference>>, called_in_block<Op, T, T>, Op&>;

    bool block(state& value, std::uint64_t from, std::uint64_t to) {
        op_in_block own_op = op;
        called_in_block<Map, reference> own_map = map;
        if (!value) value.emplace(invoke_as<T>(own_map, element_at(in, from++)));
        fold(*value, in, from, to, own_op, own_map);
        return true;
    }

    Plain in;
    Op& op;
    Map& map;
};

template <class T, class Plain, class Op, class Map>
T reduce(Plain in, std::uint64_t count, T init, Op& op, Map& map) {
    if (count == 0) return init;
    using work = reduction<T, Plain, Op, Map>;
    return in_worker([&](threading::worker& self) -> T {
        work sum{in, op, map};
        ordered_run<work> loop(self, sum, count);
        loop.leftmost().own.emplace(std::move(init));
        loop.run(self);
        T result = std::move(*loop.leftmost().own);
        for (auto* p = loop.leftmost().next; p != nullptr; p = p->next)
            result = invoke_as<T>(op, std::move(result), std::move(*p->own));
        return result;
    });
}

}  // namespace detail

/// Returns init op map(first[0]) op map(first[1]) op ..., grouped in any way but not reordered. So op need only be
/// associative. Sums of floating-point numbers are not quite; see reduce_deterministic().
///
/// The results of op and of map are converted to T, by implicit conversions only. Each part of the range that another
/// worker takes begins with a T of its own. Each element is mapped once, and op is called n times. T is moved, never
/// copied. The range is divided on demand.
///
/// The first exception is thrown here; then the other workers stop soon. Throws `cancelled`.
template <class Iterator, class T, class Op, class Map>
    requires std::random_access_iterator<Iterator> && std::invocable<Map&, std::iter_reference_t<Iterator>> &&
             detail::reduces<Op, T, detail::mapped_to<Map, std::iter_reference_t<Iterator>>>
[[nodiscard]] T reduce(Iterator first, Iterator last, T init, Op op, Map map) {
    return detail::reduce<T>(detail::plain(first), detail::length_of(first, last), std::move(init), op, map);
}

/// Returns init op first[0] op first[1] op ..., without a map.
template <class Iterator, class T, class Op>
    requires std::random_access_iterator<Iterator> && detail::reduces<Op, T, std::iter_reference_t<Iterator>>
[[nodiscard]] T reduce(Iterator first, Iterator last, T init, Op op) {
    return parley::reduce(first, last, std::move(init), std::move(op), std::identity{});
}

/// Returns the sum of `init` and all elements.
template <class Iterator, class T>
    requires std::random_access_iterator<Iterator> && detail::reduces<std::plus<>, T, std::iter_reference_t<Iterator>>
[[nodiscard]] T reduce(Iterator first, Iterator last, T init) {
    return parley::reduce(first, last, std::move(init), std::plus<>{});
}

/// Reduces numbers: init op map(first) op map(first + 1) op ... op map(last - 1). The bounds may differ in type, as
/// those of for_each_index().
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last, class T, class Op, class Map>
    requires std::invocable<Map&, detail::index_between<First, Last>> &&
             detail::reduces<Op, T, detail::mapped_to<Map, detail::index_between<First, Last>>>
[[nodiscard]] T reduce_index(First first, Last last, T init, Op op, Map map) {
    const detail::counting<detail::index_between<First, Last>> in{static_cast<std::uint64_t>(first)};
    return detail::reduce<T>(in, detail::count_between(first, last), std::move(init), op, map);
}

/// Returns the sum of T{} and all elements, where T is their type.
template <class Iterator>
    requires std::random_access_iterator<Iterator> &&
             detail::reduces<std::plus<>, std::iter_value_t<Iterator>, std::iter_reference_t<Iterator>>
[[nodiscard]] std::iter_value_t<Iterator> reduce(Iterator first, Iterator last) {
    return parley::reduce(first, last, std::iter_value_t<Iterator>{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class T, class Op = std::plus<>, class Map = std::identity>
    requires std::invocable<Map&, detail::element_of<R>> &&
             detail::reduces<Op, T, detail::mapped_to<Map, detail::element_of<R>>>
[[nodiscard]] T reduce(R&& range, T init, Op op = {}, Map map = {}) {
    return parley::reduce(detail::begin_of(range), detail::end_of(range), std::move(init), std::move(op), std::move(map));
}
/// Returns the sum of a range, from a value-initialised element on.
template <detail::range_of_random_access_and_known_size R>
    requires detail::reduces<std::plus<>, std::ranges::range_value_t<R>, detail::element_of<R>>
[[nodiscard]] std::ranges::range_value_t<R> reduce(R&& range) {
    return parley::reduce(detail::begin_of(range), detail::end_of(range));
}

}  // namespace parley::inline v0
