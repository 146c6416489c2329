/// @file
/// Makes two or more calls that may run in parallel: fork_join.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/forked.hpp>
#include <parley/detail/runtime/kept_call.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/errors.hpp>
#include <parley/runtime.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

template <class F, class G>
using pair_of_results = std::tuple<threading::stored<std::invoke_result_t<F&>>, threading::stored<std::invoke_result_t<G&>>>;

// Hides from the compiler where a pointer comes from. So it computes dependent addresses anew after the call in
// between. Otherwise it would keep them in one more callee-saved register, which costs more.
template <class T>
[[gnu::always_inline]] inline T* forget_origin(T* pointer) noexcept {
    asm("" : "+r"(pointer));
    return pointer;
}

// Returns the address of an object in this frame, computed here and now for this reason.
template <class T>
[[gnu::always_inline]] inline T* address_again(T& object) noexcept {
#if defined(__x86_64__)
    T* pointer;
    asm("lea %1, %0" : "=r"(pointer) : "m"(object));
    return pointer;
#else
    return &object;
#endif
}

// The hot path (docs/internals/fast-path.md): a record in this frame, one pointer pushed, f called, the pointer popped,
// g called. Everything else is out of line. A callable that is a temporary of the call may be copied into the record.
// One that has a name stays where it is, because its owner may look at it afterwards.
template <bool GMayBeCopied, class F, class G>
[[gnu::always_inline]] inline pair_of_results<F, G> fork_join_on(threading::worker& self, F& f, G& g) {
    using first = threading::stored<std::invoke_result_t<F&>>;
    using second = threading::stored<std::invoke_result_t<G&>>;
    threading::forked<G, GMayBeCopied> other(self, g);
    threading::task** const slot = self.fork(&other);
    // If f throws, the frame still waits for the thief of g. The record, and what it refers to, must stay until then.
    const auto guarded = [&]() -> first {
        try {
            return threading::invoke_stored(f);
        } catch (...) {
            address_again(other)->abandon(self);
            throw;
        }
    };
    first a = guarded();
    if (self.join(address_again(other), forget_origin(slot))) [[likely]]
        return {std::forward<first>(a), other.call()};
    return {std::forward<first>(a), second(address_again(other)->join(self))};
}

// Small callables go by value. If their addresses went into this call, they would lie in memory on the hot path, too.
template <class F>
using passed = std::conditional_t<threading::cheap_to_copy<F>(), F, F&&>;

template <bool GMayBeCopied, class F, class G>
[[gnu::noinline, gnu::cold]] auto come_in_and_fork_join(F& f, G& g) -> pair_of_results<F, G> {
    const threading::seated here(default_pool);
    return fork_join_on<GMayBeCopied>(here.self(), f, g);
}

template <bool GMayBeCopied, class F, class G>
[[gnu::noinline]] auto fork_join_outside(passed<F> f, passed<G> g) -> pair_of_results<F, G> {
    threading::worker* const self = threading::sit_in_kept_seat();
    if (self == nullptr) [[unlikely]]
        return come_in_and_fork_join<GMayBeCopied>(f, g);
    const threading::in_kept_seat here(*self);
    return fork_join_on<GMayBeCopied>(*self, f, g);
}

}  // namespace detail

/// Calls f() and g(), possibly in parallel, and returns their results in this order as a tuple. void becomes
/// std::monostate, references stay references, move-only values are moved. f runs in the calling thread. g runs there,
/// too, unless another worker takes it.
///
/// Throws what f or g throw (f's exception if both do), after both have ended. If f throws, g is not called, unless
/// somebody has taken it or other tasks of this worker are newer. Throws `cancelled` if the work is cancelled.
///
/// About 3 ns when nobody takes g. It uses the stack only and does not allocate. Outside a runtime it enters the
/// default one.
template <class F, class G>
    requires detail::can_be_called_without_arguments<F> && detail::can_be_called_without_arguments<G>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g) -> detail::pair_of_results<F, G> {
    constexpr bool temporary = !std::is_lvalue_reference_v<G>;
    threading::worker* const self = threading::current;
    if (self == nullptr) [[unlikely]]
        return detail::fork_join_outside<temporary, F, G>(std::forward<F>(f), std::forward<G>(g));
    return detail::fork_join_on<temporary>(*self, f, g);
}

/// Makes three calls or more, and returns their results in one tuple, in order. The first call runs in the calling
/// thread; each of the others may run anywhere. Exceptions, cancellation and cost are those of fork_join(f, g), once
/// for each call but one.
template <class F, class G, class H, class... More>
    requires detail::can_be_called_without_arguments<F> && detail::can_be_called_without_arguments<G> &&
             detail::can_be_called_without_arguments<H> && (detail::can_be_called_without_arguments<More> && ...)
auto fork_join(F&& f, G&& g, H&& h, More&&... more) {
    auto [first, rest] = fork_join(f, [&] { return fork_join(g, h, more...); });
    using first_t = threading::stored<std::invoke_result_t<F&>>;
    return std::tuple_cat(std::tuple<first_t>(std::forward<first_t>(first)), std::move(rest));
}

}  // namespace parley::inline v0
