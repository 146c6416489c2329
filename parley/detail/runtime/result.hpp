// The place where a task leaves its result or its exception. Nothing is constructed there before.
#pragma once

#include <parley/detail/sync/oneshot.hpp>
#include <parley/errors.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace parley::inline v0::threading {

// The type in which a result is kept: void as monostate, a reference as a pointer.
template <class R>
using kept =
    std::conditional_t<std::is_void_v<R>, std::monostate,
                       std::conditional_t<std::is_reference_v<R>, std::remove_reference_t<R>*, std::remove_cv_t<R>>>;

// The type in which a result is handed out: void as monostate, everything else as it was returned.
template <class R>
using stored = std::conditional_t<std::is_void_v<R>, std::monostate, R>;

// May a callable of this type be copied, where that is cheaper than to refer to it? It must be plain bytes, two words
// at most.
template <class F>
constexpr bool cheap_to_copy() noexcept {
    if constexpr (std::is_object_v<F> && std::is_trivially_copyable_v<F> && std::is_trivially_copy_constructible_v<F>)
        return sizeof(F) <= 16;
    else return false;
}

template <class F, class... Args>
stored<std::invoke_result_t<F, Args...>> invoke_stored(F&& f, Args&&... args) {
    if constexpr (std::is_void_v<std::invoke_result_t<F, Args...>>) {
        std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
        return {};
    } else {
        return std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
    }
}

template <class R>
class result_slot {
public:
    result_slot() noexcept {}
    result_slot(const result_slot&) = delete;
    result_slot& operator=(const result_slot&) = delete;
    ~result_slot() {}  // the object that knows the outcome calls take() or discard()

    // Runs the function, and puts its result or its exception into the slot. The exception leaves the catch block
    // before anything is published, because until then this thread changes the exception's counts.
    template <class F>
    sync::outcome fill(F& function) noexcept {
        std::exception_ptr failure;
        try {
            if constexpr (std::is_void_v<R>) {
                std::invoke(function);
                std::construct_at(std::addressof(value_));
            } else if constexpr (std::is_reference_v<R>) {
                R&& result = std::invoke(function);
                std::construct_at(std::addressof(value_), std::addressof(result));
            } else {
                ::new (static_cast<void*>(std::addressof(value_))) kept<R>(std::invoke(function));
            }
            return sync::outcome::value;
        } catch (...) {
            failure = std::current_exception();
        }
        return fail(std::move(failure));
    }

    // Constructs the value. The argument is void's monostate, or the result, or a reference to what that refers to.
    template <class Value>
    void put(Value&& value) {
        if constexpr (std::is_reference_v<R>) std::construct_at(std::addressof(value_), std::addressof(value));
        else ::new (static_cast<void*>(std::addressof(value_))) kept<R>(std::forward<Value>(value));
    }

    sync::outcome fail(std::exception_ptr failure) noexcept {
        std::construct_at(std::addressof(error_), std::move(failure));
        return sync::outcome::error;
    }

    sync::outcome drop() noexcept { return sync::outcome::dropped; }

    // Moves the result out, or throws. The slot is empty afterwards.
    stored<R> take(sync::outcome how) {
        if (how == sync::outcome::dropped) throw cancelled{};
        if (how == sync::outcome::error) {
            std::exception_ptr failure = std::move(error_);
            std::destroy_at(std::addressof(error_));
            std::rethrow_exception(std::move(failure));
        }
        const struct cleaner {
            result_slot* slot;
            ~cleaner() { std::destroy_at(std::addressof(slot->value_)); }
        } after{this};
        if constexpr (std::is_void_v<R>) return {};
        else if constexpr (std::is_reference_v<R>) return static_cast<R>(*value_);
        else return std::move(value_);
    }

    // Shows the result and leaves it there, or throws. Any number of threads may do this at a time.
    std::add_lvalue_reference_t<const R> show(sync::outcome how) const {
        if (how == sync::outcome::dropped) throw cancelled{};
        if (how == sync::outcome::error) std::rethrow_exception(error_);
        if constexpr (std::is_reference_v<R>) return *value_;
        else if constexpr (!std::is_void_v<R>) return value_;
    }

    void discard(sync::outcome how) noexcept {
        if (how == sync::outcome::value) std::destroy_at(std::addressof(value_));
        if (how == sync::outcome::error) std::destroy_at(std::addressof(error_));
    }

private:
    union {
        kept<R> value_;
        std::exception_ptr error_;
    };
};

}  // namespace parley::inline v0::threading
