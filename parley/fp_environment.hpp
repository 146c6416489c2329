/// @file
/// A callable that keeps its maker's rounding mode and the like: with_fp_environment.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/base/fp_control.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

/// with_fp_environment() returns this. It is copied and moved as F is.
template <class F>
class called_with_fp_environment {
public:
    /// Keeps the function, and the present environment of the calling thread.
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
    // This is a function of its own that no compiler takes for a pure one. So its computation stays between setting the
    // environment and restoring it.
    template <class Function, class... Args>
    [[gnu::noinline]] static auto call(Function& function, Args&&... args) -> std::invoke_result_t<Function&, Args...> {
        asm volatile("" ::: "memory");
        return std::invoke(function, std::forward<Args>(args)...);
    }

    base::fp_control wanted_ = base::fp_control::now();
    F function_;
};

/// Returns a callable that calls f with the present floating-point environment of the calling thread, on any worker.
/// Then it restores what was there: rounding mode, flushing to zero, precision, traps. It is for tasks, forks and
/// stages: spawn(with_fp_environment(f)). Loops and algorithms need no such call (docs/guide/inheritance.md). Exception
/// flags stay where they were raised. A call is not inlined, and costs about 7 ns more, or 50 ns if the environments
/// differ. On processors other than x86-64 and 64-bit ARM it keeps the rounding mode alone.
template <class F>
[[nodiscard]] auto with_fp_environment(F&& f) -> called_with_fp_environment<std::decay_t<F>> {
    return called_with_fp_environment<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace parley::inline v0
