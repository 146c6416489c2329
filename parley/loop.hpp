// Parallel loops over indices.
#pragma once

#include <parley/fork_join.hpp>
#include <parley/runtime.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// Binary splitting with the block length of Cilk Plus, min(2048, ceil(n / 8P)) (TH §5.3): eight
// pieces per worker balance uneven bodies, and the bound keeps long loops divisible.
constexpr std::uint64_t block_length(std::uint64_t n, std::uint64_t workers) noexcept {
    return std::clamp<std::uint64_t>((n + 8 * workers - 1) / (8 * workers), 1, 2048);
}

// Of numbers, whatever their types; std::cmp_less does not take characters.
template <std::integral A, std::integral B>
constexpr bool less(A a, B b) noexcept {
    if constexpr (std::is_signed_v<A> == std::is_signed_v<B>) return a < b;
    else if constexpr (std::is_signed_v<A>) return a < 0 || std::make_unsigned_t<A>(a) < b;
    else return b > 0 && a < std::make_unsigned_t<B>(b);
}

template <class Index, class Body>
void for_range(Index first, Index last, std::uint64_t block, Body& body) {
    const auto length = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    if (length <= block) {
        poll();
        for (Index i = first; i != last; ++i) body(i);
        return;
    }
    const auto middle = static_cast<Index>(static_cast<std::uint64_t>(first) + length / 2);
    if (threading::current != nullptr) threading::current->count.splits.add();
    fork_join([=, &body] { for_range(first, middle, block, body); },
              [=, &body] { for_range(middle, last, block, body); });
}

}  // namespace detail

// Calls body(i) for every i in [first, last), possibly in parallel, each once, in no order; returns
// when all are done. An empty or reversed range calls nothing. The first exception arrives here;
// then the rest may not have been called, and none is called twice. Throws `cancelled`.
// The two bounds may differ in type, as in for_each_index(0, v.size(), ...): the index has their
// common type.
template <std::integral First, std::integral Last, class Body>
    requires std::invocable<Body&, std::common_type_t<First, Last>>
void for_each_index(First first, Last last, Body&& body) {
    using index = std::common_type_t<First, Last>;
    if (!detail::less(first, last)) return;
    const auto begin = static_cast<index>(first);
    const auto end = static_cast<index>(last);
    const auto length = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    const std::uint64_t block = detail::block_length(length, detail::this_pool().size());
    detail::for_range(begin, end, block, body);
}

}  // namespace parley::inline v0
