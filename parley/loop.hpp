// Parallel loops over indices.
#pragma once

#include <parley/fork_join.hpp>
#include <parley/runtime.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace parley::inline v0 {

namespace detail {

// Binary splitting with the block length of Cilk Plus, min(2048, ceil(n / 8P)) (TH §5.3): eight
// pieces per worker balance uneven bodies, and the bound keeps long loops divisible.
constexpr std::uint64_t block_length(std::uint64_t n, std::uint64_t workers) noexcept {
    return std::clamp<std::uint64_t>((n + 8 * workers - 1) / (8 * workers), 1, 2048);
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
template <std::integral Index, class Body>
    requires std::invocable<Body&, Index>
void for_each_index(Index first, Index last, Body&& body) {
    if (!(first < last)) return;
    const auto length = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    const std::uint64_t block = detail::block_length(length, detail::this_pool().size());
    if (length <= block) {
        poll();
        for (Index i = first; i != last; ++i) body(i);
        return;
    }
    detail::for_range(first, last, block, body);
}

}  // namespace parley::inline v0
