/// @file
/// What becomes of an item whose body throws, where the stream is to go on: bodies around bodies.
#pragma once

#include <parley/errors.hpp>
#include <parley/farm/body.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace parley::inline v0 {

/// A value, or the exception that came instead.
template <class T>
class expected {
public:
    /// With a value.
    expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: meant to convert
    /// With an exception.
    explicit expected(std::exception_ptr what) : held_(std::in_place_index<1>, std::move(what)) {}

    /// Is there a value?
    [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
    /// Is there a value?
    explicit operator bool() const noexcept { return has_value(); }
    /// Null if there is a value.
    [[nodiscard]] std::exception_ptr error() const noexcept { return has_value() ? nullptr : std::get<1>(held_); }
    /// The value, or throws the exception.
    [[nodiscard]] T& value() & {
        require();
        return std::get<0>(held_);
    }
    /// The value, to be moved out, or throws the exception.
    [[nodiscard]] T&& value() && {
        require();
        return std::get<0>(std::move(held_));
    }
    /// The value, or throws the exception.
    [[nodiscard]] const T& value() const& {
        require();
        return std::get<0>(held_);
    }

private:
    void require() const {
        if (!has_value()) std::rethrow_exception(std::get<1>(held_));
    }
    std::variant<T, std::exception_ptr> held_;
};

namespace streaming {

// Both come in a const and a plain form, for bodies that several workers share and for those of one.
template <class F, class Handler>
struct skipping {
    template <class In>
        requires maps<F, In>
    std::optional<output_of<F, In>> operator()(In&& item) {
        return call(body, handler, std::forward<In>(item));
    }
    template <class In>
        requires maps<const F, In>
    std::optional<output_of<const F, In>> operator()(In&& item) const {
        return call(body, handler, std::forward<In>(item));
    }

    template <class G, class H, class In>
    static std::optional<output_of<G, In>> call(G& f, H& handler, In&& item) {
        std::exception_ptr what;
        try {
            return std::invoke(f, std::forward<In>(item));
        } catch (const cancelled&) {
            throw;  // not the item's fault
        } catch (...) {
            what = std::current_exception();
        }
        std::invoke(handler, std::move(what));
        return std::nullopt;
    }

    F body;
    Handler handler;
};

template <class F>
struct expecting {
    template <class F2, class In>
    using result = expected<std::remove_cvref_t<std::invoke_result_t<F2&, In>>>;

    template <class In>
        requires maps<F, In>
    result<F, In> operator()(In&& item) {
        return call(body, std::forward<In>(item));
    }
    template <class In>
        requires maps<const F, In>
    result<const F, In> operator()(In&& item) const {
        return call(body, std::forward<In>(item));
    }

    template <class G, class In>
    static result<G, In> call(G& f, In&& item) {
        try {
            return result<G, In>(std::invoke(f, std::forward<In>(item)));
        } catch (const cancelled&) {
            throw;
        } catch (...) {
            return result<G, In>(std::current_exception());
        }
    }

    F body;
};

}  // namespace streaming

/// A body for stage() or farm(): an item for which f throws is left out, and handler(std::exception_ptr) is told of
/// it, by the worker that has met it. What the handler throws, and `cancelled`, end the stream as usual. For bodies
/// that return a value.
template <class F, class Handler>
    requires std::invocable<std::decay_t<Handler>&, std::exception_ptr>
auto skip(F&& f, Handler&& handler) {
    return streaming::skipping<std::decay_t<F>, std::decay_t<Handler>>{std::forward<F>(f), std::forward<Handler>(handler)};
}

/// A body that gives an expected<R> where f gives an R: the value, or what f has thrown for this item.
template <class F>
auto as_expected(F&& f) {
    return streaming::expecting<std::decay_t<F>>{std::forward<F>(f)};
}

}  // namespace parley::inline v0
