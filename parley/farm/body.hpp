// Makes a function the body of a stage: says what it takes and what it gives out.
#pragma once

#include <parley/farm/emitter.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/row.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace parley::inline v0::streaming {

// The Out of a callable's parameter `emitter<Out>&`. It is not known if the call operator is a template.
template <class F>
struct emitted {};
template <class F>
    requires requires { &F::operator(); }
struct emitted<F> : emitted<decltype(&F::operator())> {};
template <class R, class In, class Out>
struct emitted<R (*)(In, emitter<Out>&)> {
    using type = Out;
};
template <class R, class C, class In, class Out>
struct emitted<R (C::*)(In, emitter<Out>&)> : emitted<R (*)(In, emitter<Out>&)> {};
template <class R, class C, class In, class Out>
struct emitted<R (C::*)(In, emitter<Out>&) const> : emitted<R (*)(In, emitter<Out>&)> {};
template <class R, class C, class In, class Out>
struct emitted<R (C::*)(In, emitter<Out>&) noexcept> : emitted<R (*)(In, emitter<Out>&)> {};
template <class R, class C, class In, class Out>
struct emitted<R (C::*)(In, emitter<Out>&) const noexcept> : emitted<R (*)(In, emitter<Out>&)> {};

template <class F>
concept emits = requires { typename emitted<std::remove_cvref_t<F>>::type; };

template <class R>
struct of_result {
    using type = std::remove_cvref_t<R>;
};
template <class T>
struct of_result<std::optional<T>> {
    using type = T;
};

// F, const or not, is called with an rvalue In.
template <class F, class In>
concept maps = std::invocable<F&, In> && !std::is_void_v<std::invoke_result_t<F&, In>>;
template <class F, class In>
concept expands = emits<F> && std::invocable<F&, In, emitter<typename emitted<std::remove_cvref_t<F>>::type>&>;

// A body that is more than a function. It says what it makes of an In, as a const object or not, and makes that.
template <class F, class In>
concept makes = requires { typename std::remove_const_t<F>::template made_of<In, std::is_const_v<F>>; };

template <class F, class In>
concept body_for = maps<F, In> || expands<F, In> || makes<F, In>;

template <class F, class In>
struct output;
template <class F, class In>
    requires makes<F, In>
struct output<F, In> {
    using type = typename std::remove_const_t<F>::template made_of<In, std::is_const_v<F>>;
};
template <class F, class In>
    requires maps<F, In>
struct output<F, In> : of_result<std::remove_cvref_t<std::invoke_result_t<F&, In>>> {};
template <class F, class In>
    requires(!maps<F, In>) && expands<F, In>
struct output<F, In> : emitted<std::remove_cvref_t<F>> {};

template <class F, class In>
using output_of = typename output<F, In>::type;

template <class F, class In>
void apply(F& f, In&& item, row<output_of<F, std::remove_cvref_t<In>>>& out) {
    using item_type = std::remove_cvref_t<In>;
    if constexpr (makes<F, item_type>) {
        f.make(std::move(item), out);
    } else if constexpr (maps<F, item_type>) {
        using result = std::remove_cvref_t<std::invoke_result_t<F&, item_type>>;
        if constexpr (std::same_as<result, std::optional<output_of<F, item_type>>>) {
            if (auto made = std::invoke(f, std::move(item))) out.push_back(std::move(*made));
        } else {
            out.push_back(std::invoke(f, std::move(item)));
        }
    } else {
        emitter<output_of<F, item_type>> emit(out);
        std::invoke(f, std::move(item), emit);
    }
}

class stopwatch {
public:
    [[nodiscard]] std::uint64_t ns() const noexcept {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin_).count());
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Calls work() and measures how long so many items took.
template <class Work>
void measure(batch_size& size, std::size_t items, Work work) {
    const stopwatch watch;
    work();
    size.measured(items, watch.ns());
}

// Applies f to each item of the parcel, and returns the parcel that goes on in its place. After a failure, here or
// elsewhere, that is the parcel itself, emptied.
template <class In, class F>
parcel& work_on(flow& of, F& f, parcel& p, batch_size& size) noexcept {
    if (p.hollow) return p;
    if (of.failed()) {
        p.empty_out();
        return p;
    }
    using out_type = output_of<F, In>;
    row<In>& items = static_cast<batch<In>&>(p).items;
    std::unique_ptr<batch<out_type>> out;
    try {
        out = std::make_unique<batch<out_type>>();
        out->take_place_of(p);
        out->items.reserve(items.size());
        measure(size, items.size(), [&] {
            for (In& item : items) apply(f, std::move(item), out->items);
        });
    } catch (...) {
        of.fail_with_current_exception();
        p.empty_out();
        return p;
    }
    delete &p;
    return *out.release();
}

}  // namespace parley::inline v0::streaming
