// Ranges of integers, whose two bounds may differ in width and in signedness.
#pragma once

#include <parley/errors.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace parley::inline v0::detail {

// A loop may count with these types. bool has no ++, and 128 bits are too many for the runtime's counts.
template <class I>
concept integer_of_at_most_64_bits =
    std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool> && sizeof(I) <= sizeof(std::uint64_t);

// The type of the indices. It holds both bounds, except a negative bound beside an unsigned one of 64 bits.
template <class First, class Last, class Common = std::common_type_t<First, Last>>
using index_between = std::conditional_t<std::is_signed_v<First> != std::is_signed_v<Last> && std::is_unsigned_v<Common> &&
                                             (sizeof(Common) < sizeof(std::int64_t)),
                                         std::int64_t, Common>;

// Compares values of any two types. std::cmp_less does not take characters.
template <std::integral A, std::integral B>
constexpr bool less(A a, B b) noexcept {
    if constexpr (std::is_signed_v<A> == std::is_signed_v<B>) return a < b;
    else if constexpr (std::is_signed_v<A>) return a < 0 || std::make_unsigned_t<A>(a) < b;
    else return b > 0 && a < std::make_unsigned_t<B>(b);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_many_indices() {
    throw usage_error("parley: a loop over more than 2^64 - 1 places");
}

// The number of integers in [first, last); a reversed range has none. Throws usage_error for more than 2^64 - 1.
template <std::integral First, std::integral Last>
constexpr std::uint64_t count_between(First first, Last last) {
    if (!less(first, last)) return 0;
    // A negative bound is extended by its sign, so that the difference is right modulo 2^64.
    const auto from = static_cast<std::uint64_t>(first), to = static_cast<std::uint64_t>(last);
    if constexpr (std::is_signed_v<First> && std::is_unsigned_v<Last> && sizeof(Last) == sizeof(std::uint64_t))
        if (first < 0 && to >= from) throw_too_many_indices();
    return to - from;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_step_of_zero() {
    throw usage_error("parley: a loop whose step is 0");
}

// Stands for the indices first, first + step, first + 2 step and so on, those before `last`. The step is kept modulo 2^64,
// as are the places that it is added to.
struct stride {
    std::uint64_t step;
    std::uint64_t count;
};

// Throws usage_error for a step of 0, and for bounds more than 2^64 - 1 apart.
template <std::integral First, std::integral Last, std::integral Step>
constexpr stride stride_between(First first, Last last, Step step) {
    if (step == 0) throw_step_of_zero();
    const bool goes_down = less(step, 0);
    const std::uint64_t distance = goes_down ? count_between(last, first) : count_between(first, last);
    const auto added = static_cast<std::uint64_t>(step);
    if (distance == 0) return {added, 0};
    return {added, (distance - 1) / (goes_down ? 0 - added : added) + 1};
}

}  // namespace parley::inline v0::detail
