/// @file
/// Loops whose iterations may run in parallel: for_each_index and for_each_block.
#pragma once

#include <parley/version.hpp>

#include <parley/algorithm/index_box.hpp>
#include <parley/algorithm/index_range.hpp>
#include <parley/detail/runtime/loop_run.hpp>
#include <parley/runtime.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace parley::inline v0 {

namespace detail {

// Calls block(first, last) for all of [0, count), in pieces.
template <class Block>
void for_blocks(std::uint64_t count, Block block) {
    const auto in = [&](threading::worker& self) {
        if (count == 1) return threading::run_single(self, block);
        threading::loop_run<Block> loop(self, block, count);
        loop.run(self, count);
    };
    if (threading::worker* const self = threading::current) in(*self);
    else enter_and_run(default_pool(), in);
}

// The length of the shortest blocks of for_each_block(). A worker's share of the loop is at most 2048 such blocks. It
// is a power of two, so that blocks of arrays begin with vectors and cache lines.
inline std::uint64_t shortest_block(std::uint64_t count) {
    return std::bit_floor(std::max<std::uint64_t>(count / (1024 * std::uint64_t{this_pool().size()}), 1));
}

// Calls body(i, j) or body(i, j, k) for the whole box.
template <class Index, std::size_t N, class First, class Body>
void for_each_place(const index_box<N, First>& box, Body& body) {
    if (const std::uint64_t count = box.count(); count != 0)
        for_blocks(count,
                   [&body, box](std::uint64_t from, std::uint64_t to) { call_for_places<Index>(box, from, to, body); });
}

// The body's parameters are checked here and not by a constraint. A constraint would compile a generic body for indices
// of this type even if the bounds, and so the indices, have another one.
template <std::size_t N, class First, class Body>
void for_each_place_of_mixed_types(const index_box<N, First>& box, Body& body) {
    using index = std::int64_t;
    if constexpr (N == 2) static_assert(std::invocable<Body&, index, index>, "the body takes no pair of indices");
    else static_assert(std::invocable<Body&, index, index, index>, "the body takes no triple of indices");
    for_each_place<index>(box, body);
}

}  // namespace detail

/// Calls body(i) for every i in [first, last), possibly in parallel, each once, in no order. Returns when all calls are
/// done. An empty or reversed range calls nothing. Each call gets an index of its own, so a body that changes it does
/// not change the loop.
///
/// The first exception is thrown here; then the other workers stop soon. No index is visited twice. Throws `cancelled`,
/// and usage_error for more than 2^64 - 1 indices.
///
/// The two bounds may differ in type, as in for_each_index(0, v.size(), ...): the index has their common type. If the
/// bounds differ in signedness, their values count. If their common type is unsigned and has 32 bits, the index has 64
/// and a sign. If it has 64 bits, a negative index is converted to it, and a body that takes a signed integer gets its
/// value.
///
/// Nothing is divided before somebody asks (TH §5.3, figure 5.13). Without idle workers it is a plain loop in blocks of
/// about a microsecond, which the compiler can vectorise.
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last, class Body>
    requires std::invocable<Body&, detail::index_between<First, Last>>
void for_each_index(First first, Last last, Body&& body) {
    using index = detail::index_between<First, Last>;
    const std::uint64_t count = detail::count_between(first, last);
    if (count == 0) return;
    const auto base = static_cast<std::uint64_t>(first);
    detail::for_blocks(count, [&body, base](std::uint64_t from, std::uint64_t to) {
        const auto stop = static_cast<index>(base + to);
        for (auto i = static_cast<index>(base + from); i != stop; ++i) body(index(i));
    });
}

/// Calls body(i) for first, first + step, first + 2 step and so on, up or down to `last`, which is excluded. The three may
/// differ in type, and the index has the type that it has in the loop without a step. No index overflows. Exceptions,
/// cancellation and division are those of that loop. Throws usage_error for a step of 0, and for bounds more than 2^64
/// - 1 apart.
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last,
          detail::integer_of_at_most_64_bits Step, class Body>
    requires std::invocable<Body&, detail::index_between<First, Last>>
void for_each_index(First first, Last last, Step step, Body&& body) {
    using index = detail::index_between<First, Last>;
    const detail::stride stride = detail::stride_between(first, last, step);
    if (stride.count == 0) return;
    const auto base = static_cast<std::uint64_t>(first);
    detail::for_blocks(stride.count, [&body, base, step = stride.step](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t at = base + from * step; from != to; ++from, at += step) body(static_cast<index>(at));
    });
}

