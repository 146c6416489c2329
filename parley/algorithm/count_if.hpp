/// @file
/// Counts elements: count_if, count and histogram.
#pragma once

#include <parley/algorithm/inner_loop.hpp>
#include <parley/algorithm/range.hpp>
#include <parley/algorithm/reduce.hpp>
#include <parley/algorithm/reduce_into.hpp>
#include <parley/algorithm/requirements.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

/// Returns how many i in [first, last) have predicate(*i). Calls it last - first times. The first exception is thrown here;
/// then the other workers stop soon. Throws `cancelled`. The range is divided on demand.
template <class Iterator, class Predicate>
    requires detail::judges<Predicate, Iterator>
[[nodiscard]] std::iter_difference_t<Iterator> count_if(Iterator first, Iterator last, Predicate predicate) {
    using number = std::iter_difference_t<Iterator>;
    using call = detail::called_in_block<Predicate, std::iter_reference_t<Iterator>>;
    struct counted {
        number operator()(std::iter_reference_t<Iterator> element) const {
            return std::invoke(judge, std::forward<std::iter_reference_t<Iterator>>(element)) ? number{1} : number{0};
        }
        call judge;
    };
    return parley::reduce(first, last, number{0}, std::plus<>{}, counted{predicate});
}

/// Returns how many elements are equal to the value, which may have any type that they can be compared with.
template <class Iterator, class T>
    requires detail::element_equals<Iterator, T>
[[nodiscard]] std::iter_difference_t<Iterator> count(Iterator first, Iterator last, const T& value) {
    return parley::count_if(first, last,
                            [&value](auto&& element) -> bool { return std::forward<decltype(element)>(element) == value; });
}

/// Returns how many elements belong in each of `bins` bins: bin_of(element) is a number below that. Throws
/// std::out_of_range for any other number. Each part of the range that another worker takes has a vector of its own, as in
/// reduce_into(). Calls bin_of last - first times. Exceptions and cancellation are those of count_if().
template <class Iterator, class BinOf>
    requires std::random_access_iterator<Iterator> && std::invocable<BinOf&, std::iter_reference_t<Iterator>> &&
             std::integral<std::remove_cvref_t<detail::mapped_to<BinOf, std::iter_reference_t<Iterator>>>>
[[nodiscard]] std::vector<std::uint64_t> histogram(Iterator first, Iterator last, std::size_t bins, BinOf bin_of) {
    using reference = std::iter_reference_t<Iterator>;
    using counts = std::vector<std::uint64_t>;
    return parley::reduce_into(
        first, last, [bins] { return counts(bins); },
        [&bin_of](counts& of, reference element) {
            // std::in_range takes neither bool nor characters, but what they are promoted to.
            const auto bin = +std::invoke(bin_of, std::forward<reference>(element));
            if (!std::in_range<std::size_t>(bin) || static_cast<std::size_t>(bin) >= of.size())
                throw std::out_of_range("parley::histogram: an element belongs in no bin");
            ++of[static_cast<std::size_t>(bin)];
        },
        [](counts& left, const counts& right) {
            for (std::size_t bin = 0; bin < right.size(); ++bin) left[bin] += right[bin];
        });
}

/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class Predicate>
    requires detail::judges<Predicate, std::ranges::iterator_t<R>>
[[nodiscard]] std::ranges::range_difference_t<R> count_if(R&& range, Predicate predicate) {
    return parley::count_if(detail::begin_of(range), detail::end_of(range), std::move(predicate));
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class T>
    requires detail::element_equals<std::ranges::iterator_t<R>, T>
[[nodiscard]] std::ranges::range_difference_t<R> count(R&& range, const T& value) {
    return parley::count(detail::begin_of(range), detail::end_of(range), value);
}
/// Takes a range instead of two iterators.
template <detail::range_of_random_access_and_known_size R, class BinOf>
    requires std::invocable<BinOf&, detail::element_of<R>> &&
             std::integral<std::remove_cvref_t<detail::mapped_to<BinOf, detail::element_of<R>>>>
[[nodiscard]] std::vector<std::uint64_t> histogram(R&& range, std::size_t bins, BinOf bin_of) {
    return parley::histogram(detail::begin_of(range), detail::end_of(range), bins, std::move(bin_of));
}

}  // namespace parley::inline v0
