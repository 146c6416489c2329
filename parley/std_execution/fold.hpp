// Reductions for the backend. A part begins with a value of its own; values of neighbours are joined in order.
#pragma once

#include <parley/algorithm/ordered_run.hpp>
#include <parley/std_execution/in_parts.hpp>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail::std_execution {

// Work::begin(from, to) returns the value of a part that begins with a block [from, to). Work::go_on(value, from, to)
// returns that of a part which goes on. Work::join(left, right) returns the value of two neighbours.

// Divided on demand, as Parley's own reductions are, into blocks of a microsecond. The caller joins at the end.
template <class Work>
struct fold_in_blocks {
    using value = typename Work::value;
    using state = std::optional<value>;

    bool block(state& mine, std::uint64_t from, std::uint64_t to) {
        if (mine) *mine = work.go_on(std::move(*mine), from, to);
        else mine.emplace(work.begin(from, to));
        return true;
    }

    Work& work;
};

template <class Work>
typename Work::value fold_on_demand(Work& work, std::uint64_t count, std::optional<typename Work::value> left) {
    return in_isolation([&](threading::worker& self) {
        fold_in_blocks<Work> blocks{work};
        ordered_run<fold_in_blocks<Work>> loop(self, blocks, count);
        loop.leftmost().own = std::move(left);
        loop.run(self);
        typename Work::value result = std::move(*loop.leftmost().own);
        for (auto* p = loop.leftmost().next; p != nullptr; p = p->next)
            result = work.join(std::move(result), std::move(*p->own));
        return result;
    });
}

template <class Work>
typename Work::value fold_part(Work& work, std::uint64_t from, std::uint64_t to, std::optional<typename Work::value> left) {
    return left ? work.go_on(std::move(*left), from, to) : work.begin(from, to);
}

template <class Work>
typename Work::value fold_in_halves(Work& work, std::uint64_t from, std::uint64_t to, std::uint64_t parts,
                                    std::optional<typename Work::value> left) {
    if (parts == 1) return fold_part(work, from, to, std::move(left));
    const std::uint64_t middle = from + (to - from) / 2;
    auto [a, b] = fork_both([&] { return fold_in_halves(work, from, middle, parts / 2, std::move(left)); },
                            [&] { return fold_in_halves(work, middle, to, parts - parts / 2, std::nullopt); });
    return work.join(std::move(a), std::move(b));
}

// Divides the range into few parts, each one block. That is for values that take long to copy, and for two that take long
// to join, as ranges that have been partitioned. Neighbours are joined in parallel.
template <class Work>
typename Work::value fold_in_few_parts(Work& work, std::uint64_t count, std::optional<typename Work::value> left) {
    constexpr std::chrono::microseconds joining_costs(20);
    const std::uint64_t done = begin_serially(count, joining_costs, [&](std::uint64_t from, std::uint64_t to) {
        left = fold_part(work, from, to, std::move(left));
    });
    if (done == count) return std::move(*left);
    return in_isolation([&](threading::worker&) {
        return fold_in_halves(work, done, count, parts_of(count - done, 8, 1), std::move(left));
    });
}

template <bool OnDemand, class Work>
typename Work::value fold(Work& work, std::uint64_t count, std::optional<typename Work::value> left) {
    if (is_serial()) return fold_part(work, 0, count, std::move(left));
    if constexpr (OnDemand) return fold_on_demand(work, count, std::move(left));
    else return fold_in_few_parts(work, count, std::move(left));
}

// __parallel_reduce: body(i, j, value) goes on with what lies left of [i, j), or with the identity.
template <class Value, class Index, class Body, class Join>
struct range_reduction {
    using value = Value;

    Value begin(std::uint64_t from, std::uint64_t to) { return call_apart(body, at(first, from), at(first, to), identity); }
    Value go_on(Value left, std::uint64_t from, std::uint64_t to) {
        return call_apart(body, at(first, from), at(first, to), std::move(left));
    }
    // The identity need be one on the left only, and no part without elements comes here.
    Value join(Value left, Value right) { return join_two(std::move(left), std::move(right)); }

    Index first;
    const Value& identity;
    const Body& body;
    const Join& join_two;
};

template <class T>
concept counts_as_iterator = requires { typename std::iterator_traits<T>::iterator_category; };

// What the algorithms reduce to is a number or an iterator, or two, and joined by a comparison. Or it is the state of a
// range that they rearrange, and joining two of these moves their elements.
template <class T>
struct is_joined_by_comparing : std::bool_constant<std::is_scalar_v<T> || counts_as_iterator<T>> {};
template <class A, class B>
struct is_joined_by_comparing<std::pair<A, B>>
    : std::bool_constant<is_joined_by_comparing<A>::value && is_joined_by_comparing<B>::value> {};

template <class Value, class Index, class Body, class Join>
Value reduce_ranges(Index first, Index last, const Value& identity, const Body& body, const Join& join) {
    const std::uint64_t count = length_between(first, last);
    if (count == 0) return identity;
    range_reduction<Value, Index, Body, Join> work{first, identity, body, join};
    return fold<is_joined_by_comparing<Value>::value>(work, count, std::nullopt);
}

// __parallel_transform_reduce: element(i) is the value of one element, and combine(a, b) that of two. reduce(i, j, left)
// goes on with what lies left of [i, j). There is no identity, so a part begins with its first element. If that is no T, it
// begins with two, and all is counted in pairs.
template <class Index, class Element, class T, class Combine, class Reduce>
struct element_reduction {
    using value = T;
    using mapped = std::remove_cvref_t<std::invoke_result_t<Element&, Index>>;
    static constexpr std::uint64_t unit =
        std::is_same_v<mapped, T> || (std::is_arithmetic_v<mapped> && std::is_arithmetic_v<T>) ? 1 : 2;

    T begin(std::uint64_t from, std::uint64_t to) {
        Element own = element;
        const Index i = at(first, from * unit), j = end(to);
        if constexpr (unit == 1) return rest(own(i), i + 1, j);
        else return rest(Combine(combine)(own(i), own(i + 1)), i + 2, j);
    }
    T go_on(T left, std::uint64_t from, std::uint64_t to) { return rest(std::move(left), at(first, from * unit), end(to)); }
    T join(T left, T right) { return Combine(combine)(std::move(left), std::move(right)); }

    // The last unit has what is left.
    [[nodiscard]] Index end(std::uint64_t to) const { return to == units ? last : at(first, to * unit); }
    T rest(T left, Index i, Index j) { return i == j ? left : call_apart(reduce, i, j, std::move(left)); }

    Index first, last;
    std::uint64_t units;
    const Element& element;
    const Combine& combine;
    const Reduce& reduce;
};

template <class Index, class Element, class T, class Combine, class Reduce>
T reduce_elements(Index first, Index last, const Element& element, T init, const Combine& combine, const Reduce& reduce) {
    using reduction = element_reduction<Index, Element, T, Combine, Reduce>;
    const std::uint64_t units = length_between(first, last) / reduction::unit;
    if (units == 0) return first < last ? reduce(first, last, std::move(init)) : init;
    reduction work{first, last, units, element, combine, reduce};
    return fold<std::is_trivially_copyable_v<T>>(work, units, std::optional<T>(std::move(init)));
}

}  // namespace parley::inline v0::detail::std_execution