/// Calls body(from, to) for blocks [from, to) that make up [first, last), possibly in parallel, in no order. Each index
/// is in one block, and none is empty. The body makes what a block needs for itself: a local sum, a buffer.
///
/// A block takes about a microsecond, or a 2048th of a worker's share of the loop if that is more. So there are at most
/// 2048 * workers + 1 blocks. An object that takes long to make belongs into a worker_local, or is what reduce_into()
/// returns. Bounds, exceptions and division are those of for_each_index(). No block is begun twice.
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last, class Body>
    requires std::invocable<Body&, detail::index_between<First, Last>, detail::index_between<First, Last>>
void for_each_block(First first, Last last, Body&& body) {
    using index = detail::index_between<First, Last>;
    const std::uint64_t count = detail::count_between(first, last);
    if (count == 0) return;
    const auto base = static_cast<std::uint64_t>(first);
    const std::uint64_t shortest = detail::shortest_block(count);
    const std::uint64_t number = (count - 1) / shortest + 1;
    detail::for_blocks(number, [&body, base, count, shortest, number](std::uint64_t from, std::uint64_t to) {
        body(static_cast<index>(base + from * shortest), static_cast<index>(base + (to == number ? count : to * shortest)));
    });
}

/// Calls body(i, j) for all pairs, i in [0, lengths[0]) and j in [0, lengths[1]): for_each_index({rows, columns},
/// body). The last index moves fastest. Throws usage_error for more than 2^64 - 1 pairs. Lengths below 0 are 0.
template <detail::integer_of_at_most_64_bits Index, class Body>
    requires std::invocable<Body&, Index, Index>
void for_each_index(const Index (&lengths)[2], Body&& body) {
    detail::for_each_place<Index>(detail::box_from_zero<2>(lengths), body);
}
/// Calls body(i, j, k) for all triples of indices below `lengths`, as the form for pairs does for pairs.
template <detail::integer_of_at_most_64_bits Index, class Body>
    requires std::invocable<Body&, Index, Index, Index>
void for_each_index(const Index (&lengths)[3], Body&& body) {
    detail::for_each_place<Index>(detail::box_from_zero<3>(lengths), body);
}

/// Calls body(i, j) for i in [first[0], last[0]) and j in [first[1], last[1]): for_each_index({1, 1}, {rows - 1,
/// columns - 1}, body). Bounds count by their values. All indices have the type of a loop from an element of `first` to
/// one of `last`.
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last, class Body>
    requires std::invocable<Body&, detail::index_between<First, Last>, detail::index_between<First, Last>>
void for_each_index(const First (&first)[2], const Last (&last)[2], Body&& body) {
    detail::for_each_place<detail::index_between<First, Last>>(detail::box_between<2>(first, last), body);
}
/// Calls body(i, j, k) for all triples from `first` up to `last`, as the form for pairs does for pairs.
template <detail::integer_of_at_most_64_bits First, detail::integer_of_at_most_64_bits Last, class Body>
    requires std::invocable<Body&, detail::index_between<First, Last>, detail::index_between<First, Last>,
                            detail::index_between<First, Last>>
void for_each_index(const First (&first)[3], const Last (&last)[3], Body&& body) {
    detail::for_each_place<detail::index_between<First, Last>>(detail::box_between<3>(first, last), body);
}

/// Takes bounds that differ in type within one pair of braces, as in for_each_index({rows, v.size()}, body). The
/// indices are std::int64_t. A larger index is converted to that; a body that takes an unsigned integer of 64 bits gets
/// its value.
template <class Body>
void for_each_index(detail::integers_of_at_most_64_bits<2> lengths, Body&& body) {
    detail::for_each_place_of_mixed_types(detail::box_from_zero<2>(lengths), body);
}
/// Takes three lengths that differ in type. The indices are std::int64_t.
template <class Body>
void for_each_index(detail::integers_of_at_most_64_bits<3> lengths, Body&& body) {
    detail::for_each_place_of_mixed_types(detail::box_from_zero<3>(lengths), body);
}
/// Takes two pairs of bounds that differ in type within a pair. The indices are std::int64_t.
template <class Body>
void for_each_index(detail::integers_of_at_most_64_bits<2> first, detail::integers_of_at_most_64_bits<2> last, Body&& body) {
    detail::for_each_place_of_mixed_types(detail::box_between<2>(first, last), body);
}
/// Takes two triples of bounds that differ in type within a triple. The indices are std::int64_t.
template <class Body>
void for_each_index(detail::integers_of_at_most_64_bits<3> first, detail::integers_of_at_most_64_bits<3> last, Body&& body) {
    detail::for_each_place_of_mixed_types(detail::box_between<3>(first, last), body);
}

}  // namespace parley::inline v0
