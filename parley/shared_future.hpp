/// @file
/// A result that any number of readers may have: future::share() returns it. future.hpp includes this.
#pragma once

#include <parley/version.hpp>

#include <parley/errors.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace parley::inline v0 {

template <class R>
class future;

namespace detail {
struct future_access;
}  // namespace detail

/// The result of async(), for any number of readers. Each copy reads one result, as with std::shared_future. Any number
/// of tasks and threads may use copies of one at a time, and its const functions. The destructor of the last copy waits
/// for the task, and drops what it has returned or thrown. There is none of future<T&&>.
template <class R>
class [[nodiscard]] shared_future {
    static_assert(!std::is_rvalue_reference_v<R>, "a result that only one reader may have cannot be shared");

public:
    /// Makes an empty one, which has no result.
    shared_future() noexcept = default;
    /// Takes the result of the future, which is empty afterwards. Throws std::bad_alloc, and leaves the future
    /// unchanged then.
    shared_future(future<R>&& one)  // NOLINT(google-explicit-constructor): as std::shared_future
        : of_(one.valid() ? std::make_shared<const future<R>>(std::move(one)) : nullptr) {}

    /// Has it a result, or one to come? Not if it is default-constructed, moved from, or made of such a future.
    [[nodiscard]] bool valid() const noexcept { return of_ != nullptr; }
    /// Is the result there? False if it is not valid.
    [[nodiscard]] bool is_ready() const noexcept { return valid() && of_->is_ready(); }

    /// Works until the result is there, as future::wait(). Throws usage_error if it is not valid.
    void wait() const { valid_one().wait(); }
    /// Works until the result is there, for `longest` at most, as future::wait_for(). Throws usage_error if it is not
    /// valid.
    template <class Rep, class Period>
    std::future_status wait_for(const std::chrono::duration<Rep, Period>& longest) const {
        return valid_one().wait_for(longest);
    }
    /// Works until the result is there, or until `last`, as future::wait_until(). Throws usage_error if it is not
    /// valid.
    template <class Clock, class Duration>
    std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& last) const {
        return valid_one().wait_until(last);
    }

    /// Waits, then returns the result: a const R& into what all copies share, the T& of a future<T&>, or void. Or
    /// throws the task's exception, one object for all readers, or `cancelled` if the task was dropped. It may be
    /// called any number of times.
    std::add_lvalue_reference_t<const R> get() const {
        const future<R>& one = valid_one();
        one.wait();
        return one.state_->slot.show(one.state_->how());
    }

private:
    friend struct detail::future_access;

    const future<R>& valid_one() const {
        if (of_ == nullptr)
            throw usage_error(
                "parley: the shared future has no result to come (it was moved from, or made of a future "
                "without one)");
        return *of_;
    }

    std::shared_ptr<const future<R>> of_;
};

}  // namespace parley::inline v0
