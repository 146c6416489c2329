// These functions hand plain loops to the compiler.
#pragma once

#include <parley/runtime.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace parley::inline v0::detail {

// Calls f(worker) in the calling worker, or in the default runtime if the thread is no worker.
template <class F>
decltype(auto) in_worker(F&& f) {
    if (threading::worker* const self = threading::current) return f(*self);
    return enter_and_run(default_pool(), f);
}

// Returns a pointer if elements lie side by side. Then iterators of debug modes and other containers need no code.
template <std::random_access_iterator Iterator>
auto plain(Iterator i) {
    if constexpr (std::contiguous_iterator<Iterator>) return std::to_address(i);
    else return i;
}

template <std::random_access_iterator Iterator>
std::uint64_t length_of(Iterator first, Iterator last) {
    return first < last ? static_cast<std::uint64_t>(last - first) : 0;
}

// These return the iterator to element n, or the element. n is unsigned, iterators have a type of their own for it.
template <std::random_access_iterator Iterator>
[[gnu::always_inline]] inline Iterator iterator_at(Iterator first, std::uint64_t n) {
    return first + static_cast<std::iter_difference_t<Iterator>>(n);
}
template <std::random_access_iterator Iterator>
[[gnu::always_inline]] inline decltype(auto) element_at(Iterator first, std::uint64_t n) {
    return first[static_cast<std::iter_difference_t<Iterator>>(n)];
}

// A range of numbers as elements. It is lighter than std::views::iota, whose differences may be 128 bits wide. `first`
// is extended by its sign, whatever type the elements have.
template <std::integral I>
struct counting {
    std::uint64_t first;
};
template <std::integral I>
[[gnu::always_inline]] inline I element_at(counting<I> in, std::uint64_t n) {
    return static_cast<I>(in.first + n);
}

// A block of a loop calls a function through this type: a copy, if no program can notice that. The loop's stores cannot
// change what the copy holds, so the compiler keeps it in registers and vectorises.
template <class F, class... Arguments>
using called_in_block =
    std::conditional_t<std::is_object_v<F> && std::is_trivially_copyable_v<F> && sizeof(std::decay_t<F>) <= 64 &&
                           std::is_copy_constructible_v<F> && std::is_invocable_v<const F&, Arguments...>,
                       const F, F&>;

}  // namespace parley::inline v0::detail
