// for_each_index: a loop whose iterations may run in parallel.
#pragma once

#include <parley/version.hpp>

#include <parley/algorithm/index_range.hpp>
#include <parley/runtime.hpp>
#include <parley/runtime/loop_run.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace parley::inline v0 {

namespace detail {

// block(first, last) for all of [0, count), in pieces.
template <class Block>
void for_blocks(std::uint64_t count, Block block) {
    const auto in = [&](threading::worker& self) {
        threading::loop_run<Block> loop(self, block, count);
        loop.run(self, count);
    };
    if (threading::worker* const self = threading::current) in(*self);
    else enter_and_run(default_pool(), in);
}

// Throws usage_error if it is more than there are numbers.
inline std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t p = 0;
    if (__builtin_mul_overflow(a, b, &p)) throw_too_many_indices();
    return p;
}

// Calls row(r, first, last) for each row of so many places that [from, to) has a part of.
template <class Row>
void for_rows(std::uint64_t from, std::uint64_t to, std::uint64_t places, Row&& row) {
    for (std::uint64_t r = from / places, first = from % places; from < to; ++r, first = 0) {
        const std::uint64_t last = std::min(places, first + (to - from));
        row(r, first, last);
        from += last - first;
    }
}

}  // namespace detail

// Calls body(i) for every i in [first, last), possibly in parallel, each once, in no order; returns
// when all are done. An empty or reversed range calls nothing. The first exception arrives here; then
// the others stop soon, and none is called twice. Throws `cancelled`. The two bounds may differ in
// type, as in for_each_index(0, v.size(), ...): the index has their common type. Of bounds that differ in signedness
// their values count. If their common type is unsigned and has 32 bits, the index has 64 and a sign; if it has 64 bits,
// a negative index is what a conversion to that type makes of it, and a body that takes a signed integer gets its value.
// Each call gets an index of its own: a body that changes it does not change the loop. Throws usage_error for more than
// 2^64 - 1 of them.
// Nothing is divided before somebody asks (TH §5.3, figure 5.13): without idle workers it is a plain
// loop in blocks of about a microsecond, which the compiler can vectorise.
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

// The same for all pairs and triples: body(i, j) for i in [0, lengths[0]) and j in [0, lengths[1]), and so
// on. Called as for_each_index({rows, columns}, body); the last index moves fastest. Throws usage_error
// for more than 2^64 - 1 of them. Lengths below 0 are 0.
template <detail::integer_of_at_most_64_bits Index, class Body>
    requires std::invocable<Body&, Index, Index>
void for_each_index(const Index (&lengths)[2], Body&& body) {
    if (!detail::less(0, lengths[0]) || !detail::less(0, lengths[1])) return;
    const auto columns = static_cast<std::uint64_t>(lengths[1]);
    const std::uint64_t count = detail::product(static_cast<std::uint64_t>(lengths[0]), columns);
    detail::for_blocks(count, [&body, columns](std::uint64_t from, std::uint64_t to) {
        detail::for_rows(from, to, columns, [&body](std::uint64_t r, std::uint64_t j, std::uint64_t end) {
            const auto row = static_cast<Index>(r);
            for (; j != end; ++j) body(Index(row), static_cast<Index>(j));
        });
    });
}

template <detail::integer_of_at_most_64_bits Index, class Body>
    requires std::invocable<Body&, Index, Index, Index>
void for_each_index(const Index (&lengths)[3], Body&& body) {
    for (const Index length : lengths)
        if (!detail::less(0, length)) return;
    const auto rows = static_cast<std::uint64_t>(lengths[1]);
    const auto columns = static_cast<std::uint64_t>(lengths[2]);
    const std::uint64_t count =
        detail::product(detail::product(static_cast<std::uint64_t>(lengths[0]), rows), columns);
    detail::for_blocks(count, [&body, rows, columns](std::uint64_t from, std::uint64_t to) {
        detail::for_rows(from, to, columns, [&](std::uint64_t r, std::uint64_t k, std::uint64_t end) {
            const auto plane = static_cast<Index>(r / rows);
            const auto row = static_cast<Index>(r % rows);
            for (; k != end; ++k) body(Index(plane), Index(row), static_cast<Index>(k));
        });
    });
}

}  // namespace parley::inline v0
