// with_fp_environment: a callable that keeps the rounding mode and the like of whoever made it.
#pragma once

#include <parley/version.hpp>

#include <cfenv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

namespace detail {

// What decides how the calling thread computes: rounding, flushing to zero, precision, and which exceptions trap. Not the
// flags that say what has happened.
class fp_control {
public:
    [[nodiscard, gnu::always_inline]] static fp_control now() noexcept {
        fp_control c;
#if defined(__x86_64__)
        asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(c.sse_), "=m"(c.x87_));
        c.sse_ &= ~flags_of_sse;
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr" : "=r"(c.fpcr_));
#else
        c.rounding_ = std::fegetround();
#endif
        return c;
    }
    [[gnu::always_inline]] void set() const noexcept {
#if defined(__x86_64__)
        std::uint32_t sse = 0;
        asm volatile("stmxcsr %0" : "=m"(sse));
        sse = (sse & flags_of_sse) | sse_;
        asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(x87_) : "memory");
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" : : "r"(fpcr_) : "memory");
#else
        std::fesetround(rounding_);
#endif
    }
    bool operator==(const fp_control&) const = default;

private:
#if defined(__x86_64__)
    static constexpr std::uint32_t flags_of_sse = 0x3f;
    std::uint32_t sse_ = 0;
    std::uint16_t x87_ = 0;
#elif defined(__aarch64__)
    std::uint64_t fpcr_ = 0;
#else
    int rounding_ = 0;
#endif
};

}  // namespace detail

// What with_fp_environment() returns. Copied and moved as F is.
template <class F>
class called_with_fp_environment {
public:
    template <class G>
        requires std::constructible_from<F, G>
    explicit called_with_fp_environment(G&& function) : function_(std::forward<G>(function)) {}

    template <class... Args>
        requires std::invocable<F&, Args...>
    auto operator()(Args&&... args) -> std::invoke_result_t<F&, Args...> {
        const kept_for_a_call here(wanted_);
        return call(function_, std::forward<Args>(args)...);
    }
    template <class... Args>
        requires std::invocable<const F&, Args...>
    auto operator()(Args&&... args) const -> std::invoke_result_t<const F&, Args...> {
        const kept_for_a_call here(wanted_);
        return call(function_, std::forward<Args>(args)...);
    }

private:
    class kept_for_a_call {
    public:
        explicit kept_for_a_call(detail::fp_control wanted) noexcept : before_(detail::fp_control::now()) {
            if (before_ != wanted) wanted.set();
            differs_ = before_ != wanted;
        }
        ~kept_for_a_call() {
            if (differs_) before_.set();
        }
        kept_for_a_call(const kept_for_a_call&) = delete;
        kept_for_a_call& operator=(const kept_for_a_call&) = delete;

    private:
        const detail::fp_control before_;
        bool differs_;
    };

    // A function of its own that nobody takes for a pure one: what it computes stays between setting and putting back.
    template <class Function, class... Args>
    [[gnu::noinline]] static auto call(Function& function, Args&&... args) -> std::invoke_result_t<Function&, Args...> {
        asm volatile("" ::: "memory");
        return std::invoke(function, std::forward<Args>(args)...);
    }

    detail::fp_control wanted_ = detail::fp_control::now();
    F function_;
};

// A callable that calls f with the floating-point environment that the calling thread has now, on whichever worker, and
// then puts back what was there: rounding mode, flushing to zero, precision, traps. For bodies of loops, tasks,
// operations, stages: for_each_index(0, n, with_fp_environment(body)). Work does not inherit it otherwise
// (docs/inheritance.md). The flags of what has happened stay where they were raised. A call is not inlined, and costs
// some 7 ns more; 50 where the environment is another one. On other processors than x86-64 and 64-bit ARM the rounding mode alone.
template <class F>
[[nodiscard]] auto with_fp_environment(F&& f) -> called_with_fp_environment<std::decay_t<F>> {
    return called_with_fp_environment<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace parley::inline v0
