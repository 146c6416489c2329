/// @file
/// Writes values that no other range has: fill, generate and iota.
#pragma once

#include <parley/algorithm/index_range.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/loop.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// A value that stands n steps further on is found without the steps.
template <class T>
concept counts_on = std::copyable<T> && requires(T v, std::iter_difference_t<T> n) {
    ++v;
    { v + n } -> std::convertible_to<T>;
} || integer_of_at_most_64_bits<T>;

template <counts_on T>
T counted_on(const T& value, std::uint64_t n) {
    if constexpr (std::integral<T>) return static_cast<T>(static_cast<std::uint64_t>(value) + n);
    else return value + static_cast<std::iter_difference_t<T>>(n);
}

}  // namespace detail

/// Assigns the value to all elements of [first, last). The first exception is thrown here; then the other workers stop
/// soon. Throws `cancelled`. Different elements must be different memory locations. The range is divided on demand.
template <class Iterator, class T>
    requires detail::assigns_elements_from<Iterator, const T&>
void fill(Iterator first, Iterator last, const T& value) {
    detail::for_blocks(detail::length_of(first, last),
                       [&value, out = detail::plain(first)](std::uint64_t from, std::uint64_t to) {
                           std::fill(detail::iterator_at(out, from), detail::iterator_at(out, to), value);
                       });
}

/// Assigns make() to each element of [first, last), by last - first calls in no order. Several workers call it at once.
/// Everything else is as with fill().
template <class Iterator, class Make>
    requires std::invocable<Make&> && detail::assigns_elements_from<Iterator, std::invoke_result_t<Make&>>
void generate(Iterator first, Iterator last, Make make) {
    detail::for_blocks(detail::length_of(first, last),
                       [&make, out = detail::plain(first)](std::uint64_t from, std::uint64_t to) {
                           for (; from != to; ++from) detail::element_at(out, from) = std::invoke(make);
                       });
}

/// Assigns value, value + 1, value + 2 and so on. T is an integer, or an iterator of random access. Everything else is as
/// with fill().
template <class Iterator, detail::counts_on T>
    requires detail::assigns_elements_from<Iterator, const T&>
void iota(Iterator first, Iterator last, T value) {
    detail::for_blocks(detail::length_of(first, last),
                       [&value, out = detail::plain(first)](std::uint64_t from, std::uint64_t to) {
                           T own = detail::counted_on(value, from);
                           for (; from != to; ++own) detail::element_at(out, from++) = std::as_const(own);
                       });
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class T>
    requires detail::assigns_elements_from<std::ranges::iterator_t<R>, const T&>
void fill(R&& range, const T& value) {
    parley::fill(detail::begin_of(range), detail::end_of(range), value);
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Make>
    requires std::invocable<Make&> && detail::assigns_elements_from<std::ranges::iterator_t<R>, std::invoke_result_t<Make&>>
void generate(R&& range, Make make) {
    parley::generate(detail::begin_of(range), detail::end_of(range), std::move(make));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, detail::counts_on T>
    requires detail::assigns_elements_from<std::ranges::iterator_t<R>, const T&>
void iota(R&& range, T value) {
    parley::iota(detail::begin_of(range), detail::end_of(range), std::move(value));
}

}  // namespace parley::inline v0
