/// @file
/// Calls a function for each element: for_each and transform.
#pragma once

#include <parley/algorithm/forward_loop.hpp>
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

// These two are function objects, so that calls after `using namespace parley` do not find the standard's functions,
// too. Of two templates g++ prefers the one with more constraints only if both take f in the same way.
struct for_each_call {
    template <class Iterator, class F>
        requires std::forward_iterator<Iterator> && std::invocable<F&, std::iter_reference_t<Iterator>>
    void operator()(Iterator first, Iterator last, F&& f) const {
        if constexpr (!std::random_access_iterator<Iterator>) return detail::for_each_forward(first, last, f);
        else visit(first, last, f);
    }

    template <std::ranges::forward_range R, class F>
        requires std::invocable<F&, detail::element_of<R>>
    void operator()(R&& range, F&& f) const {
        if constexpr (detail::range_of_random_access_and_known_size<R>)
            visit(detail::begin_of(range), detail::end_of(range), f);
        else detail::for_each_forward(std::ranges::begin(range), std::ranges::end(range), f);
    }

private:
    template <class Iterator, class F>
    static void visit(Iterator first, Iterator last, F& f) {
        using call = detail::called_in_block<F, std::iter_reference_t<Iterator>>;
        detail::for_blocks(detail::length_of(first, last),
                           [&f, in = detail::plain(first)](std::uint64_t from, std::uint64_t to) {
                               call own = f;
                               const auto stop = detail::iterator_at(in, to);
                               for (auto i = detail::iterator_at(in, from); i != stop; ++i) std::invoke(own, *i);
                           });
    }
};

struct transform_call {
    template <class Iterator, class Out, class F>
        requires std::random_access_iterator<Iterator> && std::invocable<F&, std::iter_reference_t<Iterator>> &&
                 detail::assigns_elements_from<Out, detail::mapped_to<F, std::iter_reference_t<Iterator>>>
    Out operator()(Iterator first, Iterator last, Out out, F&& f) const {
        using call = detail::called_in_block<std::remove_reference_t<F>, std::iter_reference_t<Iterator>>;
        const std::uint64_t count = detail::length_of(first, last);
        detail::for_blocks(
            count, [&f, in = detail::plain(first), to_out = detail::plain(out)](std::uint64_t from, std::uint64_t to) {
                call own = f;
                const auto source = detail::iterator_at(in, from);
                const auto target = detail::iterator_at(to_out, from);
                for (std::uint64_t i = 0; i != to - from; ++i)
                    detail::element_at(target, i) = std::invoke(own, detail::element_at(source, i));
            });
        return detail::iterator_at(out, count);
    }

    template <class Iterator, class Second, class Out, class F>
        requires std::random_access_iterator<Iterator> && std::random_access_iterator<Second> &&
                 std::invocable<F&, std::iter_reference_t<Iterator>, std::iter_reference_t<Second>> &&
                 detail::assigns_elements_from<
                     Out, detail::mapped_to<F, std::iter_reference_t<Iterator>, std::iter_reference_t<Second>>>
    Out operator()(Iterator first, Iterator last, Second second_first, Out out, F&& f) const {
        using call = detail::called_in_block<std::remove_reference_t<F>, std::iter_reference_t<Iterator>,
                                             std::iter_reference_t<Second>>;
        const std::uint64_t count = detail::length_of(first, last);
        detail::for_blocks(count, [&f, in = detail::plain(first), in2 = detail::plain(second_first),
                                   to_out = detail::plain(out)](std::uint64_t from, std::uint64_t to) {
            call own = f;
            const auto left = detail::iterator_at(in, from);
            const auto right = detail::iterator_at(in2, from);
            const auto target = detail::iterator_at(to_out, from);
            for (std::uint64_t i = 0; i != to - from; ++i)
                detail::element_at(target, i) = std::invoke(own, detail::element_at(left, i), detail::element_at(right, i));
        });
        return detail::iterator_at(out, count);
    }

    template <detail::range_of_random_access_and_known_size R, class Out, class F>
        requires std::invocable<F&, detail::element_of<R>> &&
                 detail::assigns_elements_from<Out, detail::mapped_to<F, detail::element_of<R>>>
    Out operator()(R&& range, Out out, F&& f) const {
        return (*this)(detail::begin_of(range), detail::end_of(range), out, f);
    }

    template <detail::range_of_random_access_and_known_size R, detail::range_of_random_access_and_known_size Second,
              class Out, class F>
        requires std::invocable<F&, detail::element_of<R>, detail::element_of<Second>> &&
                 detail::assigns_elements_from<Out, detail::mapped_to<F, detail::element_of<R>, detail::element_of<Second>>>
    Out operator()(R&& range, Second&& second, Out out, F&& f) const {
        const auto first = detail::begin_of(range);
        const auto second_first = detail::begin_of(second);
        const std::uint64_t count = std::min(detail::length_of(first, detail::end_of(range)),
                                             detail::length_of(second_first, detail::end_of(second)));
        return (*this)(first, detail::iterator_at(first, count), second_first, out, f);
    }
};

}  // namespace detail

/// Calls f(*i) for every i in [first, last), possibly in parallel, each once, in no order. Returns when all calls are
/// done. for_each(range, f) takes a range. O(n) calls; the range is divided on demand, like that of for_each_index().
///
/// All workers call f itself, not a copy as std::for_each does. If f is small, trivially copyable and can be called as
/// const, workers may have copies. The first exception is thrown here; then the other workers stop soon. No element is
/// visited twice. Throws `cancelled`.
///
/// If iterators only go forward, as those of lists and maps, the calling thread walks through all of them first. It
/// keeps at most 4096 of them, at which the loop is divided. std::bad_alloc is thrown before any call.
inline constexpr detail::for_each_call for_each{};

/// Assigns f(*i) to the elements from `out` on, for every i in [first, last). Returns the end of what was written.
///
/// transform(first, last, second_first, out, f) assigns f(*i, *j), with j in as many elements from second_first on.
/// transform(range, out, f) and transform(range, second_range, out, f) take ranges; the shorter one ends the loop.
///
/// `out` may be `first`. Otherwise what is read and what is written must not overlap. Different elements must be
/// different memory locations, so std::vector<bool> is refused. Calls, exceptions and cancellation are those of
/// for_each(). Elements that were not reached are not assigned.
inline constexpr detail::transform_call transform{};

}  // namespace parley::inline v0
