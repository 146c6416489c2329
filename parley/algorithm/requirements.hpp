// Requirements of the algorithms on types. Each concept has a name that explains a compiler's message.
#pragma once

#include <concepts>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0::detail {

// Returns f(arguments...) as an R, by an implicit conversion as in the standard's algorithms. Numbers may be narrowed.
template <class R, class F, class... Arguments>
[[gnu::always_inline]] constexpr R invoke_as(F& f, Arguments&&... arguments) {
    using result = std::invoke_result_t<F&, Arguments...>;
    if constexpr (std::is_arithmetic_v<R> && std::is_arithmetic_v<std::remove_cvref_t<result>>)
        return static_cast<R>(std::invoke(f, std::forward<Arguments>(arguments)...));
    else return std::invoke(f, std::forward<Arguments>(arguments)...);
}

template <class R, class F, class... Arguments>
concept result_converts_implicitly_to =
    std::invocable<F&, Arguments...> && std::convertible_to<std::invoke_result_t<F&, Arguments...>, R>;

template <class Element, class T>
concept element_converts_implicitly_to = std::convertible_to<Element, T>;

// Can op combine a T and elements in any grouping? Each part of a reduction begins with an element as a T.
template <class Op, class T, class Element>
concept reduces = std::movable<T> && element_converts_implicitly_to<Element, T> &&
                  result_converts_implicitly_to<T, Op, T, T> && result_converts_implicitly_to<T, Op, T, Element>;

// A scan keeps its intermediate result, and gives it to op as an lvalue.
template <class Op, class T, class Element>
concept scans = reduces<Op, T, Element> && result_converts_implicitly_to<T, Op, T&, T> &&
                result_converts_implicitly_to<T, Op, T&, Element>;

// F may return anything but a T by value. A function that does so, as std::plus<>, means it as the result, which would
// be ignored.
template <class F, class T, class... Arguments>
concept changes_its_first_argument_in_place =
    std::invocable<F&, T&, Arguments...> &&
    !std::same_as<std::remove_const_t<std::invoke_result_t<F&, T&, Arguments...>>, T>;

template <class Make>
concept makes_an_object_that_can_be_moved = std::invocable<Make&> && std::is_object_v<std::invoke_result_t<Make&>> &&
                                            std::move_constructible<std::remove_const_t<std::invoke_result_t<Make&>>>;

template <class Make>
using made_by = std::remove_const_t<std::invoke_result_t<Make&>>;

// Can elements be put into what Make makes, and can others' values?
template <class Make, class Accumulate, class Merge, class Element>
concept accumulates =
    makes_an_object_that_can_be_moved<Make> && changes_its_first_argument_in_place<Accumulate, made_by<Make>, Element> &&
    changes_its_first_argument_in_place<Merge, made_by<Make>, made_by<Make>>;

template <class Map, class... Elements>
using mapped_to = std::invoke_result_t<Map&, Elements...>;

// Neighbours in std::vector<bool> share a memory location, so no two workers may write them.
template <class Out>
concept elements_are_memory_locations = !std::same_as<std::iter_reference_t<Out>, std::vector<bool>::reference>;

template <class Out, class Value>
concept assigns_elements_from = std::random_access_iterator<Out> && elements_are_memory_locations<Out> &&
                                std::is_assignable_v<std::iter_reference_t<Out>, Value>;

template <class Out, class Iterator, class Other>
concept assigns_elements_of_both =
    assigns_elements_from<Out, std::iter_reference_t<Iterator>> && assigns_elements_from<Out, std::iter_reference_t<Other>>;

// Elements are moved one by one, so an iterator must not make up a proxy for each of them.
template <class Iterator>
concept refers_to_elements = std::is_lvalue_reference_v<std::iter_reference_t<Iterator>>;

template <class Iterator, class Less>
concept sorts = std::random_access_iterator<Iterator> && refers_to_elements<Iterator> && std::sortable<Iterator, Less>;

template <class Less, class Iterator>
concept compares = std::random_access_iterator<Iterator> &&
                   std::predicate<Less&, std::iter_reference_t<Iterator>, std::iter_reference_t<Iterator>>;

template <class Predicate, class Iterator>
concept judges = std::random_access_iterator<Iterator> && std::predicate<Predicate&, std::iter_reference_t<Iterator>>;

// Can the elements of one range be compared with those of another?
template <class Relation, class Iterator, class Other>
concept relates = std::random_access_iterator<Iterator> && std::random_access_iterator<Other> &&
                  std::predicate<Relation&, std::iter_reference_t<Iterator>, std::iter_reference_t<Other>>;

// Elements are moved within their range, so an iterator must not make up a proxy for each of them.
template <class Iterator>
concept permutes = std::random_access_iterator<Iterator> && refers_to_elements<Iterator> && std::permutable<Iterator>;

template <class Iterator, class T>
concept element_equals =
    std::random_access_iterator<Iterator> && requires(std::iter_reference_t<Iterator> element, const T& value) {
        { std::forward<std::iter_reference_t<Iterator>>(element) == value } -> std::convertible_to<bool>;
    };

}  // namespace parley::inline v0::detail
