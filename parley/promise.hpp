/// @file
/// A result that any thread may provide: promise, with a future whose waits work.
#pragma once

#include <parley/version.hpp>

#include <parley/detail/runtime/future_state.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>
#include <parley/errors.hpp>
#include <parley/future.hpp>
#include <parley/runtime.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace parley::inline v0 {

namespace detail {

// The future and the promise share it. The one that leaves it last frees it.
template <class R>
class promised : public promise_state<R> {
public:
    explicit promised(threading::pool& of) noexcept : promise_state<R>(of, &delete_it, &left_alone_), left_alone_(*this) {}

private:
    static void delete_it(future_state<R>* s) noexcept { delete static_cast<promised*>(s); }

    struct left_alone : threading::continuation {
        explicit left_alone(promised& s) noexcept : threading::continuation(&drop), state(s) {}
        static void drop(threading::continuation* c, threading::worker*) noexcept {
            promised& s = static_cast<left_alone*>(c)->state;
            s.drop();
        }
        promised& state;
    };
    left_alone left_alone_;
};

}  // namespace detail

/// The other end of a future that is no task's: a value that a thread outside, a callback or another runtime provides. It is
/// moved, not copied. Any thread may set the result, once. The runtime must not end before that, nor before a promise
/// without a result is destroyed.
///
/// The destructor of the future waits for nothing. A task that waits for the future and holds what the promise needs waits
/// for ever, as with std::promise.
template <class R>
class [[nodiscard]] promise {
    using kept = std::conditional_t<std::is_object_v<R>, std::remove_cv_t<R>, std::monostate>;
    using given = std::conditional_t<std::is_reference_v<R>, R, kept&&>;

public:
    /// Makes one whose future belongs to the calling worker's runtime, or else to the default one. Throws std::bad_alloc.
    promise() : promise(detail::this_pool()) {}
    /// Makes one whose future belongs to that runtime.
    explicit promise(runtime& home) : promise(detail::pool_of(home)) {}
    /// Takes the place out of `other`, which is empty afterwards.
    promise(promise&& other) noexcept : state_(std::exchange(other.state_, nullptr)), future_(std::move(other.future_)) {}
    /// Leaves its own result to come as the destructor does, and takes the place of `other`.
    promise& operator=(promise&& other) noexcept {
        if (this != &other) {
            give_up();
            state_ = std::exchange(other.state_, nullptr);
            future_ = std::move(other.future_);
        }
        return *this;
    }
    /// If no result was set, get() of the future throws `cancelled`.
    ~promise() { give_up(); }

    /// Returns the future. It may be called once, before or after the result is set. Throws usage_error afterwards.
    future<R> get_future() {
        if (!future_.valid()) throw usage_error("parley: the future of a promise can be fetched once");
        return std::move(future_);
    }

    /// Sets the value, by moving it. Throws usage_error if there is a result, and what moving the value throws.
    void set_value(given value)
        requires(!std::is_void_v<R>)
    {
        require();
        state_->slot.put(std::forward<given>(value));
        complete(sync::outcome::value);
    }
    /// Sets the value, by copying it. Throws usage_error if there is a result, and what copying the value throws.
    void set_value(const kept& value)
        requires(std::is_object_v<R> && std::copy_constructible<kept>)
    {
        require();
        state_->slot.put(value);
        complete(sync::outcome::value);
    }
    /// Says that what the future waits for has happened.
    void set_value()
        requires std::is_void_v<R>
    {
        require();
        state_->slot.put(threading::kept<void>{});
        complete(sync::outcome::value);
    }
    /// Lets get() of the future throw that exception. Throws usage_error if there is a result.
    void set_exception(std::exception_ptr failure) {
        require();
        complete(state_->slot.fail(std::move(failure)));
    }

private:
    explicit promise(threading::pool& home)
        : state_(new detail::promised<R>(home)), future_(detail::future_access::make<R>(state_)) {}

    void require() const {
        if (state_ == nullptr) throw usage_error("parley: the promise has a result already, or it was moved from");
        state_->home.require_this_process();
    }

    void complete(sync::outcome how) noexcept { std::exchange(state_, nullptr)->complete_by(threading::current, how); }

    void give_up() noexcept {
        if (state_ != nullptr && state_->home.is_of_this_process()) complete(state_->slot.drop());
    }

    detail::promised<R>* state_;  // until the result is set
    future<R> future_;            // until it is fetched
};

}  // namespace parley::inline v0
