/// @file
/// Bodies around bodies, for streams that go on after an item's body throws.
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
    /// Holds a value.
    expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: meant to convert
    /// Holds an exception.
    explicit expected(std::exception_ptr what) : held_(std::in_place_index<1>, std::move(what)) {}

    /// Is there a value?
    [[nodiscard]] bool has_value() const noexcept { return held_.index() == 0; }
    /// Is there a value?
    explicit operator bool() const noexcept { return has_value(); }
    /// Returns null if there is a value.
    [[nodiscard]] std::exception_ptr error() const noexcept { return has_value() ? nullptr : std::get<1>(held_); }
    /// Returns the value, or throws the exception.
    [[nodiscard]] T& value() & {
        require();
        return std::get<0>(held_);
    }
    /// Returns the value, which may be moved out, or throws the exception.
    [[nodiscard]] T&& value() && {
        require();
        return std::get<0>(std::move(held_));
    }
    /// Returns the value, or throws the exception.
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

// Both come as const and not, for bodies that several workers share and for those of one worker.
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
            throw;  // it is not the item's fault
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

/// Makes a body for stage() or farm(). An item for which f throws is left out, and its worker calls
/// handler(std::exception_ptr). `cancelled`, and what the handler throws, end the stream as usual. It is for bodies
/// that return a value.
template <class F, class Handler>
    requires std::invocable<std::decay_t<Handler>&, std::exception_ptr>
auto skip(F&& f, Handler&& handler) {
    return streaming::skipping<std::decay_t<F>, std::decay_t<Handler>>{std::forward<F>(f), std::forward<Handler>(handler)};
}

/// Makes a body that gives an expected<R> if f gives an R: the value, or what f has thrown for this item.
template <class F>
auto as_expected(F&& f) {
    return streaming::expecting<std::decay_t<F>>{std::forward<F>(f)};
}

}  // namespace parley::inline v0
