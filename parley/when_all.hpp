/// @file
/// Several futures as one: when_all.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/result.hpp>
#include <parley/errors.hpp>
#include <parley/future.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0 {

template <class Futures>
class joint_future;

namespace detail {

template <class T>
inline constexpr bool is_future = false;
template <class R>
inline constexpr bool is_future<future<R>> = true;
template <class Futures>
inline constexpr bool is_future<joint_future<Futures>> = true;

template <class F>
using result_of = decltype(std::declval<F&>().get());

// The type of an element in a vector of results, or void if there are no results.
template <class R>
using element =
    std::conditional_t<std::is_reference_v<R>, std::reference_wrapper<std::remove_reference_t<R>>, std::remove_cv_t<R>>;

template <class Futures>
struct joint;
struct joining;
template <class F>
struct pending_of;

template <class... Fs>
struct joint<std::tuple<Fs...>> {
    using result = std::tuple<threading::stored<result_of<Fs>>...>;

    template <class F>
    static threading::stored<result_of<F>> take(F& f) {
        if constexpr (std::is_void_v<result_of<F>>) {
            f.get();
            return {};
        } else {
            return f.get();
        }
    }
    // In braces the elements are computed from left to right.
    static result take_all(std::tuple<Fs...>& all) {
        return std::apply([](Fs&... f) { return result{take(f)...}; }, all);
    }
    template <class Visit>
    static bool each(const std::tuple<Fs...>& all, Visit visit) {
        return std::apply([&](const Fs&... f) { return (visit(f) && ...); }, all);
    }
};

template <class F>
struct joint<std::vector<F>> {
    using one = result_of<F>;
    using result = std::conditional_t<std::is_void_v<one>, void, std::vector<element<one>>>;

    static result take_all(std::vector<F>& all) {
        if constexpr (std::is_void_v<one>) {
            for (F& f : all) f.get();
        } else {
            result results;
            results.reserve(all.size());
            for (F& f : all) results.push_back(f.get());
            return results;
        }
    }
    template <class Visit>
    static bool each(const std::vector<F>& all, Visit visit) {
        for (const F& f : all)
            if (!visit(f)) return false;
        return true;
    }
};

// A container that gives its futures away. A view does not, since its elements belong to others.
template <class Range>
concept range_of_futures = std::ranges::input_range<Range> && std::is_object_v<Range> && !std::is_const_v<Range> &&
                           !std::ranges::view<Range> && is_future<std::ranges::range_value_t<Range>>;

}  // namespace detail

/// The result of when_all(): several futures, in a std::tuple or a std::vector, that are waited for together. It is
/// moved, not copied. It holds the futures itself, without a task or an allocation. Its destructor waits for all.
template <class Futures>
class [[nodiscard]] joint_future {
public:
    /// The type that get() returns.
    using result = typename detail::joint<Futures>::result;

    /// Makes an empty one, which has no results to come.
    joint_future() noexcept = default;
    /// Takes the futures out of `other`, which is empty afterwards.
    joint_future(joint_future&& other) noexcept
        : futures_(std::move(other.futures_)), valid_(std::exchange(other.valid_, false)) {}
    /// Waits for its own futures, drops their results, and takes the futures of `other`.
    joint_future& operator=(joint_future&& other) noexcept {
        if (this != &other) {
            futures_ = std::move(other.futures_);
            valid_ = std::exchange(other.valid_, false);
        }
        return *this;
    }
    /// Waits for all, and drops their results.
    ~joint_future() = default;

    /// Has it a result to come? Not after get(), nor if it is default-constructed or moved from.
    [[nodiscard]] bool valid() const noexcept { return valid_; }
    /// Are all results there? O(number of futures).
    [[nodiscard]] bool is_ready() const noexcept {
        return valid_ && detail::joint<Futures>::each(futures_, [](const auto& f) { return f.is_ready(); });
    }

    /// Works until all are there, values or exceptions. Throws usage_error if there is no result to come.
    void wait() const {
        require();
        (void)detail::joint<Futures>::each(futures_, [](const auto& f) {
            f.wait();
            return true;
        });
    }

    /// Works until all are there, for `longest` at most, and says whether they are. See future::wait_for().
    template <class Rep, class Period>
    std::future_status wait_for(const std::chrono::duration<Rep, Period>& longest) const {
        return wait_until(threading::deadline_after(longest));
    }
    /// Works until all are there, or until `last` by any clock.
    template <class Clock, class Duration>
    std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& last) const {
        require();
        const bool all = detail::joint<Futures>::each(
            futures_, [&](const auto& f) { return f.wait_until(last) == std::future_status::ready; });
        return all ? std::future_status::ready : std::future_status::timeout;
    }

    /// Waits for all, then moves the results out. A tuple has void as std::monostate and references as references. A
    /// vector has references as std::reference_wrapper; for futures of void there is none.
    ///
    /// If tasks have thrown, throws the exception of the first of them in the order of the arguments, and drops the
    /// rest. It may be called once: it is empty afterwards. A vector of results throws std::bad_alloc, too.
    result get() {
        wait();
        valid_ = false;
        Futures taken = std::move(futures_);  // drops what is left
        return detail::joint<Futures>::take_all(taken);
    }

private:
    friend struct detail::joining;
    template <class F>
    friend struct detail::pending_of;
    friend struct detail::future_access;

    void require() const {
        if (!valid_)
            throw usage_error(
                "parley: the futures of when_all() have no result to come (get() was called "
                "before, or they were moved from)");
    }

    explicit joint_future(Futures&& futures) : futures_(std::move(futures)), valid_(true) {
        if (!detail::joint<Futures>::each(futures_, [](const auto& f) { return f.valid(); }))
            throw usage_error("parley: when_all() was given a future that has no result to come");
    }

    Futures futures_{};
    bool valid_ = false;
};

namespace detail {

// Only when_all() makes joint futures. It is no friend itself, because clang 16 takes constrained friends for other
// functions.
struct joining {
    template <class Futures>
    static joint_future<Futures> join(Futures futures) {
        return joint_future<Futures>(std::move(futures));
    }
};

}  // namespace detail

/// Joins futures, which are moved in: when_all(std::move(f), async(g)).get() is a tuple of their results, in this
/// order. The joint future may be given to when_all() again. Makes no task and allocates nothing. O(number of futures).
/// If one of them has no result to come, throws usage_error after all have ended.
template <class... Fs>
    requires(detail::is_future<Fs> && ...)
[[nodiscard]] auto when_all(Fs... futures) -> joint_future<std::tuple<Fs...>> {
    return detail::joining::join(std::tuple<Fs...>(std::move(futures)...));
}

/// Joins the futures of a container, which are moved in: when_all(std::move(v)).get() is a vector of the results. A
/// std::vector is taken over as it is. The futures of another container are moved out, which may throw std::bad_alloc.
template <class Range>
    requires detail::range_of_futures<Range>
[[nodiscard]] auto when_all(Range&& futures) -> joint_future<std::vector<std::ranges::range_value_t<Range>>> {
    using all = std::vector<std::ranges::range_value_t<Range>>;
    if constexpr (std::is_same_v<Range, all>) {
        return detail::joining::join(all(std::move(futures)));
    } else {
        all moved;
        if constexpr (std::ranges::sized_range<Range>) moved.reserve(std::ranges::size(futures));
        for (auto&& f : futures) moved.push_back(std::move(f));
        return detail::joining::join(std::move(moved));
    }
}

}  // namespace parley::inline v0
