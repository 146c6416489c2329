// Concepts for functions and arguments that a task may be made of.
#pragma once

#include <concepts>
#include <type_traits>

namespace parley::inline v0::detail {

// A task keeps its function and arguments as values. An object that has a name and can only be moved is given by
// std::move.
template <class T>
concept can_be_copied_or_moved_into_a_task = std::constructible_from<std::decay_t<T>, T>;

// Nobody would ever run a coroutine that the function of a task returns. spawn(f()) does, where spawn(f) would not.
template <class Result>
concept is_no_coroutine = !requires { typename Result::promise_type; };

template <class F, class... Args>
concept can_be_called_by_a_task =
    can_be_copied_or_moved_into_a_task<F> && (can_be_copied_or_moved_into_a_task<Args> && ...) &&
    std::invocable<std::decay_t<F>&, std::decay_t<Args>...> &&
    is_no_coroutine<std::invoke_result_t<std::decay_t<F>&, std::decay_t<Args>...>>;

// For a task with a result, which calls its function once, as an rvalue.
template <class F, class... Args>
concept can_be_called_once_by_a_task =
    can_be_copied_or_moved_into_a_task<F> && (can_be_copied_or_moved_into_a_task<Args> && ...) &&
    std::invocable<std::decay_t<F>, std::decay_t<Args>...>;

// For words that call the function before they return, and leave it where it is.
template <class F>
concept can_be_called_without_arguments = std::invocable<F&>;

}  // namespace parley::inline v0::detail
