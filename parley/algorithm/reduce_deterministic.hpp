/// @file
/// A reduction whose grouping depends on the number of elements alone: reduce_deterministic.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/reduce.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace detail {

// The length of a chunk. About 250 chunks can be shared by many workers. 4096 elements take a few microseconds;
// compared with that the place for a chunk's value costs nothing.
constexpr std::uint64_t deterministic_chunk(std::uint64_t count) noexcept {
    return std::clamp<std::uint64_t>(count / 256, 1, 4096);
}

// Returns values[0] op values[1] op ..., as a binary tree whose leaves are neighbours in pairs.
template <class T, class Op>
T fold_in_pairs(std::vector<std::optional<T>>& values, Op& op) {
    for (std::size_t width = 1; width < values.size(); width *= 2)
        for (std::size_t i = 0; i + width < values.size(); i += 2 * width)
            *values[i] = invoke_as<T>(op, std::move(*values[i]), std::move(*values[i + width]));
    return std::move(*values.front());
}

}  // namespace detail

/// Reduces as reduce() does, and always with one result: the grouping depends on the number of elements alone. Chunks
/// have n / 256 elements, 1 to 4096 of them. Each is reduced from left to right (floating-point numbers in fours), then
/// their values in pairs, then the pairs. init comes first. Keeps a T for each chunk: up to 512 for a million elements,
/// n / 4096 above. Throws std::bad_alloc, too.
template <class Iterator, class T, class Op, class Map>
    requires std::random_access_iterator<Iterator> && std::invocable<Map&, std::iter_reference_t<Iterator>> &&
             detail::reduces<Op, T, detail::mapped_to<Map, std::iter_reference_t<Iterator>>>
[[nodiscard]] T reduce_deterministic(Iterator first, Iterator last, T init, Op op, Map map) {
    const std::uint64_t count = detail::length_of(first, last);
    if (count == 0) return init;
    const std::uint64_t chunk = detail::deterministic_chunk(count);
    std::vector<std::optional<T>> values((count - 1) / chunk + 1);
    detail::reduction<T, decltype(detail::plain(first)), Op, Map> sum{detail::plain(first), op, map};
    parley::for_each_index(std::uint64_t{0}, std::uint64_t{values.size()},
                           [&](std::uint64_t c) { sum.block(values[c], c * chunk, std::min((c + 1) * chunk, count)); });
    return detail::invoke_as<T>(op, std::move(init), detail::fold_in_pairs(values, op));
}

/// Reduces without a map.
template <class Iterator, class T, class Op = std::plus<>>
    requires std::random_access_iterator<Iterator> && detail::reduces<Op, T, std::iter_reference_t<Iterator>>
[[nodiscard]] T reduce_deterministic(Iterator first, Iterator last, T init, Op op = {}) {
    return parley::reduce_deterministic(first, last, std::move(init), std::move(op), std::identity{});
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class T, class Op = std::plus<>, class Map = std::identity>
    requires std::invocable<Map&, detail::element_of<R>> &&
             detail::reduces<Op, T, detail::mapped_to<Map, detail::element_of<R>>>
[[nodiscard]] T reduce_deterministic(R&& range, T init, Op op = {}, Map map = {}) {
    return parley::reduce_deterministic(detail::begin_of(range), detail::end_of(range), std::move(init), std::move(op),
                                        std::move(map));
}

}  // namespace parley::inline v0
