/// @file
/// Copies the elements that a predicate holds for: copy_if.
#pragma once

#include <parley/algorithm/in_order.hpp>
#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/requirements.hpp>
#include <parley/algorithm/small_sort.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

namespace detail {

template <class In, class Out, class Predicate>
struct copying_some {
    using reference = std::iter_reference_t<In>;
    using call = called_in_block<Predicate, reference>;
    struct note {
        std::vector<unsigned char> is_copied;  // for each element
        std::uint64_t length = 0;
    };

    std::uint64_t write(note&, std::uint64_t from, std::uint64_t to, std::uint64_t at) {
        call own = predicate;
        for (; from != to; ++from)
            if (std::invoke(own, element_at(in, from))) element_at(out, at++) = element_at(in, from);
        return at;
    }
    std::uint64_t measure(note& piece, std::uint64_t from, std::uint64_t to) {
        call own = predicate;
        const std::size_t before = piece.is_copied.size();
        piece.is_copied.resize(before + static_cast<std::size_t>(to - from));
        unsigned char* holds = piece.is_copied.data() + before;
        std::uint64_t length = 0;
        for (; from != to; ++from, ++holds) {
            *holds = std::invoke(own, element_at(in, from)) ? 1 : 0;
            length += *holds;
        }
        piece.length += length;
        return length;
    }
    void write_measured(const note& piece, std::uint64_t from, std::uint64_t, std::uint64_t at) {
        const unsigned char* holds = piece.is_copied.data();
        for (const std::uint64_t end = at + piece.length; at != end; ++from, ++holds) {
            if constexpr (without_branches) {
                element_at(out, at) = element_at(in, from);  // the next one that is copied takes its place
                at += *holds;
            } else if (*holds != 0) {
                element_at(out, at++) = element_at(in, from);
            }
        }
    }

    // Then nobody sees what is written beside the results.
    static constexpr bool without_branches =
        std::is_pointer_v<In> && std::same_as<Out, std::iter_value_t<In>*> && moved_without_branches<std::iter_value_t<In>>;

    In in;
    Out out;
    Predicate& predicate;
};

}  // namespace detail

/// Copies each i in [first, last) with predicate(*i) to `out`, in their order, and returns the end of what was written, as
/// std::copy_if. Calls predicate last - first times. The ranges must not overlap.
///
/// It is one pass if nobody asks for work. Parts that others take are looked at first, and copied when it is known how many
/// come before: one byte for each of their elements.
///
/// The first exception is thrown here, with some elements assigned; then the other workers stop soon. Throws `cancelled`
/// and std::bad_alloc in this way, too.
template <class Iterator, class Out, class Predicate>
    requires detail::judges<Predicate, Iterator> && detail::assigns_elements_from<Out, std::iter_reference_t<Iterator>>
Out copy_if(Iterator first, Iterator last, Out out, Predicate predicate) {
    detail::copying_some<decltype(detail::plain(first)), decltype(detail::plain(out)), Predicate> all{
        detail::plain(first), detail::plain(out), predicate};
    return detail::iterator_at(out, detail::in_order<decltype(all)>::run(all, detail::length_of(first, last)));
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Out, class Predicate>
    requires detail::judges<Predicate, std::ranges::iterator_t<R>> &&
             detail::assigns_elements_from<Out, detail::element_of<R>>
Out copy_if(R&& range, Out out, Predicate predicate) {
    return parley::copy_if(detail::begin_of(range), detail::end_of(range), out, std::move(predicate));
}

}  // namespace parley::inline v0
