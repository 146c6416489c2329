/// @file
/// A callable that keeps the rounding mode and the like of whoever made it: with_fp_environment.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/base/fp_control.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// What with_fp_environment() returns. Copied and moved as F is.
template <class F>
class called_with_fp_environment {
public:
    /// Keeps the function, and the environment that the calling thread has now.
    template <class G>
        requires std::constructible_from<F, G>
    explicit called_with_fp_environment(G&& function) : function_(std::forward<G>(function)) {}

    /// Calls the function in that environment, and throws what it throws.
    template <class... Args>
        requires std::invocable<F&, Args...>
    auto operator()(Args&&... args) -> std::invoke_result_t<F&, Args...> {
        const base::fp_in_place here(wanted_);
        return call(function_, std::forward<Args>(args)...);
    }
    /// Calls a function that can be called as const, in that environment, and throws what it throws.
    template <class... Args>
        requires std::invocable<const F&, Args...>
    auto operator()(Args&&... args) const -> std::invoke_result_t<const F&, Args...> {
        const base::fp_in_place here(wanted_);
        return call(function_, std::forward<Args>(args)...);
    }

private:
    // A function of its own that nobody takes for a pure one: what it computes stays between setting and putting back.
    template <class Function, class... Args>
    [[gnu::noinline]] static auto call(Function& function, Args&&... args) -> std::invoke_result_t<Function&, Args...> {
        asm volatile("" ::: "memory");
        return std::invoke(function, std::forward<Args>(args)...);
    }

    base::fp_control wanted_ = base::fp_control::now();
    F function_;
};

/// A callable that calls f with the floating-point environment that the calling thread has now, on whichever worker,
/// and then puts back what was there: rounding mode, flushing to zero, precision, traps. For tasks, forks and stages:
/// spawn(with_fp_environment(f)). Loops and algorithms do so by themselves (docs/guide/inheritance.md). The flags of
/// what has happened stay where they were raised. A call is not inlined, and costs some 7 ns more; 50 where the
/// environment is another one. On other processors than x86-64 and 64-bit ARM the rounding mode alone.
template <class F>
[[nodiscard]] auto with_fp_environment(F&& f) -> called_with_fp_environment<std::decay_t<F>> {
    return called_with_fp_environment<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace parley::inline v0
