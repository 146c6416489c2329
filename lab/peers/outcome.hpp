// A result that is there or not yet, void included.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace parley_peers {

template <class R>
class outcome {
public:
    template <class F>
    void fill(F& work) {
        if constexpr (std::is_void_v<R>) {
            work();
            value_.emplace();
        } else {
            value_.emplace(work());
        }
    }
    [[nodiscard]] bool is_there() const noexcept { return value_.has_value(); }
    R take() {
        if constexpr (!std::is_void_v<R>) return std::move(*value_);
    }

private:
    std::optional<std::conditional_t<std::is_void_v<R>, std::monostate, R>> value_;
};

}  // namespace parley_peers
