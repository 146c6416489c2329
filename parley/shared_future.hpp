/// @file
/// A result that any number of readers may have: what future::share() gives. Included by future.hpp.
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

/// The result of async(), for any number of readers. Copied and moved; each copy reads one result, as with
/// std::shared_future. Any number of tasks and threads may use copies of one at a time, and its const functions. The
/// last copy waits for the task when it goes, and drops what it has returned or thrown. Of future<T&&> there is none.
template <class R>
class [[nodiscard]] shared_future {
    static_assert(!std::is_rvalue_reference_v<R>, "a result that only one reader may have cannot be shared");

public:
    /// Empty: it has no result.
    shared_future() noexcept = default;
    /// The future is empty afterwards. Throws std::bad_alloc, and then nothing has changed.
    shared_future(future<R>&& one)  // NOLINT(google-explicit-constructor): as std::shared_future
        : of_(one.valid() ? std::make_shared<const future<R>>(std::move(one)) : nullptr) {}

    /// Has it a result to come, or one that is there? Not when default-constructed, moved from, or of such a future.
    [[nodiscard]] bool valid() const noexcept { return of_ != nullptr; }
    /// Is the result there? False where valid() is.
    [[nodiscard]] bool is_ready() const noexcept { return valid() && of_->is_ready(); }

    /// Works until the result is there, as future::wait(). Throws usage_error if it is not valid.
    void wait() const { valid_one().wait(); }
    /// Works until the result is there, for so long at most, as future::wait_for(). Throws usage_error if it is not
    /// valid.
    template <class Rep, class Period>
    std::future_status wait_for(const std::chrono::duration<Rep, Period>& longest) const {
        return valid_one().wait_for(longest);
    }
    /// Works until the result is there, or until then, as future::wait_until(). Throws usage_error if it is not valid.
    template <class Clock, class Duration>
    std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& last) const {
        return valid_one().wait_until(last);
    }

    /// Waits, then shows the result: const R& into what all copies share, for future<T&> the T&, for void nothing. Or
    /// throws the task's exception, to each reader the same object; `cancelled` if the task was dropped. As often as
    /// one likes.
    std::add_lvalue_reference_t<const R> get() const {
        const future<R>& one = valid_one();
        one.wait();
        return one.state_->slot.show(one.state_->how);
    }

private:
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
